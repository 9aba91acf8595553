/**
 * A fleet for a test: a database, a bare repository, a stand-in host, and workers that are real processes.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import pg from 'pg';
import { CLI } from '../surfaces/cli/box.ts';
import { warmHome } from '../warm.ts';
import { environmentOf, kill, lives, processes, processesBelow, runs } from '../processes.ts';
import { readSubmitLine } from '#surfaces/cli/fleet/submit-line.ts';
import { openDatabase } from '#fleet/database/database.ts';
import { readFleetLoop, readRecord, type FleetLoop } from '#fleet/record.ts';
import { initFleet } from '#fleet/schema/init.ts';
import { submit } from '#fleet/submit.ts';
import type { Event } from '#law/record/events.ts';
import { makeDatabase } from './postgres.ts';

/** A large storm leaves many folders. */
const CLEAN_MS = 600_000;
const HOST = join(import.meta.dirname, 'host.mjs');

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface WorkerProcess {
  readonly name: string;
  readonly process: ChildProcess;
  readonly lines: readonly Record<string, unknown>[];
  /** The first line from now on, or so far, of which this holds. */
  readonly hear: (is: (line: Record<string, unknown>) => boolean) => Promise<Record<string, unknown>>;
  readonly ended: Promise<number | null>;
  /** Everything that it has started dies with it, as when its machine does. */
  readonly die: () => Promise<void>;
}

export interface Pass {
  readonly is: 'begins' | 'ends';
  readonly at: number;
  readonly pid: number;
  readonly cwd?: string;
  readonly budget?: number | null;
  readonly env?: readonly string[];
  readonly cost?: number;
}

export interface Stage {
  readonly root: string;
  readonly url: string;
  readonly repo: string;
  readonly env: Record<string, string>;
  readonly run: (...args: string[]) => Promise<Ran>;
  /** `dacapo fleet …`, which has to go well. */
  readonly fleet: <T>(...args: string[]) => Promise<T>;
  /** The id. */
  readonly submit: (prompt: string, ...flags: string[]) => Promise<string>;
  /** More loops like this one, on branches of their own. Their ids, and its own. */
  readonly copy: (id: string, count: number) => Promise<string[]>;
  readonly status: (id: string) => Promise<FleetLoop>;
  readonly logs: (id: string) => Promise<Event[]>;
  /** The loop, once this holds of it. */
  readonly until: (id: string, is: (loop: FleetLoop) => boolean) => Promise<FleetLoop>;
  readonly worker: (
    name: string,
    flags?: readonly string[],
    env?: Record<string, string>,
    cli?: string,
  ) => Promise<WorkerProcess>;
  readonly sql: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;
  readonly git: (...args: string[]) => string;
  readonly passes: () => Pass[];
}

export const hasEnded = ({ status }: FleetLoop): boolean =>
  ['completed', 'exhausted', 'stuck', 'escalated', 'cancelled', 'aborted'].includes(status);

/**
 * `cluster`: the folder of a cluster of the test's own. `atEnd`: a test that runs beside others gives its
 * own.
 */
