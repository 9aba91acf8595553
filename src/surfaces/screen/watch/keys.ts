/**
 * The bytes that a terminal sends for keys, as names. A sequence is read whole or not at all: half of one
 * looks like keys that nobody pressed. What is pasted is text, even where it holds an escape.
 */
import { StringDecoder } from 'node:string_decoder';

export type KeyName =
  | (typeof SEQUENCES)[keyof typeof SEQUENCES]
  | (typeof CONTROLS)[keyof typeof CONTROLS]
  | 'unknown';

export type KeyPress =
  | { readonly is: 'key'; readonly name: KeyName }
  /** One character that was typed: it may be a command. */
  | { readonly is: 'text'; readonly text: string }
  /** Never a command, however short it is. */
  | { readonly is: 'paste'; readonly text: string };

const ESC = '\u001B';
const PASTE = `${ESC}[200~`;
const PASTED = `${ESC}[201~`;

/** By what follows the escape. */
const SEQUENCES = {
  '': 'escape',
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

/**
 * What may follow an escape. No match means that the rest has not arrived: a character that can't stand in a
 * sequence ends it and is read as itself, so that Ctrl-C is always heard.
 */
const SEQUENCE = new RegExp(
  String.raw`(?:\u001B(?!\[200~))?(?:${[
    // The key Escape: Ctrl-C, a third escape or a paste comes after it.
    String.raw`(?=\u0003|\u001B(?:[\u0003\u001B]|\[200~))`,
    // A report of the mouse in its old form, and F1 to F5 of the Linux console.
    String.raw`\[M(?:[^\u0003]{3}|[^\u0003]{0,2}(?=\u0003))`,
    String.raw`\[\[(?:[!-~]|(?=[^!-~]))`,
    // Any other control sequence: parameters, intermediates, one final character.
    String.raw`\[(?![M[])[0-?]*[ -/]*(?:[@-~]|(?=[^ -~])|(?<=[ -/])(?=[0-?]))`,
    // Keys in the mode of applications.
    String.raw`O[\d;]*(?:[@-~]|(?=[^\d;@-~]))`,
    // What a terminal answers to a question (OSC, DCS and the like), up to its end mark.
    String.raw`[\]PX^_][^\0-\u001F\u009C]*(?:[\u0007\u009C]|\u001B\\|(?=[\0-\u0006\b-\u001A\u001C-\u001F]|\u001B[^\\]))`,
    // Alt with a character.
    String.raw`[^\u0003\u001B[\]OPX^_]`,
  ].join('|')})`,
  'uy',
);

/** How long a lone escape waits to become a sequence, or the two characters of Alt and a bracket. */
export const ESCAPE_REST_MS = 50;
/** Nobody types a longer beginning than that: its rest is late on a slow line, and would act as keys. */
const SEQUENCE_REST_MS = 1_000;
const MAX_TYPED_CHARS = 2;

/** A reader for one terminal. Half a character, half a sequence and half a paste wait for the rest. */
export function openKeys(take: (keys: readonly KeyPress[]) => void): (bytes: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let held = '';
  let waiting: NodeJS.Timeout | undefined;

  return (bytes) => {
    clearTimeout(waiting);
    const { keys, rest } = readKeys(held + decoder.write(bytes));
    held = rest;
    // The end mark of a paste always comes, and what is before it must never act.
    if (rest !== '' && !rest.startsWith(PASTE))
      waiting = setTimeout(
        () => {
          held = '';
          take(unfinishedKeys(rest));
        },
        rest.length > MAX_TYPED_CHARS ? SEQUENCE_REST_MS : ESCAPE_REST_MS,
      ).unref();
    if (keys.length > 0) take(keys);
  };
}

/** `rest`: the beginning of a sequence or a paste whose end has not arrived. */
export function readKeys(text: string): { readonly keys: readonly KeyPress[]; readonly rest: string } {
  const keys: KeyPress[] = [];
  let at = 0;
  while (at < text.length) {
    const found = keyAt(text, at);
    if (found === null) break;
    keys.push(found.key);
    at = found.end;
  }
  return { keys, rest: text.slice(at) };
}

function unfinishedKeys(rest: string): KeyPress[] {
  const isEscapes = rest === ESC.repeat(rest.length);
  return isEscapes ? Array.from(rest, () => named('escape')) : [named('unknown')];
}

/** Null: it is not all there yet. */
function keyAt(text: string, at: number): { readonly key: KeyPress; readonly end: number } | null {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (character !== ESC) {
    const isControl = /\p{Cc}/u.test(character);
    const key: KeyPress = isControl ? named(nameIn(CONTROLS, character)) : { is: 'text', text: character };
    return { key, end: at + character.length };
  }
  if (text.startsWith(PASTE, at)) {
    const end = text.indexOf(PASTED, at);
    const pasted = text.slice(at + PASTE.length, end);
    return end < 0 ? null : { key: { is: 'paste', text: pasted }, end: end + PASTED.length };
  }
  SEQUENCE.lastIndex = at + 1;
  const sequence = SEQUENCE.exec(text)?.[0];
  if (sequence === undefined) return null;
  return { key: named(nameIn(SEQUENCES, sequence)), end: at + 1 + sequence.length };
}

function nameIn(names: Readonly<Record<string, KeyName>>, bytes: string): KeyName {
  return names[bytes] ?? 'unknown';
}

function named(name: KeyName): KeyPress {
  return { is: 'key', name };
}
