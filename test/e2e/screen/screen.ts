// The interactive Claude Code, or another program, in a tmux server of its own: what a person types and sees.
import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CLAUDE, withoutQuestions, type Sandbox } from '../sandbox.ts';
import { assertTagged } from '../../needs.ts';
import { lives } from '../../processes.ts';

export type Screen = {
  pid: number;
  /** Types without Enter, and waits until the host has drawn it. */
  type: (text: string) => Promise<void>;
  /** A tmux key name: Enter, Escape, C-c, Up, BSpace… */
  press: (...keys: string[]) => Promise<void>;
  /** Types and presses Enter. */
  submit: (text: string) => Promise<void>;
  /** What is on the screen. The host draws on the alternate screen: what scrolled away is gone. */
  screen: () => Promise<string>;
  /** Resolves with the screen once it fits, as it is or flat; rejects with the screen in its message. */
  waitFor: (wanted: RegExp | ((screen: string) => boolean), timeout?: number) => Promise<string>;
  resize: (width: number, height: number) => Promise<void>;
  /** As when a person closes the terminal: the host ends in its own time, which takes it a second or two. */
  close: () => Promise<void>;
  /** At the end of a test, when nobody looks any more. */
  kill: () => Promise<void>;
};

export type ScreenOptions = {
  env?: Record<string, string>;
  ready?: RegExp | false;
  /** Another program than the host. */
  program?: readonly string[];
  size?: readonly [width: number, height: number];
};

const run = promisify(execFile);
const READY = /^❯/m;
const POLL = 100;
const SETTLE = 120;
const DEFAULT_TIMEOUT = 15_000;

export async function openScreen(
  sandbox: Sandbox,
  args: string[] = [],
  options: ScreenOptions = {},
): Promise<Screen> {
  assertTagged('tmux');
  const socket = join(sandbox.root, `tmux-${randomUUID().slice(0, 8)}`);
  const env = { ...sandbox.env, TERM: 'xterm-256color', ...options.env };
  const tmux = async (...command: string[]): Promise<string> => {
    const { stdout } = await run('tmux', ['-S', socket, '-f', '/dev/null', ...command], {
      env,
      cwd: sandbox.project,
    });
    return stdout;
  };
  // The last screen must stay readable after the host has ended, hence remain-on-exit before the session
  // exists.
  const keep = ['start-server', ';', 'set', '-g', 'remain-on-exit', 'on', ';'];
  const [width, height] = options.size ?? [140, 50];
  const size = ['-x', String(width), '-y', String(height)];
  const session = ['new-session', '-d', '-s', 'main', ...size, '-c', sandbox.project, '--'];
  await tmux(...keep, ...session, ...(options.program ?? [CLAUDE, ...withoutQuestions(args)]));
  const pid = Number(await tmux('display-message', '-p', '-t', 'main', '#{pane_pid}'));

  const screen = (): Promise<string> => tmux('capture-pane', '-p', '-t', 'main');

  const waitFor: Screen['waitFor'] = async (wanted, timeout = DEFAULT_TIMEOUT) => {
    const until = Date.now() + timeout;
    for (;;) {
      const now = await screen();
      if (typeof wanted === 'function' ? wanted(now) : wanted.test(now) || wanted.test(flat(now))) return now;
      if (Date.now() > until)
        throw new Error(`not on the screen within ${timeout} ms: ${String(wanted)}\n${now}`);
      await sleep(POLL);
    }
  };

  const press = async (...keys: string[]): Promise<void> => {
    await tmux('send-keys', '-t', 'main', ...keys);
  };

  const type = async (text: string): Promise<void> => {
    const before = await screen();
    await tmux('send-keys', '-t', 'main', '-l', '--', text);
    const until = Date.now() + 2000;
    while (Date.now() < until && (await screen()) === before) await sleep(POLL);
    // Enter in the same breath would be read as part of a paste, or miss the list of commands.
    await sleep(SETTLE);
  };

  // A test that dies half way must not leave its host behind.
  const abandon = (): void => {
    spawnSync('tmux', ['-S', socket, 'kill-server']);
  };
  process.once('exit', abandon);

  let ended = false;
  const close = async (): Promise<void> => {
    if (ended) return;
    ended = true;
    process.off('exit', abandon);
    await tmux('kill-server').catch(() => {});
    for (let waited = 0; lives(pid) && waited < 3000; waited += POLL) await sleep(POLL);
    if (lives(pid)) process.kill(pid, 'SIGKILL');
  };

  const kill = async (): Promise<void> => {
    if (!ended && lives(pid)) process.kill(pid, 'SIGKILL');
    // The terminal's server must still be there to reap it.
    for (let waited = 0; !ended && lives(pid) && waited < 1000; waited += POLL) await sleep(POLL);
    await close();
  };

  const resize = async (columns: number, rows: number): Promise<void> => {
    await tmux('resize-window', '-t', 'main', '-x', String(columns), '-y', String(rows));
  };

  const submit = async (text: string): Promise<void> => {
    await type(text);
    await press('Enter');
  };

  if (options.ready !== false) {
    await waitFor(options.ready ?? READY).catch(async (error: unknown) => {
      await close();
      throw error;
    });
  }
  return { pid, type, press, submit, screen, waitFor, resize, close, kill };
}

/** The host wraps lines where it likes, and indents with spaces of its own kind. */
export function flat(screen: string): string {
  return screen.replace(/\s+/g, ' ');
}
