/** The bytes that a terminal sends for keys, as names. What is pasted is text, even where it holds an escape. */
import { StringDecoder } from 'node:string_decoder';

export type KeyName =
  | (typeof SEQUENCES)[keyof typeof SEQUENCES]
  | (typeof CONTROLS)[keyof typeof CONTROLS]
  | 'escape'
  | 'unknown';

export type Key =
  | { readonly is: 'key'; readonly name: KeyName }
  /** What was typed or pasted. A single character may be a command. */
  | { readonly is: 'text'; readonly text: string };

const ESC = '\u001B';
const PASTE = `${ESC}[200~`;
const PASTED = `${ESC}[201~`;

const SEQUENCES = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  '[H': 'home',
  '[F': 'end',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[4~': 'end',
  '[7~': 'home',
  '[8~': 'end',
  '[3~': 'delete',
  '[5~': 'page-up',
  '[6~': 'page-down',
  '[Z': 'back-tab',
} as const;

const CONTROLS = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u007F': 'backspace',
  '\b': 'backspace',
  '\u0001': 'ctrl-a',
  '\u0003': 'ctrl-c',
  '\u0005': 'ctrl-e',
  '\u000B': 'ctrl-k',
  '\u000C': 'ctrl-l',
  '\u0015': 'ctrl-u',
  '\u0017': 'ctrl-w',
  '\u001A': 'ctrl-z',
} as const;

const SEQUENCE = new RegExp(`^${ESC}(\\[[0-9;?]*[A-Za-z~]|O[A-Z])`);

/** A reader for one terminal. Half a character, and a paste in several reads, wait for the rest. */
export function openKeys(): (bytes: Buffer) => Key[] {
  const decoder = new StringDecoder('utf8');
  let pasted: string | null = null;

  const paste = (text: string): [keys: Key[], rest: string] => {
    const whole = (pasted ?? '') + text;
    const end = whole.indexOf(PASTED);
    pasted = end < 0 ? whole : null;
    if (end < 0) return [[], ''];
    return [[{ is: 'text', text: whole.slice(0, end) }], whole.slice(end + PASTED.length)];
  };
  return (bytes) => {
    const keys: Key[] = [];
    let rest = decoder.write(bytes);
    while (rest !== '') {
      if (pasted !== null || rest.startsWith(PASTE)) {
        const [more, left] = paste(pasted === null ? rest.slice(PASTE.length) : rest);
        keys.push(...more);
        rest = left;
        continue;
      }
      const [key, length] = keyAt(rest);
      keys.push(key);
      rest = rest.slice(length);
    }
    return keys;
  };
}

function keyAt(rest: string): [Key, number] {
  const sequence = SEQUENCE.exec(rest);
  if (sequence !== null) return [named(nameIn(SEQUENCES, sequence[1] ?? '')), sequence[0].length];
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  if (character === ESC) return [named('escape'), 1];
  return /\p{Cc}/u.test(character)
    ? [named(nameIn(CONTROLS, character)), 1]
    : [{ is: 'text', text: character }, character.length];
}

function nameIn(names: Readonly<Record<string, KeyName>>, bytes: string): KeyName {
  return names[bytes] ?? 'unknown';
}

function named(name: KeyName): Key {
  return { is: 'key', name };
}
