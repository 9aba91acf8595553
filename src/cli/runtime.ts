/** The world of the command line. */
import { uptime } from 'node:os';
import type { By } from '../core/events.ts';
import type { Loop } from '../core/loop.ts';
import { isHere, ownerLives } from '../store/liveness.ts';
import { isAlive, type Runtime } from '../store/runtime.ts';
import { findHome } from '../store/file/home.ts';
import { fileStore } from '../store/file/store.ts';
import { RUNNER } from './package.ts';
import { note } from './terminal/terminal.ts';
import { openUnshown } from './terminal/view-errors.ts';

export function cliWorld(): Runtime {
  const now = () => new Date().toISOString();
  const unshown = openUnshown();
  unshown.tellTo((text) => note(`Da Capo: ${text}`));
  return {
    store: fileStore(findHome(process.env, process.platform)),
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

/** Does the process that owns this loop still live? After a restart of the machine its number is another's. */
export function ownerRuns(loop: Loop, world: Runtime): boolean {
  const booted = Date.now() - uptime() * 1000;
  if (loop.owner !== null && isHere(loop.owner, world) && Date.parse(loop.boundAt) < booted) return false;
  return ownerLives(loop, world);
}

/** Whose hand this is: an agent's own shell has CLAUDECODE in its environment. */
export function hand(): By {
  return process.env['CLAUDECODE'] ? 'agent' : 'terminal';
}
