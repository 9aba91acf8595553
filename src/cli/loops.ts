/** The loops that a command is about, and the refusal on screen where it is not clear which one is meant. */
import type { Loop } from '../core/loop.ts';
import { findNewest, loopsUnder, refuseUnclear, type Choice, type Found } from '../operations/find.ts';
import type { Runtime } from '../store/runtime.ts';
import { projectRoot } from './project.ts';
import { fail, failFor } from './terminal/terminal.ts';

/** Those that have not ended first, then the newest. */
export function findLoops(everywhere: boolean, world: Runtime): Loop[] {
  return loopsUnder(everywhere ? null : projectRoot(), world);
}

/** Without an id, a loop of the project that the person stands in. */
export function choiceOf(id: string | undefined): Choice {
  return { id, root: projectRoot() };
}

export type Picked =
  | Extract<Found, { is: 'one' | 'none' }>
  /** The person has read which loop is not known, or which of several could be meant. */
  | { readonly is: 'refused'; readonly exit: number };

/** For reading only: without an id the one that matters most. */
export function pickNewest(wanted: string | undefined, command: string, world: Runtime): Picked {
  return clear(findNewest(choiceOf(wanted), world), command);
}

function clear(found: Found, command: string): Picked {
  return found.is === 'one' || found.is === 'none'
    ? found
    : { is: 'refused', exit: failFor(refuseUnclear(found, command)) };
}

export function noLoops(): number {
  return fail(
    'there is no loop in this project.',
    'dacapo list --all shows those of other projects; dacapo start "PROMPT" begins one.',
  );
}