export async function openStage({
  lease = '10s',
  cluster,
  atEnd = onTestFinished,
}: { lease?: string; cluster?: string; atEnd?: typeof onTestFinished } = {}): Promise<Stage> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dcf-')));
  const { url } = await makeDatabase(cluster);
  const [bin, repo, work] = [join(root, 'bin'), join(root, 'origin.git'), join(root, 'work')];
  for (const folder of [bin, work]) mkdirSync(folder);
  // Every loop asks for the version first: a shell answers that for a tenth of what a Node costs.
  const version = '[ "$1" != --version ] || { echo "2.1.325 (Claude Code)"; exit; }';
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\n${version}\nexec '${process.execPath}' '${HOST}' "$@"\n`);
  chmodSync(join(bin, 'claude'), 0o755);
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: root,
    DACAPO_HOME: join(root, 'dacapo'),
    DACAPO_FLEET: url,
    HOST_DIR: root,
    TMPDIR: root,
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: join(root, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
  };
  warmHome(env.DACAPO_HOME);
  writeFileSync(
    env.GIT_CONFIG_GLOBAL,
    '[user]\n\tname = T\n\temail = t@example.org\n[init]\n\tdefaultBranch = main\n',
  );
  const gitIn = (at: string, ...args: string[]) =>
    execFileSync('git', ['-C', at, ...args], { env, encoding: 'utf8' }).trim();
  gitIn(root, 'init', '-q', '--bare', repo);
  gitIn(work, 'init', '-q');
  writeFileSync(join(work, 'README.md'), 'Hello\n');
  writeFileSync(join(work, '.gitignore'), 'ignored\n');
  gitIn(work, 'add', '.');
  gitIn(work, 'commit', '-q', '-m', 'first');
  gitIn(work, 'push', '-q', repo, 'HEAD:refs/heads/main');
  // A pool makes a new connection where the last one has broken.
  const client = new pg.Pool({ connectionString: url, max: 1 });
  client.on('error', () => undefined);
  // What most tests only need done goes here, without a process. `run` and `fleet` are the command line.
  const database = await openDatabase({ ok: true, url, shown: url });
  const workers: ChildProcess[] = [];
  atEnd(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all([client.end(), database.close()]);
    for (let k = 0; k < 100 && processesBelow(root).length > 0; k++) await sleep(50);
    for (const pid of processesBelow(root)) kill(pid);
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }, CLEAN_MS);
  const run = (...args: string[]) => runCli(args, work, env);
  const fleet = async <T>(...args: string[]): Promise<T> => {
    const ran = await run('fleet', ...args, '--json');
    if (ran.code !== 0)
      throw new Error(`fleet ${args.join(' ')}: exit ${ran.code}\n${ran.stdout}${ran.stderr}`);
    return JSON.parse(ran.stdout) as T;
  };
  const made = await initFleet(database, Number.parseInt(lease));
  if (!made.ok) throw new Error(made.message);
  return {
    root,
    url,
    repo,
    env,
    run,
    fleet,
    status: (id) => fleet('status', id),
    submit: async (prompt, ...flags) => {
      const read = readSubmitLine([prompt, '--repo', repo, '--ref', 'main', ...flags]);
      if (!read.ok) throw new Error(read.message);
      if (read.value.database !== undefined) throw new Error('to submit as somebody else needs a process');
      return submit(database, read.value.submission);
    },
    copy: async (id, count) => {
      const { rows } = await client.query<{ id: string }>(
        `insert into dacapo.loop (id, account, repo, ref, needs, hosts, priority, branch, request, status, report)
         select $1 || '-' || k, account, repo, ref, needs, hosts, priority, branch || '-' || k, request, status, report
         from dacapo.loop, generate_series(1, $2) k where id = $1 returning id`,
        [id, count],
      );
      return [id, ...rows.map((row) => row.id)];
    },
    logs: async (id) => [...(await readRecord(database, id)).events],
    until: async (id, is) => {
      // The row tells when it is worth a look.
      for (let seen = ''; ; await sleep(50)) {
        const [row] = (
          await client.query<{ mark: string }>(
            `select (status, worker, epoch, events, ready_at <= now(), worker is not null and lease_until > now())::text as mark
             from dacapo.loop left join dacapo.hold on loop = id where id = $1`,
            [id],
          )
        ).rows;
        if (row?.mark === seen) continue;
        seen = row?.mark ?? '';
        const loop = await database.transaction(async (sql) => {
          // A loop from before it was taken, and an account from after that, were never there at once.
          await sql.query('set transaction isolation level repeatable read');
          return readFleetLoop(sql, id);
        });
        if (loop !== undefined && is(loop)) return loop;
      }
    },
    worker: async (name, flags = [], more = {}, cli = CLI) => {
      const all = { ...env, ...more };
      // Its own home, and that of its children.
      for (const home of ['', `fleet/workers/${name}/home`]) warmHome(join(all.DACAPO_HOME, home));
      // Most tests have one login.
      const started = startWorker(name, [cli, 'worker', '--as-owner', ...flags], work, all);
      workers.push(started.process);
      const begun = started.hear(({ is }) => is === 'ready' || is === 'waits');
      const first = await Promise.race([begun, started.ended]);
      // Without this, the test would wait for ever and not say why.
      if (typeof first === 'number')
        throw new Error(`worker ${name} ended with ${first} before it was ready`);
      return started;
    },
    sql: async <Row extends object>(text: string, values?: unknown[]) =>
      (await client.query<Row>(text, values)).rows,
    git: (...args) => gitIn(work, ...args),
    passes: () => {
      const file = join(root, 'passes.jsonl');
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
      // The last one may still be being written.
      return lines.slice(0, -1).map((line) => JSON.parse(line) as Pass);
    },
  };
}

/** Those that have begun and not ended, and whose process runs: one that stands still does nothing. */
export function passesNow(passes: readonly Pass[]): number[] {
  const ended = new Set(passes.filter(({ is }) => is === 'ends').map(({ pid }) => pid));
  return passes
    .filter(({ is, pid }) => is === 'begins' && !ended.has(pid) && runs(pid))
    .map(({ pid }) => pid);
}

function runCli(args: readonly string[], cwd: string, env: Record<string, string>): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CLI, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** All processes of a worker: its children, their hosts, watchdogs and checks. */
function machineOf(name: string, { HOME }: Record<string, string>): number[] {
  const marks = [`STAND_IN_MACHINE=${name}\0`, `HOST_DIR=${HOME}\0`];
  return processes().filter((pid) => {
    const environment = environmentOf(pid);
    return lives(pid) && marks.every((mark) => environment.includes(mark));
  });
}

function startWorker(
  name: string,
  words: readonly string[],
  cwd: string,
  env: Record<string, string>,
): WorkerProcess {
  const child = spawn(process.execPath, [...words, '--name', name, '--json'], {
    cwd,
    env: { ...env, STAND_IN_MACHINE: name },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line) as Record<string, unknown>);
    if (process.env['FLEET_DEBUG']) console.log(name, line);
    for (const look of waiting) look();
  });
  return {
    name,
    process: child,
    lines,
    hear: (is) =>
      new Promise((resolve) => {
        const look = () => {
          const found = lines.find(is);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    ended,
    die: async () => {
      // More than once, as a process may start another one while we look.
      for (let all = [child.pid ?? 0]; all.length > 0; all = machineOf(name, env)) {
        for (const pid of all) kill(pid);
        await ended;
      }
    },
  };
}
