/**
 * Splits a shell line into its commands: words without quotes and with known variables inserted, redirections, and the
 * folder that `cd` has changed to. It does not read what a shell is told to run (`sh -c`, a script, `xargs`): this is a
 * speed bump.
 */
import { alternativesOf } from '../core/globs.ts';

export interface Word {
  readonly text: string;
  /** Whether it holds a wildcard that the shell would expand. */
  readonly wild: boolean;
}

export interface Command {
  /** Without leading assignments, `sudo`, `then` and the like. */
  words: Word[];
  /** Those that precede the command itself: assignments, `sudo`, `npx`. */
  lead: Word[];
  /** The files that redirections write. `appends`: by `>>`, which keeps the content. */
  outputs: (Word & { appends: boolean })[];
  /** Here-documents, and the source of its `$(…)`: text that it may take names from. */
  given: string;
  /** Whether it reads the output of the command before it. */
  readonly piped: boolean;
  /** Where the line has changed to by then, relative to where it began. */
  readonly folder: string;
}

/** Known values of variables, by name. */
export type Variables = Map<string, string>;

/** The longest argument that Linux passes to a program. A longer line never reaches a shell. */
const LONGEST_LINE = 128 * 1024;
/** Characters that variables may add to a line: `A=$A$A` would double forever. */
const MOST_EXPANDED = 1024 * 1024;
/** A line that nests deeper is no plain line. */
const DEEPEST = 20;
/** A line whose `cd`s lead further is no plain line. Each step of such a path would cost a look at the disk. */
const LONGEST_FOLDER = 1_000;

