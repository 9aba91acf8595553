/**
 * The only module that runs git. Each call has a deadline, and no git outlives this process. No word from
 * elsewhere can become an option (`words.ts`). A repository's
 * own settings can run programs: we switch them off here, and filters in `filters.ts`. Only `relay.ts` and
 * the clones of a fleet use the network. File names need not be UTF-8: git's output is given as bytes, one
 * per character. `readable` converts it for people.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { beginWithUs } from '#base/process/end-with-us.ts';
import { endGently, endGroup } from '#base/process/family.ts';
import { matchOneOf } from '#base/words/word-list.ts';
import type { GitWord, GitWords } from './words.ts';

/** A call of git in some place. The compiler checks its words (`words.ts`). */
export type AskGit<More = void> = <const Words extends readonly GitWord[]>(
  args: GitWords<Words>,
  ...more: More extends void ? [] : [more?: More]
) => Promise<GitAnswer>;

export interface GitOptions {
  readonly at: string;
  readonly env?: Readonly<Record<string, string>>;
  /** As bytes, one per character. */
  readonly input?: string;
  readonly ms?: number;
  readonly mostBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

export type GitAnswer =
  | {
      readonly is: 'said';
      readonly code: number;
      /** As bytes, one per character. */
      readonly out: string;
      readonly complaint: string;
    }
  | { readonly is: 'unanswered'; readonly why: 'no-git' | 'too-long' | 'too-much' | 'aborted' | 'killed' };

/** Even a repository on a slow disk answers in this time; after it we give up. */
const USUAL_MS = 60_000;
/** Enough for a list of some 500,000 files. */
const USUAL_BYTES = 64 * 1024 * 1024;
const MAX_COMPLAINT_CHARS = 4_000;
/** The time between SIGTERM, on which git removes its locks, and SIGKILL. */
const GRACE_MS = 1_000;

const SAFE = [
  '--no-pager',
  // Paths are literal names: no globs, no pathspec magic.
  '--literal-pathspecs',
  ...[
    'core.fsmonitor=false',
    // An empty value would name the root of the file system: git would look for `/pre-commit`.
    'core.hooksPath=/dev/null',
    // A bare repository inside a project is data, so git must not take its settings from it.
    'safe.bareRepository=explicit',
    // Both would run `gpg.program`.
    'log.showSignature=false',
    'merge.verifySignatures=false',
    // Git writes nothing besides what we asked for.
    'core.splitIndex=false',
    'gc.auto=0',
    'maintenance.auto=false',
    'submodule.recurse=false',
    'core.safecrlf=false',
    'core.quotePath=false',
    'advice.detachedHead=false',
  ].flatMap((setting) => ['-c', setting]),
];

/**
 * Commands that may compare files: each would run the programs of `diff.external`, `diff.*.command` and
 * `diff.*.textconv`.
 */
const COMPARES = /^(?:diff|diff-files|diff-index|diff-tree|log|show)$/;

/** In the place of whoever calls: nobody can forget it. */
function withoutPrograms([command = '', ...args]: readonly string[]): string[] {
  return COMPARES.test(command) ? [command, '--no-ext-diff', '--no-textconv', ...args] : [command, ...args];
}

/** Git itself may have started us, with another repository in the environment. */
const ANOTHERS = matchOneOf(`
  GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_COMMON_DIR GIT_NAMESPACE GIT_OBJECT_DIRECTORY
  GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_EXTERNAL_DIFF GIT_CONFIG GIT_SHALLOW_FILE GIT_GRAFT_FILE
  GIT_REPLACE_REF_BASE GIT_(?:NO)?GLOB_PATHSPECS GIT_ICASE_PATHSPECS GIT_TRACE.*
`);

/**
 * No program that git starts, such as a filter or a credential helper, needs the database of a fleet or a
 * model.
 */
const SECRETS = /^(DACAPO_FLEET|PG[A-Z].*|.*_API_KEY)$/;

/**
 * A terminal sends Ctrl-C to its whole process group. Our git gets a group of its own, but between fork and
 * `setsid` it is still in the terminal's: a signal at that moment ends it before it has begun. Git has done
 * nothing then, so we start it again.
 */
const FROM_THE_TERMINAL: readonly (NodeJS.Signals | null)[] = ['SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGTERM'];
/** Enough for a person who holds Ctrl-C down. */
const MAX_STARTS = 50;

/** What git itself exits with if it does not know an option. */
const USAGE_EXIT = 129;

export async function git<const Words extends readonly GitWord[]>(
  args: GitWords<Words>,
  options: GitOptions,
): Promise<GitAnswer> {
  const written = writeWords(args);
  if (written.is === 'option') {
    const complaint = `${JSON.stringify(written.operand)} begins with "-": git would read it as an option`;
    return { is: 'said', code: USAGE_EXIT, out: '', complaint };
  }
  for (let left = MAX_STARTS - 1; ; left--) {
    const ended = await startGit(written.words, options);
    if (left === 0 || ended.signal === null || !FROM_THE_TERMINAL.includes(ended.signal)) return ended.answer;
  }
}

/** As git takes them, or the operand that git would read as an option. */
export function writeWords(
  words: readonly GitWord[],
):
  | { readonly is: 'written'; readonly words: string[] }
  | { readonly is: 'option'; readonly operand: string } {
  const written: string[] = [];
  for (const word of words) {
    if (typeof word !== 'string' && word.operand.startsWith('-'))
      return { is: 'option', operand: word.operand };
    written.push(typeof word === 'string' ? word : word.operand);
  }
  return { is: 'written', words: written };
}

function startGit(args: readonly string[], options: GitOptions) {
  return new Promise<{ answer: GitAnswer; signal: NodeJS.Signals | null }>((resolve) => {
    if (options.signal?.aborted)
      return resolve({ answer: { is: 'unanswered', why: 'aborted' }, signal: null });
    const [child, hasEnded] = beginGit(args, options);
    let why: Extract<GitAnswer, { is: 'unanswered' }>['why'] | null = null;
    let cancelKill = () => {};
    const end = (reason: typeof why) => {
      if (why !== null) return;
      why = reason;
      const steps = [() => endGroup(child, 'SIGTERM'), () => endGroup(child, 'SIGKILL'), leave];
      cancelKill = endGently(steps, GRACE_MS);
    };
    /** On a dead network mount no signal reaches git, and a program that it started may hold its pipes. */
    const leave = () => {
      child.unref();
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      give({ is: 'unanswered', why: why ?? 'killed' });
    };
    const abort = () => end('aborted');
    options.signal?.addEventListener('abort', abort);
    const late = setTimeout(() => end('too-long'), options.ms ?? USUAL_MS);
    const give = (answer: GitAnswer, signal: NodeJS.Signals | null = null) => {
      clearTimeout(late);
      cancelKill();
      hasEnded();
      options.signal?.removeEventListener('abort', abort);
      resolve({ answer, signal });
    };

    const said = keepSaid(child, options.mostBytes ?? USUAL_BYTES, () => end('too-much'));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input, 'latin1');
    child.on('error', () => give({ is: 'unanswered', why: 'no-git' }));
    child.on('close', (code, signal) => {
      if (why !== null) give({ is: 'unanswered', why });
      // Another process killed git. Don't read this as "no repository".
      else if (code === null) give({ is: 'unanswered', why: 'killed' }, signal);
      else give({ is: 'said', code, ...said() });
    });
  });
}

