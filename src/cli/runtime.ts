/** The Runtime of the command line. */
import type { Actor } from '../core/record/events.ts';
import { actorOf } from '../operations/trust/people-only.ts';
import type { Runtime } from '../store/runtime.ts';
import { processRuntime, userSink } from '../sinks/process-runtime.ts';
import type { Sink } from '../sinks/sink.ts';
import { RUNNER, SENDER } from '../process/package.ts';
import { note } from './terminal/terminal.ts';
import { sayViewError } from '../text/fault.ts';

export function cliRuntime(): Runtime {
  const viewErrors = openViewErrors();
  viewErrors.tellTo((text) => note(`Da Capo: ${text}`));
  return processRuntime({ env: process.env, runner: RUNNER, sender: SENDER, onViewError: viewErrors.hear });
}

/** Tells people of what becomes true elsewhere. */
export function cliSink(): Sink {
  return userSink(cliRuntime(), SENDER);
}

export function actor(): Actor {
  return actorOf(process.env);
}

/** For a start: says that the checks run once before the first iteration, since that may take a while. */
export function sayingChecks(runtime: Runtime): Runtime {
  const proving: NonNullable<Runtime['proving']> = (check, how) => {
    if (how === null) note(`Da Capo: running ${check} once before the first iteration …`);
  };
  return { ...runtime, proving };
}

export type ViewErrors = ReturnType<typeof openViewErrors>;

/**
 * Reports views that can't be written: once per cause, not at every iteration. The loop goes on. Errors that occur
 * before a listener is set are kept for it.
 */
export function openViewErrors() {
  const told = new Set<string>();
  const waiting: string[] = [];
  let tell = (text: string): unknown => waiting.push(text);
  return {
    hear: (what: string, why: unknown) => {
      const text = sayViewError(what, why);
      if (told.has(text)) return;
      told.add(text);
      tell(text);
    },
    tellTo: (listener: (text: string) => void) => {
      tell = listener;
      for (const text of waiting.splice(0)) listener(text);
    },
  };
}
