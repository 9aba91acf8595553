/** The Runtime of the command line. */
import type { By } from '../core/record/events.ts';
import { handOf } from '../operations/trust/people-only.ts';
import { isAlive, type Runtime } from '../store/runtime.ts';
import { findHome } from '../store/file/home.ts';
import { logTo } from '../store/file/log.ts';
import { fileStore } from '../store/file/store.ts';
import { notifyingStore } from '../sinks/telling.ts';
import { RUNNER, SENDER } from '../process/package.ts';
import { note } from './terminal/terminal.ts';
import { openUnshown } from './terminal/view-errors.ts';

export function cliWorld(): Runtime {
  const now = () => new Date().toISOString();
  const unshown = openUnshown();
  unshown.tellTo((text) => note(`Da Capo: ${text}`));
  const home = findHome(process.env, process.platform);
  const world: Runtime = {
    store: notifyingStore(fileStore(home), () => ({ ...world, log: logTo(home.log, now) }), SENDER),
    now,
    isAlive,
    process: process.pid,
    started: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    runner: RUNNER,
    // The log belongs to the hook. Commands report errors in the terminal.
    log: () => undefined,
    unshown: unshown.hear,
    env: process.env,
  };
  return world;
}

/** Whether a person or an agent calls, judged by this process's environment. */
export function hand(): By {
  return handOf(process.env);
}

/** For a start: says that the checks run once before the first iteration, since that may take a while. */
export function sayingChecks(world: Runtime): Runtime {
  const proving: NonNullable<Runtime['proving']> = (check, how) => {
    if (how === null) note(`Da Capo: running ${check} once before the first iteration …`);
  };
  return { ...world, proving };
}