function beginGit(args: readonly string[], options: GitOptions) {
  const words = ['-C', options.at, ...SAFE, ...withoutPrograms(args)];
  const env = { ...environment(), ...options.env };
  return beginWithUs(() =>
    spawn('git', words, {
      // Windows looks for programs in the current folder first, which would be the project.
      cwd: dirname(process.execPath),
      env,
      // A process group of its own: Ctrl-C in the terminal must not interrupt a commit.
      detached: process.platform !== 'win32',
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    }),
  );
}

/** Collects what git says. Calls back if it says more than it may. */
function keepSaid(child: ChildProcess, mostBytes: number, tooMuch: () => void) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) tooMuch();
    else chunks.push(chunk);
  });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    if (complaint.length < MAX_COMPLAINT_CHARS) complaint = (complaint + chunk).slice(0, MAX_COMPLAINT_CHARS);
  });
  return () => ({ out: Buffer.concat(chunks).toString('latin1'), complaint });
}

function environment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !ANOTHERS.test(name) && !SECRETS.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    // A look must not write: `git status` would refresh the index.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // A partial clone would fetch missing objects, with any program that its settings name.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    // `git replace` would show another content for the same id.
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

/**
 * Git holds a lock for milliseconds; for the index of a large project, a second or two. A lock left by a
 * crash stays.
 */
const WAITS_MS: readonly number[] = [25, 50, 100, 200, 400, 800, 1_600];

const IN_THE_WAY = /\.lock'?: File exists|failed to read \S+\/commondir: /;

/**
 * Repeats a command that lost a race with another git process in the same repository. Git gives up at once if
 * a lock is taken, and `worktree add` dies on a half-made worktree (its `commondir` exists and is still
 * empty). Both leave things as they were, so we can simply ask again.
 */
export async function askPatiently(
  ask: () => Promise<GitAnswer>,
  /** From 0 up to, not including, 1. Random waits keep two processes from colliding again. */
  chance: () => number = Math.random,
): Promise<GitAnswer> {
  let answer = await ask();
  for (const wait of WAITS_MS) {
    if (answer.is !== 'said' || answer.code === 0 || !IN_THE_WAY.test(answer.complaint)) return answer;
    await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + chance())));
    answer = await ask();
  }
  return answer;
}

export function saidBy(answer: GitAnswer): string | null {
  return answer.is === 'said' && answer.code === 0 ? answer.out : null;
}

export function fieldsOf(out: string): string[] {
  const fields = out.split('\0');
  if (fields.at(-1) === '') fields.pop();
  return fields;
}

export function readable(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

export function bytesOf(name: string): string {
  return Buffer.from(name, 'utf8').toString('latin1');
}

export function fileAt(root: string, bytes: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`, 'utf8'), Buffer.from(bytes, 'latin1')]);
}

/** Undefined: there is nothing, or nothing that can be looked at. */
export function statAt(root: string, bytes: string): Stats | undefined {
  try {
    return lstatSync(fileAt(root, bytes), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
