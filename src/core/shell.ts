/**
 * A line of shell, taken apart as far as it shows plainly what it does: words with their quotes off and known variables put
 * in, redirections, pipelines, here-documents, and the commands inside `$(…)`. What only a shell could know stays unknown.
 */

export interface Word {
  readonly text: string;
  /** It holds a wildcard or a choice that the shell would expand. */
  readonly wild: boolean;
}

export interface Simple {
  readonly words: readonly Word[];
  /** Files that it is told to write by `>` and its like; `>>` only adds to them. */
  readonly outputs: readonly (Word & { readonly appends: boolean })[];
  /** What a here-document gives it. */
  readonly input: string;
  /** Commands with the same number are joined by `|`. */
  readonly pipeline: number;
}

/** A line that nests deeper than this is no plain line. */
const DEEPEST = 8;

export type Variables = Map<string, string>;

export function readShell(line: string, variables: Variables, depth = 0): Simple[] {
  return depth > DEEPEST ? [] : new Reader(line, variables, depth).read();
}

class Reader {
  private readonly commands: Simple[] = [];
  private words: Word[] = [];
  private outputs: Simple['outputs'][number][] = [];
  private input = '';
  private pipeline = 0;
  private at = 0;
  /** The word that is being read; null between words. */
  private word: { text: string; wild: boolean; quoted: boolean } | null = null;
  /** What the next word is for. */
  private next: 'argument' | 'output' | 'source' | 'ending' = 'argument';
  private endings: { word: string; tabs: boolean }[] = [];
  private tabs = false;
  private appends = false;
  private readonly line: string;
  private readonly variables: Variables;
  private readonly depth: number;

  constructor(line: string, variables: Variables, depth: number) {
    this.line = line.replace(/\\\r?\n/g, '');
    this.variables = variables;
    this.depth = depth;
  }

  read(): Simple[] {
    while (this.at < this.line.length) this.step(this.line[this.at] ?? '');
    this.endCommand();
    return this.commands;
  }

  private step(char: string): void {
    switch (char) {
      case ' ':
      case '\t':
      case '\r':
        this.endWord();
        this.at++;
        return;
      case '\n':
        this.endCommand();
        this.at++;
        this.skipDocuments();
        return;
      case ';':
      case '(':
      case ')':
        this.endCommand();
        this.at++;
        return;
      case '|':
        this.pipe();
        return;
      case '&':
        if (this.line[this.at + 1] === '>') this.redirect(1);
        else {
          this.endCommand();
          this.at++;
        }
        return;
      case '>':
      case '<':
        this.redirect(0);
        return;
      case '#':
        if (this.word !== null) return this.plain(char);
        this.at = indexOr(this.line, '\n', this.at);
        return;
      case "'":
        return this.singleQuoted(1);
      case '"':
        return this.doubleQuoted();
      case '\\':
        this.add(this.line[this.at + 1] ?? '', true);
        this.at += 2;
        return;
      case '$':
        if (this.line[this.at + 1] === "'") return this.singleQuoted(2);
        return this.dollar();
      case '`':
        return this.backticks();
      case '~':
        if (this.word === null && /^~(?=[/\s]|$)/.test(this.line.slice(this.at, this.at + 2))) {
          this.add(this.variables.get('HOME') ?? '~');
          this.at++;
          return;
        }
        return this.plain(char);
      default:
        this.plain(char);
    }
  }

