/** The Runtime of the command line. */
import type { By } from '../core/record/events.ts';
import { handOf } from '../operations/trust/people-only.ts';
import type { Runtime } from '../store/runtime.ts';
import { processRuntime } from '../sinks/process-runtime.ts';
import { RUNNER, SENDER } from '../process/package.ts';
import { note } from './terminal/terminal.ts';
import { openUnshown } from './terminal/view-errors.ts';

export function cliWorld(): Runtime {
  const unshown = openUnshown();
  unshown.tellTo((text) => note(`Da Capo: ${text}`));
  return processRuntime({ env: process.env, runner: RUNNER, sender: SENDER, unshown: unshown.hear });
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
