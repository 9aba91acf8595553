/**
 * Reads a *plain* line of shell: simple commands of literal words, with redirections, joined by the usual
 * separators. We don't read shell beyond that: of any other line only its text counts (`raw-text.ts`).
 * `test/fuzz/plain-lines` compares this reader with bash.
 */
import { matchOneOf } from '#base/words/word-list.ts';

export interface Word {
  readonly text: string;
  /** Whether it holds a wildcard that the shell would expand. */
  readonly wild: boolean;
}

export interface PlainCommand {
  /** Without assignments in front. */
  readonly words: Word[];
  /** The files that redirections write. `appends`: by `>>`, which keeps the content. */
  readonly outputs: (Word & { readonly appends: boolean })[];
  /** Here-documents: what it reads from its input. */
  given: string;
  /**
   * The folders that it may run in, relative to where the line began: a `cd` may have failed, unless `&&`
   * follows it.
   */
  folders: readonly string[];
}

interface OpenWord {
  text: string;
  wild: boolean;
  /**
   * The same with a NUL for each quoted part: only unquoted text can be a keyword, an assignment or a stream.
   */
  bare: string;
}

/**
 * The pieces of a plain line. Where none of them fits, the line is not plain: `$`, a backquote, brackets,
 * braces, `!`, a line that is continued. A commit message as agents are told to write it, by `cat` and a
 * here-document, is a literal word.
 */
const PIECES = [
  /(?<blank>[ \t]+)/u,
  /"\$\(cat <<'(?<end>[A-Z]+)'\n(?<message>[^]*?)\n\k<end>\n\)"/u,
  /<< ?(?:'(?<document>\w+)'|"(?<doc>\w+)")(?=[ \t\n;&|<>]|$)/u,
  /(?<redirection>&>>?|>[>|&]?|<(?!<)[>&]?)/u,
  /(?<separator>&&|\|\||\|&|[;|&\n])/u,
  /'(?<single>[^']*)'/u,
  /"(?<double>[^"\\$`]*(?:\\[^\n][^"\\$`]*)*)"/u,
  /\\(?<escaped>[^\n])/u,
  /(?<hash>#)/u,
  /(?<tilde>~)/u,
  /(?<wild>[*?[])/u,
  /(?<literal>(?:[\w./,:@%+^=\]-]|[^\0-\x7f])+)/u,
];
const PIECE = new RegExp(PIECES.map(({ source }) => source).join('|'), 'uy');
/** Some shells treat these as blanks, others as text. */
const CONTROL = /[^\P{Cc}\t\n]/u;
/** Words that begin something other than a simple command, in bash or in zsh. */
const RESERVED = matchOneOf(`
  if then else elif fi for foreach while until repeat do done case esac in end select function time
  coproc nocorrect noglob -
`);
/** What decides where `cd` and `~` lead, and how the rest is read. */
export const DECIDES =
  /^(?:PATH|HOME|CDPATH|PWD|OLDPWD|IFS|ENV|SHELLOPTS|POSIXLY_CORRECT|GLOBIGNORE|BASH\w*|LD_\w*)\+?=/;
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
/** More folders are not a plain line: each costs a look at the disk. */
const MAX_FOLDERS_TRIED = 16;

/** Null: the line is not plain. `home`: what `~` stands for. */
export function readPlain(line: string, home: string): PlainCommand[] | null {
  return CONTROL.test(line) ? null : new PlainReader(line, home).read();
}

class PlainReader {
  private readonly commands: { command: PlainCommand; isAnd: boolean }[] = [];
  private open = emptyCommand();
  private hasAssigned = false;
  private word: OpenWord | null = null;
  /** The redirection that waits for its word. */
  private into: string | null = null;
  private readonly documents: { readonly of: PlainCommand; readonly end: string }[] = [];
  private at = 0;
  private readonly line: string;
  private readonly home: string;

  constructor(line: string, home: string) {
    this.line = line;
    this.home = home;
  }

  read(): PlainCommand[] | null {
    while (this.at < this.line.length) {
      PIECE.lastIndex = this.at;
      const piece = PIECE.exec(this.line);
      if (piece === null) return null;
      this.at = PIECE.lastIndex;
      if (!this.take(piece.groups ?? {}, piece[0])) return null;
    }
    return this.endCommand('') && this.documents.length === 0 ? inFolders(this.commands) : null;
  }

