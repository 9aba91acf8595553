/**
 * A line of shell, taken apart as far as it shows plainly what it does: words with their quotes off and known variables put
 * in, redirections, pipelines, here-documents, and the commands inside `$(…)`. What only a shell could know stays unknown.
 */
import { documentEnd, indexOr } from './shell-documents.ts';
import { alternatives, assignedBy, redirectionAt } from './shell-words.ts';
import type { Output, Role, Variables, Word } from './shell-words.ts';

export interface Simple {
  readonly words: readonly Word[];
  /** Files that it is told to write by `>` and its like. */
  readonly outputs: readonly Output[];
  /** What a here-document or a here-string gives it. */
  readonly input: string;
  /** Commands with the same number are joined by `|`. */
  readonly pipeline: number;
  /** The subshells that it runs in, from the outermost: a `cd` in one of them ends with it. */
  readonly subshells: readonly number[];
}

/** A line that nests deeper than this is no plain line. */
export const DEEPEST = 20;
/** Of a variable, with its `${…}`; and of what it holds: more is no path, and `A=$A$A` would double for ever. */
const LONGEST_NAME = 200;
const LONGEST_VALUE = 4_096;
/** More than a line may hold: only variables, put in again and again, make a word longer. */
const LONGEST_WORD = 256 * 1024;

export function readShell(line: string, variables: Variables): Simple[] {
  return new Reader(line, variables).read();
}

/** The command that is being read. */
interface Open {
  words: Word[];
  outputs: Output[];
  input: string;
  pipeline: number;
  /** The word that is being read; null between words. */
  word: { text: string; wild: boolean } | null;
  next: Role;
  /** Of the here-documents that it is to get. */
  endings: { word: string; tabs: boolean }[];
}

class Reader {
  private readonly commands: Simple[] = [];
  private at = 0;
  private pipelines = 0;
  private open = this.begin();
  private subshells: readonly { readonly id: number; readonly close: string }[] = [];
  private opened = 0;
  /** Where the line goes on behind the here-documents that begin below. */
  private resume = -1;
  private readonly line: string;
  private readonly variables: Variables;

  constructor(line: string, variables: Variables) {
    this.line = line.replace(/\\\r?\n/g, '');
    this.variables = variables;
  }

  read(): Simple[] {
    while (this.at < this.line.length) this.step(this.char());
    this.endCommand();
    return this.commands;
  }

  private char(ahead = 0): string {
    return this.line.charAt(this.at + ahead);
  }

