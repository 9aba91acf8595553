/** The loops that a command is about, and the refusal on screen where it is not clear which one is meant. */
import { readdirSync } from 'node:fs';
import { codeOf } from '../core/error-code.ts';
import type { Loop } from '../core/loop.ts';
import { oneLine } from '../core/words/sanitize.ts';
import {
  findNewest,
  loopsToActOn,
  loopsUnder,
  refuseUnclear,
  unreadLoops,
  type Choice,
  type Found,
} from '../operations/find.ts';
import { homeAt } from '../store/file/home.ts';
import type { Runtime } from '../store/runtime.ts';
import { enclosingProject, projectRoot } from './project.ts';
import { fail, failFor, note } from './terminal/terminal.ts';

/** A path may be long. */
const WHY = 1_000;

/** Those that have not ended first, then the newest. */
export function findLoops(everywhere: boolean, world: Runtime): Loop[] {
  return loopsUnder(everywhere ? null : projectRoot(), world);
}

/** Without an id, a loop of the project that the person stands in. */
export function choiceOf(id: string | undefined): Choice {
  return { id, root: projectRoot(), isOutside: enclosingProject() === null };
}

/** What keeps the loops from being read, in words; null: nothing, or there are none yet. */
export function whyUnreadable({ store }: Runtime): string | null {
  const { loops } = homeAt(store.place());
  try {
    readdirSync(loops);
    return null;
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' ? null : `${loops} can't be read (${code}).`;
  }
}

export type Picked =
  | Extract<Found, { is: 'one' | 'none' }>
  /** The person has read which loop is not known, or which of several could be meant. */
  | { readonly is: 'refused'; readonly exit: number };

/** For reading only: without an id the one that matters most. */
export function pickNewest(wanted: string | undefined, command: string, world: Runtime): Picked {
  return clear(findNewest(choiceOf(wanted), world), command);
}

/** To act on the newest: outside of any project, not on one of a project below. */
export function pickNewestOwn(wanted: string | undefined, command: string, world: Runtime): Picked {
  const choice = choiceOf(wanted);
  if (wanted !== undefined) return pickNewest(wanted, command, world);
  const { own, below } = loopsToActOn(choice, world);
  if (own.length === 0 && below.length > 0) return clear({ is: 'below', loops: below }, command);
  return own[0] === undefined ? { is: 'none' } : { is: 'one', loop: own[0] };
}

function clear(found: Found, command: string): Picked {
  return found.is === 'one' || found.is === 'none'
    ? found
    : { is: 'refused', exit: failFor(refuseUnclear(found, command)) };
}

/** Names the loops that can't be read, each with the reason. True: there is one, so what is listed is not all. */
export function noteUnread(world: Runtime): boolean {
  const unread = unreadLoops(world);
  for (const { id, unread: why } of unread) note(`Loop ${id} can't be read: ${oneLine(why, WHY)}`);
  return unread.length > 0;
}

export function noLoops(): number {
  return fail(
    'there is no loop in this project.',
    'dacapo list --all shows those of other projects; dacapo start "PROMPT" begins one.',
  );
}

export function failUnreadable(why: string): number {
  return fail(
    why,
    'make it yours, or name another state folder with DACAPO_HOME; dacapo doctor looks for the cause.',
  );
}
