/**
 * The one door to git. A repository's own settings can run programs: hooks and fsmonitor are off here, filters by
 * `filters.ts`, and whatever is asked is plumbing that knows no pager, no external diff and no network.
 * Names need not be UTF-8: what git says is given as bytes, one a character, and `readable` is for people.
 */
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { endGently, endGroup } from '../process/group.ts';

export interface GitOptions {
  /** The folder that git looks from. */
  readonly at: string;
  readonly env?: Readonly<Record<string, string>>;
  /** As bytes, one a character. */
  readonly input?: string;
  readonly ms?: number;
  readonly mostBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

export type GitAnswer =
  | {
      readonly is: 'said';
      readonly code: number;
      /** As bytes, one a character. */
      readonly out: string;
      readonly complaint: string;
    }
  | { readonly is: 'unanswered'; readonly why: 'no-git' | 'too-long' | 'too-much' | 'aborted' | 'killed' };

/** A repository on a slow disk answers in this time; one that does not is not waited for. */
const USUAL_MS = 60_000;
/** The list of some 500,000 files. */
const USUAL_BYTES = 64 * 1024 * 1024;
const COMPLAINT_KEPT = 4_000;
/** Between asking git to end, which removes its locks, and making it. */
const GRACE_MS = 1_000;

const SAFE = [
  '--no-pager',
  // A name is a name: no pattern, no magic.
  '--literal-pathspecs',
  ...[
    'core.fsmonitor=false',
    // Empty, it would name the root of the file system: git then looks for `/pre-commit`.
    'core.hooksPath=/dev/null',
    // A bare repository inside a project is somebody's data, not our settings.
    'safe.bareRepository=explicit',
    // Nothing is written beside what was asked for.
    'core.splitIndex=false',
    'gc.auto=0',
    'maintenance.auto=false',
    'submodule.recurse=false',
    'core.safecrlf=false',
    'core.quotePath=false',
    'advice.detachedHead=false',
  ].flatMap((setting) => ['-c', setting]),
];

/** Whoever started us may be git itself, with another repository in its environment. */
const ANOTHERS =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|EXTERNAL_DIFF|CONFIG|SHALLOW_FILE|GRAFT_FILE|REPLACE_REF_BASE|(NO)?GLOB_PATHSPECS|ICASE_PATHSPECS|TRACE.*)$/;

/**
 * A terminal sends Ctrl-C to its whole group. Our git has a group of its own, but is still in the terminal's between fork
 * and `setsid`: a signal of that moment ends it before it has begun. Git has done nothing then, so it is started again.
 */
const FROM_THE_TERMINAL: readonly (NodeJS.Signals | null)[] = ['SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGTERM'];
/** Someone holds Ctrl-C down. */
const STARTS = 50;

export async function git(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  for (let left = STARTS - 1; ; left--) {
    const ended = await start(args, options);
    if (left === 0 || ended.signal === null || !FROM_THE_TERMINAL.includes(ended.signal)) return ended.answer;
  }
}

interface Ended {
  readonly answer: GitAnswer;
  /** What ended it, where that was not us. */
  readonly signal: NodeJS.Signals | null;
}

function start(args: readonly string[], options: GitOptions): Promise<Ended> {
  return new Promise((resolve) => {
    if (options.signal?.aborted)
      return resolve({ answer: { is: 'unanswered', why: 'aborted' }, signal: null });
    const child = spawn('git', ['-C', options.at, ...SAFE, ...args], {
      // Windows looks for programs in the current folder first, and that would be the project.
      cwd: dirname(process.execPath),
      env: { ...environment(), ...options.env },
      // A group of its own: Ctrl-C in the terminal must not break off a commit.
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let why: Extract<GitAnswer, { is: 'unanswered' }>['why'] | null = null;
    let cancelKill = () => {};
    const end = (reason: typeof why) => {
      if (why !== null) return;
      why = reason;
      const steps = [() => endGroup(child, 'SIGTERM'), () => endGroup(child, 'SIGKILL')];
      cancelKill = endGently(steps, GRACE_MS);
    };
    const abort = () => end('aborted');
    options.signal?.addEventListener('abort', abort);
    const late = setTimeout(() => end('too-long'), options.ms ?? USUAL_MS);
    const give = (answer: GitAnswer, signal: NodeJS.Signals | null = null) => {
      clearTimeout(late);
      cancelKill();
      options.signal?.removeEventListener('abort', abort);
      resolve({ answer, signal });
    };

    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > (options.mostBytes ?? USUAL_BYTES)) end('too-much');
      else chunks.push(chunk);
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      if (complaint.length < COMPLAINT_KEPT) complaint = (complaint + chunk).slice(0, COMPLAINT_KEPT);
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '', 'latin1');
    child.on('error', () => give({ is: 'unanswered', why: 'no-git' }));
    child.on('close', (code, signal) => {
      if (why !== null) give({ is: 'unanswered', why });
      // By whom ever: that is no answer, and least of all that there is no repository.
      else if (code === null) give({ is: 'unanswered', why: 'killed' }, signal);
      else give({ is: 'said', code, out: Buffer.concat(chunks).toString('latin1'), complaint });
    });
  });
}

function environment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !ANOTHERS.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    // Looking must not write: `git status` would refresh the index.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // A partial clone fetches what it lacks, by whatever program its settings name.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

/** Null where git did not answer, or answered with an error. */
export function saidBy(answer: GitAnswer): string | null {
  return answer.is === 'said' && answer.code === 0 ? answer.out : null;
}

/** What stands between NUL characters. */
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

/** A file of the work tree by its name in git. */
export function fileAt(root: string, bytes: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`, 'utf8'), Buffer.from(bytes, 'latin1')]);
}
