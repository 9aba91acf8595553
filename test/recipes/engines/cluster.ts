/** A Slurm of the test's own, made by the script of the recipe: real daemons, nodes that can die. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { assertTagged } from '../../needs.ts';
import { environmentOf, gone, kill, lives, nameOf, parentOf, processes } from '../../processes.ts';

const RECIPE = resolve(import.meta.dirname, '../../../examples/engines/slurm');
/** Starting is four daemons; ending waits for the jobs. */
const CLUSTER_MS = 60_000;

export interface Cluster {
  readonly run: (program: string, ...args: string[]) => string;
  /** The job of the recipe, by hand. Returns its number. */
  readonly submitJob: (flags: readonly string[], workerFlags: readonly string[]) => string;
  /** The feeder of the recipe, until the test ends. */
  readonly feed: (...args: string[]) => void;
  /** The node is gone at once, with all that it ran. */
  readonly loseNode: (name: string) => Promise<void>;
  readonly startNode: (name: string) => void;
  /** What each job said, by the name of its log. */
  readonly logs: () => Map<string, Record<string, unknown>[]>;
}

/** `env`: of the feeder and of all jobs. */
export async function openCluster(
  folder: string,
  env: Record<string, string>,
  nodes: number,
): Promise<Cluster> {
  assertTagged('slurm');
  const all = { ...env, PATH: `${env['PATH']}:/usr/sbin:/sbin`, SLURM_CONF: join(folder, 'slurm.conf') };
  const settings = { KILL_WAIT: '10', SLURMD_TIMEOUT: '10', NODE_CPUS: '2' };
  const script = (...args: string[]) =>
    execFileSync(join(RECIPE, 'cluster.sh'), args, { env: { ...all, ...settings }, timeout: CLUSTER_MS });
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: env['HOME'], env: all, encoding: 'utf8' }).trim();
  onTestFinished(() => void script('down', folder), CLUSTER_MS);
  script('up', folder, String(nodes), String(await freePorts(nodes + 1)));
  const isOf = (node: string) => (pid: number) => {
    const environment = environmentOf(pid);
    return environment.includes(`SLURMD_NODENAME=${node}\0`) && environment.includes(folder) && lives(pid);
  };
  return {
    run,
    submitJob: (flags, workerFlags) =>
      run('sbatch', '--parsable', ...flags, join(RECIPE, 'worker.sbatch'), ...workerFlags),
    feed: (...args) => {
      const words = [join(RECIPE, 'feeder.mjs'), ...args];
      const feeder = spawn(process.execPath, words, { cwd: env['HOME'], env: all, stdio: 'ignore' });
      onTestFinished(() => void feeder.kill('SIGKILL'));
    },
    loseNode: async (name) => {
      const daemon = Number(readFileSync(join(folder, `${name}.slurmd`), 'utf8'));
      // The daemon first, or it would tell of the end of its jobs. Then again, as they start processes meanwhile.
      for (let all = [daemon]; all.length > 0; all = withKeepers(processes().filter(isOf(name)))) {
        for (const pid of all) kill(pid);
        for (const pid of all) await gone(pid);
      }
    },
    startNode: (name) => void script('node', folder, name),
    logs: () => readLogs(env['HOME'] ?? ''),
  };
}

/** Each job is kept by a process of Slurm, its parent. */
function withKeepers(pids: readonly number[]): number[] {
  const keepers = pids.map(parentOf).filter((pid) => nameOf(pid).startsWith('slurmstepd'));
  return [...new Set([...keepers, ...pids])];
}

function readLogs(folder: string): Map<string, Record<string, unknown>[]> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const logs = names.filter((name) => /^dacapo-.*\.log$/.test(name));
  return new Map(logs.map((name) => [name, jsonLines(readFileSync(join(folder, name), 'utf8'))]));
}

/** Slurm writes lines of its own among them. */
function jsonLines(text: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The first of so many ports in a row, all free at this moment. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await listen(0);
    const others = Array.from({ length: count - 1 }, (_, k) => listen(first + 1 + k));
    if ((await Promise.all(others)).every((port) => port > 0)) return first;
  }
}

/** Its number, or 0 if it is taken. */
function listen(port: number): Promise<number> {
  return new Promise((done) => {
    const server = createServer()
      .once('error', () => done(0))
      .listen(port, '127.0.0.1', () => {
        const { port: free } = server.address() as AddressInfo;
        server.close(() => done(free));
      });
  });
}
