// `dacapo` itself, as a person starts it in the sandbox, with the real Claude Code behind it.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RunEvent } from '#engine/run-event.ts';
import { CLAUDE } from './host.ts';
import { until, type World } from './world.ts';

export const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

/** With nobody there to ask. */
export const UNATTENDED = ['--', '--permission-mode', 'bypassPermissions'];

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  readonly stdout: () => string;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly ended: Promise<Ended>;
}

export function startDacapo(
  world: Pick<World, 'sandbox'>,
  args: readonly string[],
  env: Record<string, string> = {},
): Running {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: world.sandbox.project,
    env: { ...world.sandbox.env, DACAPO_CLAUDE: CLAUDE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    signal: (name) => void child.kill(name),
    ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr }))),
  };
}

export function dacapo(world: Pick<World, 'sandbox'>, ...args: string[]): Promise<Ended> {
  return startDacapo(world, args).ended;
}

/** The happenings of a run with --json. */
function happenings({ stdout }: Pick<Ended, 'stdout'>): RunEvent[] {
  return stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): RunEvent => JSON.parse(line));
}

export function ofKind<K extends RunEvent['is']>(
  ended: Pick<Ended, 'stdout'>,
  is: K,
): Extract<RunEvent, { is: K }>[] {
  return happenings(ended).filter((one): one is Extract<RunEvent, { is: K }> => one.is === is);
}

export async function untilSaid(running: Running, words: string): Promise<void> {
  await until(() => running.stdout().includes(words), `the run to say ${words}`, 30_000);
}
