/** The world of the command line. */
import { uptime } from 'node:os';
import type { By } from '../core/events.ts';
import { isAlive, type World } from '../store/runtime.ts';
import { findHome } from '../store/file/home.ts';
import { RUNNER } from './package.ts';
import { note } from './terminal/terminal.ts';
import { openUnshown } from './terminal/view-errors.ts';

export function cliWorld(): World {
  const now = () => new Date().toISOString();
  const unshown = openUnshown();
  unshown.tellTo((text) => note(`Da Capo: ${text}`));
  return {
    home: findHome(process.env, process.platform),
    now,
    isAlive,
    process: process.pid,
    started: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    runner: RUNNER,
    // The log is the hook's; what goes wrong here is said in the terminal.
    log: () => undefined,
    unshown: unshown.hear,
    env: process.env,
  };
}

/** Does the process that owned a loop since then still live? After a restart of the machine its number is another's. */
export function ownerLives(pid: number, since: string): boolean {
  const booted = Date.now() - uptime() * 1000;
  return Date.parse(since) >= booted && isAlive(pid);
}

/** Whose hand this is: an agent's own shell has CLAUDECODE in its environment. */
export function hand(): By {
  return process.env['CLAUDECODE'] ? 'agent' : 'terminal';
}
