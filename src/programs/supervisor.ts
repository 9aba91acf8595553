/**
 * The supervisor of one check, a separate process. However the calling hook ends (killed, timed out, its host
 * gone), its pipe to us closes. Then we end the check with everything it started, so neither outlives the
 * caller.
 *
 * In: one line of JSON (`Order`) on stdin, which then stays open. Out: one line of JSON (`Account`) on
 * stdout.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { openSync } from 'node:fs';
import { endMarked, MARK_VARIABLE, passMark, openMark } from '#base/process/descendants.ts';
import { endGently, endGroup } from '#base/process/family.ts';
import { cutLines, keepOutput } from '#base/process/output.ts';
import type { Account, Order } from '#base/process/supervise.ts';

const GRACE_MS = 2_000;
/**
 * Output may still be in the pipe when the process is gone. No longer: a leftover child may hold the pipe
 * forever.
 */
const DRAIN_MS = 200;

process.stdin.on('data', cutLines((line) => supervise(JSON.parse(line) as Order)).push);

function supervise(order: Order): void {
  const began = Date.now();
  const output = keepOutput(openSync(order.output, 'a', 0o600));
  const errors = order.errors === undefined ? output : keepOutput(openSync(order.errors, 'a', 0o600));
  let settled = false;
  // Where a process can't be had (EMFILE, EAGAIN), there are no pipes: the error comes as an event.
  const child: ChildProcess = spawn(order.command, order.args ?? [], {
    cwd: order.cwd,
    shell: order.args === undefined,
    env: { ...(order.env ?? process.env), [MARK_VARIABLE]: passMark(order.mark, process.env[MARK_VARIABLE]) },
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe', openMark(order.mark)],
    windowsHide: true,
  });
  child.stdout?.on('data', output.take);
  child.stderr?.on('data', errors.take);

  // The first reason to end the check is the one reported; later ones change nothing.
  let ending: Account['is'] | null = null;
  const ms = () => Date.now() - began;
  const endAll = () => {
    endGroup(child, 'SIGKILL');
    endMarked(order.mark);
  };
  const settle = (account: Account) => {
    if (settled) return;
    settled = true;
    endAll();
    output.close();
    errors.close();
    process.stdout.write(`${JSON.stringify(account)}\n`, () => process.exit(0));
  };
  const stop = (then: () => void) => {
    child.on('exit', then);
    endGently([() => endGroup(child, 'SIGTERM'), then], GRACE_MS);
  };

  child.on('error', (error) => settle({ is: 'unstartable', error: error.message, ms: ms() }));
  child.on('exit', (exit, signal) => {
    if (ending !== null) return;
    ending = 'ended';
    const account = { is: 'ended', exit, signal, ms: ms() } as const;
    child.on('close', () => settle(account));
    setTimeout(() => settle(account), DRAIN_MS);
  });
  setTimeout(() => {
    if (ending !== null) return;
    ending = 'timed-out';
    stop(() => settle({ is: 'timed-out', ms: ms() }));
  }, order.timeoutMs);
  process.stdin.on('end', () => {
    ending ??= 'ended';
    stop(() => {
      endAll();
      process.exit(0);
    });
  });
}
