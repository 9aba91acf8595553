/** Finds the loops that a command is about, and tells the person when it is unclear which loop is meant. */
import { readdirSync } from 'node:fs';
import { codeOf } from '../core/thrown.ts';
import type { Loop } from '../core/loop.ts';
import { oneLine } from '../core/words/sanitize.ts';
import {
  findNewest,
  loopsToActOn,
  refuseUnclear,
  type Choice,
  type FoundLoop,
} from '../operations/look/find.ts';
import { loopsUnder, unreadLoops, type UnreadLoop } from '../operations/look/loops.ts';
import { homeAt } from '../store/file/home.ts';
import type { Runtime } from '../store/runtime.ts';
import { enclosingProject, projectRoot } from './project.ts';
import { fail, failFor, note } from './terminal/terminal.ts';

/** The reason may contain a long path. */
const WHY = 1_000;

/** Loops that have not ended come first, then the newest. */
export function findLoops(everywhere: boolean, runtime: Runtime): Loop[] {
  return loopsUnder(everywhere ? null : projectRoot(), runtime);
}

/** Without an id, a loop of the current project. */
export function choiceOf(id: string | undefined): Choice {
  const project = enclosingProject();
  return { id, root: project ?? projectRoot(), isOutside: project === null };
}

/** Says why the loops can't be read; null if they can, or if there are none yet. */
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
  | Extract<FoundLoop, { is: 'one' | 'none' }>
  /** The person has been told that the loop is unknown, or which loops could be meant. */
  | { readonly is: 'refused'; readonly exit: number };

/** For read-only commands. Without an id, picks the loop that matters most. */
export function pickNewest(wanted: string | undefined, command: string, runtime: Runtime): Picked {
  return clear(findNewest(choiceOf(wanted), runtime), command);
}

/** For commands that act. Outside of any project it does not pick a loop of a project below. */
export function pickNewestOwn(wanted: string | undefined, command: string, runtime: Runtime): Picked {
  const choice = choiceOf(wanted);
  if (wanted !== undefined) return pickNewest(wanted, command, runtime);
  const { own, below } = loopsToActOn(choice, runtime);
  if (own.length === 0 && below.length > 0) return clear({ is: 'below', loops: below }, command);
  return own[0] === undefined ? { is: 'none' } : { is: 'one', loop: own[0] };
}

function clear(found: FoundLoop, command: string): Picked {
  return found.is === 'one' || found.is === 'none'
    ? found
    : { is: 'refused', exit: failFor(refuseUnclear(found, command)) };
}

/** Names each loop that can't be read, with the reason. Returns true if there is one, so the list is incomplete. */
export function noteUnread(runtime: Runtime, unread: readonly UnreadLoop[] = unreadLoops(runtime)): boolean {
  for (const { id, unread: why } of unread) note(`Loop ${id} can't be read: ${oneLine(why, WHY)}`);
  return unread.length > 0;
}

/** A line for loops that nobody carries on now. */
export function sayResume({ id, status }: Loop): string[] {
  return status.is === 'interrupted' || status.is === 'paused' ? [`dacapo resume ${id} continues it.`] : [];
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
    'make it yours, or name another state folder with DACAPO_HOME; dacapo doctor finds the cause.',
  );
}