const REDIRECTION = /<<[<-]?|<[>&(]?|&?>[>|&(]?/y;
/** The name is bounded: otherwise a row of `${` would be read again from each of them. */
const VARIABLE = /\{(\w{1,100})[^}]{0,100}\}|(\w{1,100})/y;
const WILD = /[*?{[]/;

/** `tooLong`: called when a part of the line was not read. */
export function readShell(
  line: string,
  variables: Variables,
  tooLong: () => void = () => undefined,
): Command[] {
  if (line.length > LONGEST_LINE) tooLong();
  const reader = new LineReader(line.slice(0, LONGEST_LINE).replace(/\\\r?\n/g, ''), variables, tooLong);
  reader.read('');
  return reader.commands;
}

class LineReader {
  readonly commands: Command[] = [];
  private at = 0;
  private depth = 0;
  private room = MOST_EXPANDED;
  private quoted = false;
  private open = begin('', false);
  /** The current word; null between words. */
  private word: { text: string; wild: boolean } | null = null;
  /** The redirection that the word belongs to; '' for an argument. */
  private operator = '';
  /** Here-documents that begin on the next line. */
  private documents: { readonly of: Command; readonly ending: string; readonly tabs: boolean }[] = [];
  /** Inside `((…))`, where `<<` is a shift. */
  private arithmetic = false;
  private readonly line: string;
  private readonly variables: Variables;
  private readonly tooLong: () => void;

  constructor(line: string, variables: Variables, tooLong: () => void) {
    this.line = line;
    this.variables = variables;
    this.tooLong = tooLong;
  }

  /** `close`: what ends the inside of a `(…)`, `$(…)` or `` `…` ``. */
  read(close: string): void {
    while (this.at < this.line.length) {
      const char = this.line.charAt(this.at++);
      if (char === close && !this.quoted) break;
      if (char === '\\') this.escaped(this.line.charAt(this.at++));
      else if (char === '$') this.dollar(this.line.charAt(this.at));
      else if (char === '`') this.substitute(char);
      else if (char === '"') {
        this.add('');
        this.quoted = !this.quoted;
      } else if (this.quoted) this.add(char);
      else this.unquoted(char, this.line.charAt(this.at));
    }
    this.endCommand();
  }

  private unquoted(char: string, next: string): void {
    if (char === ' ' || char === '\t' || char === '\r') this.endWord();
    else if (char === '<' || char === '>' || (char === '&' && next === '>')) this.redirect();
    else if (char === ';' || char === '&' || char === ')') this.endCommand();
    else if (char === '|') {
      if (next === '|' || next === '&') this.at++;
      this.endCommand(next !== '|');
    } else if (char === '\n') {
      this.endCommand();
      this.skipDocuments();
    } else if (char === '(') {
      this.endCommand();
      this.nested(')');
    } else if (char === "'") {
      const end = this.find(char);
      this.add(this.line.slice(this.at, end));
      this.at = end + 1;
    } else if (char === '#' && this.word === null) this.at = this.find('\n');
    else if (char === '~' && this.word === null && !/[^/\s]/.test(next))
      this.add(this.variables.get('HOME') ?? char);
    else this.add(char, WILD.test(char));
  }

  /** Returns the end of the line if it is not found. */
  private find(wanted: string): number {
    const at = this.line.indexOf(wanted, this.at);
    return at === -1 ? this.line.length : at;
  }

  private add(text: string, wild = false): void {
    this.word ??= { text: '', wild: false };
    this.word.text += text;
    this.word.wild ||= wild;
  }

  private escaped(char: string): void {
    this.add(this.quoted && !/[$`"\\]/.test(char) ? `\\${char}` : char);
  }

  private dollar(next: string): void {
    if (next === "'" && !this.quoted) {
      ANSI.lastIndex = this.at;
      const [whole = '', text = ''] = ANSI.exec(this.line) ?? [];
      this.at += whole.length;
      this.add(text.replace(ESCAPE, (_, escape: string) => unescaped(escape)));
      return;
    }
    if (next === '(') {
      this.at++;
      this.substitute(')');
      return;
    }
    VARIABLE.lastIndex = this.at;
    const found = VARIABLE.exec(this.line);
    const name = found?.[1] ?? found?.[2] ?? '';
    const value = this.variables.get(name) ?? `$${name}`;
    this.at += found?.[0].length ?? 0;
    this.room -= value.length;
    // A wildcard counts inside quotes too: the variable of a `for` may hold `tests/*`.
    if (this.room > 0) this.add(value, WILD.test(value));
    else this.tooLong();
  }

  /** Its output is unknown; what it does is not. */
  private substitute(close: string): void {
    this.add('$()');
    this.nested(close);
  }

  /** A `cd` inside it has no effect outside. */
  private nested(close: string): void {
    const { open, word, operator, quoted, at, arithmetic } = this;
    if (++this.depth > DEEPEST) {
      this.at = this.line.length;
      this.tooLong();
    }
    this.arithmetic ||= close === ')' && isArithmetic(this.line, at);
    [this.open, this.word, this.operator, this.quoted] = [begin(open.folder, false), null, '', false];
    this.read(close);
    open.given += `${this.line.slice(at, this.at)}\n`;
    [this.open, this.word, this.operator, this.quoted] = [open, word, operator, quoted];
    this.arithmetic = arithmetic;
    this.depth--;
  }

  private redirect(): void {
    REDIRECTION.lastIndex = this.at - 1;
    const operator = REDIRECTION.exec(this.line)?.[0] ?? '';
    // Digits before a redirection are the number of a stream.
    if (this.word !== null && /^\d+$/.test(this.word.text)) this.word = null;
    this.endWord();
    this.at += operator.length - 1;
    if (operator.endsWith('(')) this.substitute(')');
    else this.operator = operator;
  }

  private skipDocuments(): void {
    for (const { of, ending, tabs } of this.documents.splice(0))
      while (this.at < this.line.length) {
        const end = this.find('\n');
        const text = this.line.slice(this.at, end).replace(/\r$/, '');
        this.at = end + 1;
        if ((tabs ? text.replace(/^\t+/, '') : text) === ending) break;
        of.given += `${text}\n`;
      }
  }

  private endWord(): void {
    const { open, word, operator } = this;
    if (word === null) return;
    this.word = null;
    this.operator = '';
    const words = alternatives(word);
    if (operator === '') open.words.push(...words);
    else if (operator === '<<<') open.given += `${word.text}\n`;
    else if (operator.startsWith('<<')) {
      if (!this.arithmetic) this.documents.push({ of: open, ending: word.text, tabs: operator === '<<-' });
    }
    // `2>&1` and `>&-` name a stream, not a file.
    else if (operator.includes('>') && !/^(?:\d+|-)$/.test(word.text))
      open.outputs.push(...words.map((one) => ({ ...one, appends: operator.endsWith('>>') })));
  }

  private endCommand(piped = false): void {
    this.endWord();
    this.operator = '';
    const { open } = this;
    const texts = open.words.map(({ text }) => text);
    if (texts.length > 0 || open.outputs.length > 0 || open.given !== '') this.commands.push(open);
    for (const [name, value] of assignedBy(texts)) this.variables.set(name, value);
    const own = prefixes(texts);
    open.lead = open.words.slice(0, own);
    open.words = open.words.slice(own);
    this.open = begin(this.folderAfter(open), piped);
  }

  private folderAfter({ words, folder }: Command): string {
    const [name = '', ...args] = words.map(({ text }) => text);
    // Going back usually leads to where the line began.
    if (name === 'popd' || (name === 'cd' && args[0] === '-')) return '';
    if (name !== 'cd' && name !== 'pushd') return folder;
    const to = args.find((arg) => !arg.startsWith('-')) ?? this.variables.get('HOME') ?? '~';
    const gone = inFolder(folder, to);
    if (gone.length <= LONGEST_FOLDER) return gone;
    this.tooLong();
    return folder;
  }
}

function begin(folder: string, piped: boolean): Command {
  return { words: [], lead: [], outputs: [], given: '', piped, folder };
}

/** `a{b,c}` gives two words. So does `[ab]`, which stays as it is if no file matches. */
function alternatives({ text, wild }: Word): Word[] {
  if (!wild) return [{ text, wild }];
  return (alternativesOf(text) ?? [text]).flatMap((one) => {
    const word = { text: one, wild: /[*?]/.test(one) };
    const pattern = one.replace(CLASS, '?');
    return pattern === one ? [word] : [word, { text: pattern, wild: true }];
  });
}

/** A longer expression is no plain line. */
const LONGEST_EXPRESSION = 1_000;

/** `((1 << 3))`, seen from its second parenthesis. Two groups in a row, as in `((cd a) && b)`, close separately. */
function isArithmetic(line: string, from: number): boolean {
  if (line.charAt(from) !== '(') return false;
  let depth = 0;
  for (let at = from; at < Math.min(line.length, from + LONGEST_EXPRESSION); at++) {
    const char = line.charAt(at);
    if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return line.charAt(at + 1) === ')';
  }
  return false;
}

/** Bounded: otherwise a row of `[` would be read again from each of them. */
const CLASS = /\[[^\]/]{1,100}\]/g;

const ANSI = /'((?:[^'\\]|\\[^])*)'?/y;
const ESCAPE = /\\(x[\da-f]{1,2}|u[\da-f]{1,4}|U[\da-f]{1,8}|[0-7]{1,3}|[^])/gi;
const LETTERS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unescaped(escape: string): string {
  const [, hex, octal] = /^(?:[xuU]([\da-f]+)|([0-7]+))$/i.exec(escape) ?? [];
  const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
  if (Number.isNaN(code)) return LETTERS[escape] ?? escape;
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

const PREFIX =
  /^(?:sudo|doas|command|builtin|exec|nohup|time|nice|stdbuf|env|timeout|setsid|ionice|chrt|taskset|flock|busybox|toybox|unbuffer|strace|then|do|else|if|while|until|!|\{|npx|bunx|pnpx)$/;
/** Options whose value is a separate word. */
const VALUED: Readonly<Record<string, RegExp>> = {
  env: /^(?:-[uCS]|--unset|--chdir)$/,
  sudo: /^-[ugUphCrtD]$/,
  doas: /^-[uC]$/,
  timeout: /^(?:-[ks]|--kill-after|--signal)$/,
  nice: /^-n$/,
  ionice: /^-[cn]$/,
  stdbuf: /^-[ioe]$/,
  flock: /^(?:-[wE]|--timeout|--wait)$/,
  strace: /^-[eops]$/,
  exec: /^-a$/,
  time: /^-[fo]$/,
  npx: /^(?:-p|--package)$/,
};

/** How many words precede the command itself. */
function prefixes(texts: readonly string[]): number {
  let at = 0;
  for (let name = ''; at < texts.length; at++) {
    const text = texts[at] ?? '';
    if (/^\w+=/.test(text)) continue;
    const isOption = name !== '' && /^-|^(?:0x)?\d+[smhd]?$/.test(text);
    if (isOption && VALUED[name]?.test(text)) at++;
    if (isOption) continue;
    // The file that it locks precedes the command that it runs.
    if (name === 'flock') name = 'timeout';
    else if (PREFIX.test(baseName(text))) name = baseName(text);
    else break;
  }
  return Math.min(at, texts.length);
}

/** The variables it sets: `A=1 B=2`, and `for f in a b`, after which `$f` stands for either. */
function assignedBy(texts: readonly string[]): [string, string][] {
  const [first = '', name = '', within = '', ...values] = texts;
  if (first === 'for' && within === 'in')
    return [[name, values.length === 1 ? values.join() : `{${values.join(',')}}`]];
  const assigned = texts.map((text) => /^(\w+)=(.*)/s.exec(text));
  // Before a command, assignments apply to that command only.
  if (assigned.includes(null) && !/^(?:export|local|declare|readonly|typeset)$/.test(first)) return [];
  return assigned.flatMap((one): [string, string][] => (one === null ? [] : [[one[1] ?? '', one[2] ?? '']]));
}

export function inFolder(folder: string, path: string): string {
  if (path === '') return folder;
  return folder === '' || /^(?:[/\\]|\w:)/.test(path) ? path : `${folder}/${path}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
