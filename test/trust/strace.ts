/**
 * A program under `strace`, which kills it at one system call or lets that call fail. Calls are counted by
 * name, in the main thread alone: other threads and the programs that it starts run as always.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beginHook, type Environment, type Payload, type Program, type Run } from '../programs/program.ts';
import { kill, processesAt } from '../processes.ts';

/** What changes something outside of the process. */
const CHANGING =
  'write writev pwrite64 pwritev ftruncate fsync fdatasync openat mkdir rmdir rename renameat2 link symlink ' +
  'unlink unlinkat chmod fchmod copy_file_range connect sendto sendmsg clone vfork kill socketpair pipe2';

export interface Call {
  readonly name: string;
  /** Counted from one, among the calls of this name. */
  readonly nth: number;
  /** What it does, the same in every run: no number, no id. Equal calls are numbered. */
  readonly what: string;
  readonly opens: 'to read' | 'to write' | null;
}

/** What happens at the call. `stays`: at each later one as well, on the files of the record alone. */
export type Strike =
  | { readonly at: Call; readonly signal: 'KILL' }
  | { readonly at: Call; readonly error: string; readonly stays?: true };

export interface Started {
  readonly args: readonly string[];
  readonly input: Payload | null;
  readonly cwd: string;
  readonly env: Environment;
}

/** Null: this machine lets no process trace another one. */
export function whyNoTrace(): string | null {
  const { status, stderr, error } = spawnSync('strace', ['-o', '/dev/null', 'true'], { encoding: 'utf8' });
  if (error !== undefined) return error.message;
  return status === 0 ? null : stderr.trim();
}

/** On a busy machine too. A Node whose own pipe fails may hang for good. */
const LONGEST_MS = 60_000;

/** How it ended, and its calls, the one that was struck last. */
export async function traced(
  { args, input, cwd, env }: Started,
  hook: Program,
  strike: Strike | null,
): Promise<{ readonly run: Run; readonly calls: readonly Call[]; readonly isHung: boolean }> {
  const log = `${hook.root}.strace`;
  const names = strike?.at.name ?? CHANGING.replaceAll(' ', ',');
  const how = [
    '-y',
    '-s',
    '24',
    '-o',
    log,
    '-e',
    `trace=${names}`,
    ...(strike ? injected(strike, hook) : []),
  ];
  const begun = beginHook('strace', [...how, process.execPath, ...args], input, { cwd, env });
  let isHung = false;
  const late = setTimeout(() => {
    isHung = true;
    for (const pid of processesAt(hook.root)) kill(pid);
  }, LONGEST_MS);
  const run = await begun.ended;
  clearTimeout(late);
  const calls = callsIn(readFileSync(log, 'utf8'), hook.root);
  rmSync(log);
  return { run, calls, isHung };
}

function injected(strike: Strike, hook: Program): string[] {
  const { name, nth } = strike.at;
  if ('signal' in strike) return ['-e', `inject=${name}:signal=${strike.signal}:when=${nth}`];
  if (!strike.stays) return ['-e', `inject=${name}:error=${strike.error}:when=${nth}`];
  const record = [join(hook.loopDir(), 'journal.jsonl'), join(hook.home, 'hook.log')];
  return [
    ...record.flatMap((path) => ['-P', path]),
    '-e',
    `inject=${name}:error=${strike.error}:when=${nth}+`,
  ];
}

function callsIn(log: string, root: string): Call[] {
  const ofName = new Map<string, number>();
  const ofKind = new Map<string, number>();
  const next = (counts: Map<string, number>, key: string) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
  return log.split('\n').flatMap((line) => {
    const [, name = '', rest = ''] = /^([a-z]\w+)\((.*)$/.exec(line) ?? [];
    if (name === '') return [];
    const words = rest.replace(/\)? += [^=]*$/, '').replaceAll(root, '');
    const kind = `${name}(${MADE.has(name) ? '' : steady(words)})`;
    const opens = name !== 'openat' ? null : /O_(?:WRONLY|RDWR|CREAT)/.test(rest) ? 'to write' : 'to read';
    // How often the processes of a run are told to its watchdog depends on when they end.
    const what = kind.includes(PIDS) ? kind : `${kind} ${next(ofKind, kind)}`;
    return [{ name, nth: next(ofName, name), what, opens }];
  });
}

const PIDS = 'PIDS';
/** What they make has other numbers each time. */
const MADE = new Set(['clone', 'vfork', 'socketpair', 'pipe2', 'kill']);

/** Without what differs from run to run. */
function steady(words: string): string {
  return words
    .replace(/ <unfinished.*/, '')
    .replace(/^1</, 'STDOUT<')
    .replace(/^2</, 'STDERR<')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'SESSION')
    .replace(/RALPH_\d+_\w+/g, 'LOOP')
    .replace(/dacapo-([a-z]+)-\w{6}/g, 'dacapo-$1-RANDOM')
    .replace(/machine\.\w+\.new/g, 'machine.ID.new')
    .replace(/prompts\/\w+\.md/g, 'prompts/KEY.md')
    .replace(/(outbox\/\.?)[\w-]+\.json/g, '$1MESSAGE.json')
    .replace(/(machine\.ID\.new>, ")\w+/, '$1ID')
    .replace(/(contents\\":\\")[0-9a-f]+/, '$1HASH')
    .replace(/[0-9a-f]{40,64}/g, 'HASH')
    .replace(/"H4sI[^"]*"/, 'ZIPPED')
    .replace(/"(?:-?\d+ ?)*\\n"/, PIDS)
    .replace(/0x[0-9a-f]+|\d+/g, '#');
}

/**
 * Those that matter: what a Node does by itself, before it comes to our files and in between, is left out.
 * Its signals and its threads wake each other by pipes and counters.
 */
export function ofOurs(calls: readonly Call[]): Call[] {
  const first = calls.findIndex(({ what }) => /"\/(?:dacapo|project)|\/dist\/[\w-]+\.cjs/.test(what));
  return calls.slice(Math.max(first, 0)).filter(({ what, opens }) => {
    // Nobody can answer where Node can't read the file that it was told to run.
    if (opens !== null)
      return /"\/(?:dacapo|project|scratch)|\/dist\/(?!hook\.|cli\.|program\.)[\w-]+\.cjs/.test(what);
    return !/^write\(#<(?:anon_inode|pipe)/.test(what);
  });
}
