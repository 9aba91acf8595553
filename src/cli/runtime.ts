/** The world of the command line. */
import type { By } from '../core/record/events.ts';
import { handOf } from '../operations/people-only.ts';
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

/** Whose hand this is, by the environment of this process. */
export function hand(): By {
  return handOf(process.env);
}

/** For a start: the checks run once before the first iteration, which may take a while. */
export function sayingChecks(world: Runtime): Runtime {
  const proving: NonNullable<Runtime['proving']> = (check, how) => {
    if (how === null) note(`Da Capo: running ${check} once before the first iteration …`);
  };
  return { ...world, proving };
}