  private take(piece: Readonly<Record<string, string | undefined>>, text: string): boolean {
    const { single, message, double, escaped, literal, redirection, separator } = piece;
    const end = piece['end'] ?? piece['document'] ?? piece['doc'] ?? '';
    // The first line that is the end word ends it, and the shell drops empty lines at the end.
    if (message !== undefined && (`\n${message}\n`.includes(`\n${end}\n`) || message.endsWith('\n')))
      return false;
    const quoted = single ?? message ?? escaped ?? double?.replace(/\\([\\"$`])/g, '$1');
    if (quoted !== undefined)
      return (this.documents.length === 0 || !quoted.includes('\n')) && this.add(quoted, '\0');
    if (literal !== undefined) return this.add(literal, literal);
    if (piece['wild'] !== undefined) return this.add(text, text, true);
    if (piece['tilde'] !== undefined) return this.takeTilde();
    if (piece['hash'] !== undefined) return this.takeHash();
    if (redirection !== undefined) return this.redirect(redirection);
    if (separator !== undefined)
      return this.endCommand(separator) && (separator !== '\n' || this.skipDocuments());
    if (end !== '') {
      // A number in front would be the stream that reads it.
      if (this.word !== null || this.into !== null) return false;
      this.documents.push({ of: this.open, end });
    }
    return this.endWord();
  }

  private add(text: string, bare: string, wild = false): boolean {
    this.word ??= { text: '', wild: false, bare: '' };
    this.word.text += text;
    this.word.bare += bare;
    this.word.wild ||= wild;
    return true;
  }

  private takeTilde(): boolean {
    if (this.word !== null) return !/[:=]$/.test(this.word.bare) && this.add('~', '~');
    return /[/ \t\n;&|<>]|^$/.test(this.line.charAt(this.at)) && this.add(this.home, '\0');
  }

  private takeHash(): boolean {
    if (this.word !== null) return this.add('#', '#');
    const end = this.line.indexOf('\n', this.at);
    this.at = end === -1 ? this.line.length : end;
    return true;
  }

  private redirect(operator: string): boolean {
    const { word } = this;
    if (word !== null && /^\d+$/.test(word.bare) && !operator.startsWith('&')) {
      // A larger number is not a stream in bash.
      if (word.bare.length > 3) return false;
      this.word = null;
    }
    if (!this.endWord() || this.into !== null) return false;
    this.into = operator;
    return true;
  }

  private endWord(): boolean {
    const { open, word, into } = this;
    if (word === null) return true;
    this.word = null;
    const { text, wild, bare } = word;
    // In zsh, `=name` is the path of a program.
    if (/^=./.test(bare)) return false;
    if (into !== null) {
      this.into = null;
      // `2>&1` and `>&-` name a stream. Of the name of a file behind `>&`, bash removes quotes twice.
      if (into.endsWith('&')) return /^(?:\d+|-)$/.test(bare);
      if (into.includes('>')) open.outputs.push({ ...wordOf(word), appends: into.endsWith('>>') });
      return true;
    }
    if (open.words.length === 0) {
      if ((wild && bare !== '[') || RESERVED.test(bare) || DECIDES.test(bare)) return false;
      // A value of several words may be a command: `PAGER="git push"`.
      if (ASSIGNMENT.test(bare)) return (this.hasAssigned = !/\s/.test(text));
      if (bare.includes('=')) return false;
    }
    open.words.push(wordOf(word));
    return true;
  }

  private endCommand(separator: string): boolean {
    if (!this.endWord() || this.into !== null) return false;
    const { open } = this;
    if (open.words.length > 0 || open.outputs.length > 0)
      this.commands.push({ command: open, isAnd: separator === '&&' });
    // An assignment alone would hold for the rest of the line.
    if (this.hasAssigned && open.words.length === 0) return false;
    this.open = emptyCommand();
    this.hasAssigned = false;
    return true;
  }

  private skipDocuments(): boolean {
    for (const { of, end } of this.documents.splice(0)) {
      const body = `\n${this.line.slice(this.at)}\n`;
      const length = body.indexOf(`\n${end}\n`);
      if (length === -1) return false;
      of.given += body.slice(1, length + 1);
      this.at = Math.min(this.line.length, this.at + length + end.length + 1);
    }
    return true;
  }
}

/** Bounded: otherwise a row of `[` would be read again from each of them. */
const CLASS = /\[[^\]/]{1,100}\]/g;

/** Our patterns know no `[a-z]`: it becomes `?`. */
function wordOf({ text, wild }: OpenWord): Word {
  return { text: wild ? text.replace(CLASS, '?') : text, wild };
}

function emptyCommand(): PlainCommand {
  return { words: [], outputs: [], given: '', folders: [''] };
}

/** Where each command may run. Null: not plain, because nobody knows where a `cd` leads. */
function inFolders(
  read: readonly { readonly command: PlainCommand; readonly isAnd: boolean }[],
): PlainCommand[] | null {
  let here: readonly string[] = [''];
  let possible: readonly string[] = here;
  for (const { command, isAnd } of read) {
    command.folders = here;
    const [name, ...args] = command.words.map(({ text }) => text);
    if (name === 'cd') {
      const [to] = args;
      if (to === undefined || args.length > 1 || to.startsWith('-') || command.words[1]?.wild) return null;
      here = here.map((folder) => inFolder(folder, to));
      possible = [...new Set([...possible, ...here])];
      if (possible.length > MAX_FOLDERS_TRIED) return null;
    }
    if (!isAnd) here = possible;
  }
  return read.map(({ command }) => command);
}

export function inFolder(folder: string, path: string): string {
  if (path === '') return folder;
  return folder === '' || /^(?:[/\\]|\w:)/.test(path) ? path : `${folder}/${path}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function programName(text: string): string {
  return baseName(text)
    .replace(/\.exe$/i, '')
    .toLowerCase();
}
