/**
 * The supervisor of one pass, a process of its own: whatever becomes of the driver (killed with -9, its terminal gone),
 * the pipe to it closes, and the host ends with everything that it started. It never outlives its driver for long.
 *
 * In: one line of JSON (`Order`) on stdin, which then stays open; its end means: end the host. Out, on descriptor 3: lines
 * of JSON (`Report`). Stdout and stderr are the host's own, straight to the driver.
 */
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { endGroup } from '../proofs/group.ts';
import { descendantsOf } from './descendants.ts';

export interface Order {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly stdin: string;
  /** The mark of this pass in the environment, which the supervisor has too. */
  readonly pass: string;
  readonly gentle: 'SIGINT' | 'SIGTERM';
  /** From the gentle signal to SIGTERM, and from there to SIGKILL. */
  readonly graceMs: number;
}

export type Report =
  | { readonly is: 'started'; readonly pid: number }
  | { readonly is: 'unstartable'; readonly error: string }
  | { readonly is: 'ended'; readonly exit: number | null; readonly signal: string | null };

/** What was left behind may end by itself when asked. */
const LEFTOVER_MS = 1_000;
const LOOK_MS = 50;
/** Where processes can't be marked, how often the tree is looked at. */
const REMEMBER_MS = 5_000;

let asked = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk: string) => {
  if (asked.endsWith('\n')) return;
  asked += chunk;
  if (asked.endsWith('\n')) supervise(JSON.parse(asked) as Order);
});
process.stdin.on('end', () => {
  if (!asked.endsWith('\n')) process.exit(0);
});

function supervise(order: Order): void {
  const child = spawn(order.program, order.args, {
    cwd: order.cwd,
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  child.on('error', (error) => {
    // Also for a signal that could not be sent; only a child without a number was never started.
    if (child.pid !== undefined) return;
    report({ is: 'unstartable', error: error.message });
    process.exit(0);
  });
  const { pid } = child;
  if (pid === undefined) return;
  report({ is: 'started', pid });
  child.stdin.on('error', () => undefined);
  child.stdin.end(order.stdin);

  const descendants = descendantsOf(pid, order.pass, process.platform);
  if (process.platform !== 'linux') setInterval(() => descendants.remember(), REMEMBER_MS).unref();
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    descendants.remember();
    if (process.platform === 'win32') return endGroup(child, 'SIGKILL');
    child.kill(order.gentle);
    setTimeout(() => {
      endGroup(child, 'SIGTERM');
      descendants.signal('SIGTERM');
    }, order.graceMs);
    setTimeout(() => endGroup(child, 'SIGKILL'), 2 * order.graceMs);
  };
  process.stdin.on('end', end);
  process.stdin.on('error', end);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);

  child.on('exit', (exit, signal) => {
    endGroup(child, 'SIGKILL');
    const began = Date.now();
    let left = descendants.signal('SIGTERM');
    const look = () => {
      if (left > 0 && Date.now() - began < LEFTOVER_MS) {
        left = descendants.signal(0);
        setTimeout(look, LOOK_MS);
        return;
      }
      if (left > 0) descendants.signal('SIGKILL');
      report({ is: 'ended', exit, signal });
      process.exit(0);
    };
    look();
  });
}

function report(said: Report): void {
  try {
    writeSync(3, `${JSON.stringify(said)}\n`);
  } catch {
    // The driver is gone: nobody wants to know.
  }
}
