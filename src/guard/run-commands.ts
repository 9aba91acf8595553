/** All commands that a shell line plainly runs, also those that it gives to other programs as text. */
import { spellingOf, type Spelling } from './fits-command.ts';
import { onlyReads } from './shell-acts.ts';
import { readShell, type Command, type Variables } from './shell.ts';
import { verbOf } from './verbs.ts';

export interface Runs {
  /** Each command, as it is written and without what precedes it. */
  readonly lines: readonly string[];
  /** The words of each command. `runs`: it may run a command that is among its words. */
  readonly commands: readonly (Spelling & { readonly runs: boolean })[];
  /** Text that a program runs, as a line of shell. */
  readonly scripts: readonly string[];
  /** The same without quotes and brackets: `['git', 'push']` in a program is `git push`. */
  readonly code: readonly string[];
  /** Code of languages that open files by name. */
  readonly programs: readonly string[];
}

/** Programs that run commands or code which they get as text. */
const RUNS_TEXT =
  /^(?:(?:ba|z|da|k|fi)?sh|eval|source|\.|alias|xargs|parallel|find|ssh|watch|su|runuser|script|expect|trap|python[\d.]*|pypy\d?|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|[gm]?awk|osascript|pwsh|powershell|tmux|screen|at|batch|crontab|docker|podman|make|n?vim?|ed|ex|emacs|nodemon|concurrently|nix-shell|git (?:rebase|submodule|bisect|filter-branch|config|for-each-repo))$/;
const LANGUAGE =
  /^(?:python[\d.]*|pypy\d?|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|osascript|pwsh|powershell)$/;
/** `npm exec -c "…"` and the like. */
const EXEC = /^(?:exec|x|dlx)$/;
/** A command in a command in a command is no plain line any more. */
const DEEPEST = 4;
const MOST_WORDS = 60;
/** In characters, of all texts that are read. A hook that takes too long is not waited for. */
const MOST_TEXT = 256 * 1024;
/** What a short text costs to read, in characters. */
const EACH = 500;

/** Throws if the line holds too much to be read. Then nobody knows what it runs. */
export function commandsRunBy(line: string, variables: Variables): Runs {
  return collect(line, variables, 0, { left: MOST_TEXT });
}

function collect(line: string, variables: Variables, depth: number, room: { left: number }): Runs {
  room.left -= line.length + EACH;
  if (room.left < 0) throw new Error('it runs too many other commands');
  const found: Runs[] = [{ ...NOTHING, lines: [oneSpaced(line)] }];
  /** Words of this pipeline's earlier commands, which the next one may run. */
  let piped: string[] = [];
  for (const command of readShell(line, new Map(variables))) {
    if (!command.piped) piped = [];
    const { verb, args } = verbOf(command);
    const texts = args.slice(0, MOST_WORDS).map(({ text }) => text);
    const runsText = RUNS_TEXT.test(verb) || EXEC.test(texts[0] ?? '');
    const given = [...piped, ...linesOf(command.given)];
    const scripts = [
      ...command.lead.map(({ text }) => text).filter(isSeveral),
      ...(runsText ? [...texts, command.given, ...piped].filter(isSeveral) : []),
      // What `xargs` gets as input stands behind its own words, and what `sh` gets is a line.
      ...(runsText && given.length > 0 ? [[...texts, ...given].join(' '), given.join(' ')] : []),
      ...aliases(command),
    ];
    found.push({
      lines: [...waysToSay(command), ...(runsText ? texts.map((_, at) => texts.slice(at).join(' ')) : [])],
      commands: [{ ...spellingOf(command.words), runs: !onlyReads(verb, texts) }],
      scripts,
      code: scripts.flatMap((text) => [oneSpaced(text), oneSpaced(text.replace(/["'`,()[\]{}]+/g, ' '))]),
      programs: LANGUAGE.test(verb) ? [...texts, ...given].filter((text) => /[\s(]/.test(text)) : [],
    });
    if (depth < DEEPEST) found.push(...scripts.map((text) => collect(text, variables, depth + 1, room)));
    piped = [...piped, ...texts, ...linesOf(command.given)].slice(-MOST_WORDS);
  }
  return {
    lines: found.flatMap(({ lines }) => lines),
    commands: found.flatMap(({ commands }) => commands),
    scripts: found.flatMap(({ scripts }) => scripts),
    code: found.flatMap(({ code }) => code),
    programs: found.flatMap(({ programs }) => programs),
  };
}

const NOTHING: Runs = { lines: [], commands: [], scripts: [], code: [], programs: [] };

function isSeveral(text: string): boolean {
  return /\s/.test(text);
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** As written, without `sudo` and the like, and without the path of the program and git's own options. */
function waysToSay(command: Command): string[] {
  const own = command.words.map(({ text }) => text);
  const { verb, args } = verbOf(command);
  return [
    [...command.lead.map(({ text }) => text), ...own].join(' '),
    own.join(' '),
    [verb, ...args.map(({ text }) => text)].join(' '),
  ].map(oneSpaced);
}

/** `git -c alias.p=push p` and `git config alias.p push`: what the new word stands for. */
function aliases({ words }: Command): string[] {
  if (!words.some(({ text }) => text.startsWith('alias.'))) return [];
  return words.slice(0, MOST_WORDS).flatMap(({ text }, at) => {
    const [, value] = /^alias\.[^=]+=(.*)$/s.exec(text) ?? [];
    const meant = value ?? (words[at - 1]?.text.startsWith('alias.') ? text : '');
    if (meant === '') return [];
    return [meant.startsWith('!') ? meant.slice(1) : `git ${meant}`];
  });
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
