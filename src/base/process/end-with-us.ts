/**
 * Ends process groups that this process would leave behind, however it ends. A shell reads from us which
 * groups there are. When its pipe closes, it ends those of the last line. One shell serves all of them, and
 * costs a millisecond.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

/** Asks first: git removes its locks. A line that was cut off does not count. */
const SCRIPT =
  'while read -r line; do groups=$line; done; [ -n "$groups" ] || exit; kill -s TERM -- $groups; ' +
  'sleep 1; kill -s KILL -- $groups';

const groups = new Set<number>();
let guard: ChildProcess | null = null;

/** `begin` starts a child that leads its own group. Returns it, and what to call when it has ended. */
export function beginWithUs<T extends ChildProcess>(begin: () => T): readonly [T, () => void] {
  // Windows has neither groups nor such a shell.
  if (process.platform === 'win32') return [begin(), () => undefined];
  // First of all, so that the child is in its list as soon as it lives.
  guard ??= start();
  const child = begin();
  const { pid } = child;
  if (pid === undefined) return [child, () => undefined];
  groups.add(pid);
  tell();
  return [child, () => groups.delete(pid) && tell()];
}

function tell(): void {
  guard?.stdin?.write(`${Array.from(groups, (leader) => `-${leader}`).join(' ')}\n`);
}

function start(): ChildProcess {
  const shell: ChildProcess = spawn('/bin/sh', ['-c', SCRIPT, 'dacapo: ends git if its caller dies'], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    // Its own group, which Ctrl-C in the terminal does not reach.
    detached: true,
  });
  // Where it can't be had, git still has its deadline.
  shell.on('error', () => undefined);
  shell.on('exit', () => (guard = null));
  shell.stdin?.on('error', () => undefined);
  // Neither keeps this process from ending.
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return shell;
}