  private begin(): Open {
    const pipeline = ++this.pipelines;
    return { words: [], outputs: [], input: '', pipeline, word: null, next: 'argument', endings: [] };
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
        this.at = this.resume === -1 ? this.at + 1 : this.resume;
        this.resume = -1;
        return;
      case '(':
        this.endCommand();
        this.at++;
        this.enter(')');
        return;
      case ';':
      case ')':
        this.endCommand();
        this.at++;
        this.leave(char);
        return;
      case '|':
        this.pipe();
        return;
      case '&':
        if (this.char(1) === '>') this.redirect(1);
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
        if (this.open.word !== null) return this.plain(char);
        this.at = indexOr(this.line, '\n', this.at);
        return;
      case "'":
        return this.singleQuoted(1);
      case '"':
        return this.doubleQuoted();
      case '\\':
        this.add(this.char(1));
        this.at += 2;
        return;
      case '$':
        if (this.char(1) === "'") return this.singleQuoted(2);
        return this.dollar();
      case '`':
        return this.backtick();
      case '~':
        if (this.open.word !== null || !/^(?:[/\s]|$)/.test(this.char(1))) return this.plain(char);
        this.add(this.variables.get('HOME') ?? '~');
        this.at++;
        return;
      default:
        this.plain(char);
    }
  }

  private plain(char: string): void {
    this.expand(char);
    this.at++;
  }

  private add(text: string): NonNullable<Open['word']> {
    this.open.word ??= { text: '', wild: false };
    if (this.open.word.text.length < LONGEST_WORD) this.open.word.text += text;
    return this.open.word;
  }

  /** Wildcards in it count. */
  private expand(text: string): void {
    const word = this.add(text);
    word.wild ||= /[*?{]/.test(text);
  }

  private singleQuoted(opening: number): void {
    const start = this.at + opening;
    const end = indexOr(this.line, "'", start);
    this.add(this.line.slice(start, end));
    this.at = end + 1;
  }

  private doubleQuoted(): void {
    this.add('');
    this.at++;
    while (this.at < this.line.length) {
      const char = this.char();
      if (char === '"') break;
      if (char === '\\') {
        const escaped = this.char(1);
        this.add(/[$`"\\]/.test(escaped) ? escaped : `\\${escaped}`);
        this.at += 2;
      } else if (char === '$') this.dollar();
      else if (char === '`') this.backtick();
      else {
        this.add(char);
        this.at++;
      }
    }
    this.at++;
  }

  private dollar(): void {
    if (this.char(1) === '(') {
      this.at += 2;
      this.nested(')');
      return;
    }
    const named = /^\$(?:\{(\w+|[@*])[^}]*\}|(\w+|[@*]))/.exec(
      this.line.slice(this.at, this.at + LONGEST_NAME),
    );
    const name = named?.[1] ?? named?.[2];
    // Also in quotes: of a variable that goes through `tests/*` nobody knows what it holds.
    this.expand(name === undefined ? '$' : (this.variables.get(name) ?? `$${name}`));
    this.at += named?.[0].length ?? 1;
  }

  private backtick(): void {
    this.at++;
    if (this.subshells.at(-1)?.close !== '`') return this.nested('`');
    this.endCommand();
    this.leave('`');
  }

  /** What it prints is unknown; what it does is not. */
  private nested(close: string): void {
    const { open, subshells } = this;
    this.open = this.begin();
    this.enter(close);
    while (this.at < this.line.length && this.subshells.length > subshells.length) this.step(this.char());
    this.endCommand();
    this.open = open;
    this.subshells = subshells;
    this.add('$()');
  }

  private enter(close: string): void {
    if (this.subshells.length === DEEPEST) this.at = this.line.length;
    else this.subshells = [...this.subshells, { id: ++this.opened, close }];
  }

  private leave(close: string): void {
    if (this.subshells.at(-1)?.close === close) this.subshells = this.subshells.slice(0, -1);
  }

  private pipe(): void {
    const { pipeline } = this.open;
    const next = this.char(1);
    this.endCommand();
    if (next !== '|') this.open.pipeline = pipeline;
    this.at += next === '|' || next === '&' ? 2 : 1;
  }

  private redirect(before: number): void {
    const [operator, role] = redirectionAt(this.line, this.at + before);
    // Digits in front of it are the number of a stream.
    if (this.open.word !== null && /^\d+$/.test(this.open.word.text)) this.open.word = null;
    else this.endWord();
    this.at += before + operator.length;
    if (role === 'command') this.nested(')');
    else this.open.next = role;
  }

  private endWord(): void {
    const { word, next } = this.open;
    if (word === null) return;
    this.open.word = null;
    this.open.next = 'argument';
    switch (next) {
      case 'argument':
        this.open.words.push(...alternatives(word));
        break;
      case 'output':
      case 'append':
        // `2>&1` and `>&-` name a stream, not a file.
        if (!/^(?:\d+|-)$/.test(word.text))
          for (const one of alternatives(word))
            this.open.outputs.push({ ...one, appends: next === 'append' });
        break;
      case 'text':
        this.open.input += `${word.text}\n`;
        break;
      case 'ending':
      case 'tabbed-ending':
        this.open.endings.push({ word: word.text, tabs: next === 'tabbed-ending' });
        break;
      case 'source':
      case 'command':
    }
  }

  private endCommand(): void {
    this.endWord();
    this.takeDocuments();
    const { words, outputs, input, pipeline } = this.open;
    if (words.length + outputs.length > 0) {
      this.commands.push({ words, outputs, input, pipeline, subshells: this.subshells.map(({ id }) => id) });
      const texts = words.map(({ text }) => text);
      for (const [name, value] of assignedBy(texts, this.variables.get('@') ?? '$@'))
        if (value.length <= LONGEST_VALUE) this.variables.set(name, value);
    }
    this.open = this.begin();
  }

  /** The command that is just ending gets what its here-documents hold, which begins on the next line. */
  private takeDocuments(): void {
    const { open } = this;
    for (const { word, tabs } of open.endings) {
      const from = this.resume === -1 ? indexOr(this.line, '\n', this.at) + 1 : this.resume;
      const end = documentEnd(this.line, from, word, tabs);
      open.input += this.line.slice(from, end.body);
      this.resume = end.after;
    }
  }
}