  private plain(char: string): void {
    this.add(char);
    if (/[*?{]/.test(char) && this.word !== null) this.word.wild = true;
    this.at++;
  }

  private add(text: string, quoted = false): void {
    this.word ??= { text: '', wild: false, quoted: false };
    this.word.text += text;
    this.word.quoted ||= quoted;
  }

  private singleQuoted(opening: number): void {
    const start = this.at + opening;
    const end = indexOr(this.line, "'", start);
    this.add(this.line.slice(start, end), true);
    this.at = end + 1;
  }

  private doubleQuoted(): void {
    this.add('', true);
    this.at++;
    while (this.at < this.line.length) {
      const char = this.line[this.at] ?? '';
      if (char === '"') break;
      if (char === '\\') {
        const escaped = this.line[this.at + 1] ?? '';
        this.add(/[$`"\\]/.test(escaped) ? escaped : `\\${escaped}`);
        this.at += 2;
      } else if (char === '$') this.dollar();
      else if (char === '`') this.backticks();
      else {
        this.add(char);
        this.at++;
      }
    }
    this.at++;
  }

  private dollar(): void {
    if (this.line[this.at + 1] === '(') {
      const end = closing(this.line, this.at + 1);
      this.nested(this.line.slice(this.at + 2, end));
      this.at = end + 1;
      return;
    }
    const named = /^\$(?:\{(\w+)(?:[^}]*)\}|(\w+))/.exec(this.line.slice(this.at, this.at + 200));
    const name = named?.[1] ?? named?.[2];
    this.add(name === undefined ? '$' : (this.variables.get(name) ?? `$${name}`));
    this.at += named?.[0].length ?? 1;
  }

  private backticks(): void {
    const end = indexOr(this.line, '`', this.at + 1);
    this.nested(this.line.slice(this.at + 1, end));
    this.at = end + 1;
  }

  /** What it prints is unknown; what it does is not. */
  private nested(line: string): void {
    this.commands.push(...readShell(line, this.variables, this.depth + 1));
    this.add('$()');
  }

  private pipe(): void {
    const { pipeline } = this;
    this.endCommand();
    const isOr = this.line[this.at + 1] === '|';
    if (!isOr) this.pipeline = pipeline;
    this.at += isOr ? 2 : 1;
  }

  private redirect(before: number): void {
    const operator =
      /^(?:<<<|<<-?|<>|<\(|>\(|<&|<|>>|>\||>&|>)/.exec(this.line.slice(this.at + before))?.[0] ?? '>';
    // Digits in front of it are the number of a stream.
    if (this.word !== null && /^\d+$/.test(this.word.text)) this.word = null;
    else this.endWord();
    this.at += before + operator.length;
    // What stands in the parentheses is a command of its own.
    if (operator.endsWith('(')) {
      const end = closing(this.line, this.at - 1);
      this.nested(this.line.slice(this.at, end));
      this.at = end + 1;
      return;
    }
    [this.tabs, this.appends] = [operator === '<<-', operator === '>>'];
    this.next =
      operator.startsWith('<<') && operator !== '<<<'
        ? 'ending'
        : operator.startsWith('<') && operator !== '<>'
          ? 'source'
          : 'output';
  }

  private endWord(): void {
    const { word } = this;
    if (word === null) return;
    this.word = null;
    const read: Word = { text: word.text, wild: word.wild };
    const { next } = this;
    this.next = 'argument';
    if (next === 'argument') this.words.push(read);
    else if (next === 'ending') this.endings.push({ word: word.text, tabs: this.tabs });
    // `2>&1` and `>&-` name a stream, not a file.
    else if (next === 'output' && !/^(?:\d+|-)$/.test(word.text))
      this.outputs.push({ ...read, appends: this.appends });
  }

  private endCommand(): void {
    this.endWord();
    this.takeDocuments();
    if (this.words.length + this.outputs.length > 0)
      this.commands.push({
        words: this.words,
        outputs: this.outputs,
        input: this.input,
        pipeline: this.pipeline,
      });
    const assigned = this.words.map(({ text }) => /^(\w+)=(.*)$/s.exec(text));
    if (assigned.every((one) => one !== null))
      for (const [, name = '', value = ''] of assigned) this.variables.set(name, value);
    [this.words, this.outputs, this.input, this.next] = [[], [], '', 'argument'];
    this.pipeline++;
  }

  /** The command that is just ending gets what its here-documents hold, which begins on the next line. */
  private takeDocuments(): void {
    let from = indexOr(this.line, '\n', this.at) + 1;
    for (const { word, tabs } of this.endings) {
      const end = documentEnd(this.line, from, word, tabs);
      this.input += this.line.slice(from, end.body);
      from = end.after;
    }
    if (this.endings.length > 0) this.resume = from;
    this.endings = [];
  }

  private resume = -1;

  private skipDocuments(): void {
    if (this.resume > this.at) this.at = this.resume;
    this.resume = -1;
  }
}

function documentEnd(
  line: string,
  from: number,
  word: string,
  tabs: boolean,
): { body: number; after: number } {
  for (let at = from; at < line.length;) {
    const end = indexOr(line, '\n', at);
    const text = line.slice(at, end).replace(/\r$/, '');
    if ((tabs ? text.replace(/^\t+/, '') : text) === word) return { body: at, after: end + 1 };
    at = end + 1;
  }
  return { body: line.length, after: line.length };
}

/** Where the parenthesis at `open` closes; the end of the line where it never does. */
function closing(line: string, open: number): number {
  let depth = 0;
  for (let at = open; at < line.length; at++) {
    const char = line[at];
    if (char === '\\') at++;
    else if (char === "'") at = indexOr(line, "'", at + 1);
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at;
  }
  return line.length;
}

function indexOr(line: string, wanted: string, from: number): number {
  const at = line.indexOf(wanted, from);
  return at === -1 ? line.length : at;
}
