/** Finds the loops that a command is about, and tells the person when it is unclear which loop is meant. */
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../core/shape.ts';
import type { Loop } from '../core/loop.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { findNewest, loopsToActOn, refuseUnclear, type FoundLoop } from '../operations/look/find.ts';
import { loopsUnder, unreadLoops, type UnreadLoop } from '../operations/look/loops.ts';
import { homeAt } from '../store/file/home.ts';
import type { Runtime } from '../store/runtime.ts';
import { choiceOf, projectRoot } from './project.ts';
import { fail, failFor, note, reply, type Line } from './terminal/terminal.ts';
import { report } from '../text/report.ts';
import type { Refusal } from '../core/refusal.ts';
import { LETTING_GO } from '../operations/steer/resume.ts';

/** The reason may contain a long path. */
const WHY = 1_000;

/** Loops that have not ended come first, then the newest. */
export function findLoops(everywhere: boolean, runtime: Runtime): Loop[] {
  return loopsUnder(everywhere ? null : projectRoot(), runtime);
}

/** Says why the loops can't be read; null if they can, or if there are none yet. */
export function failUnreadable({ store }: Runtime): number | null {
  const { loops } = homeAt(store.place());
  try {
    readdirSync(loops);
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return null;
    return fail(
      `${loops} can't be read (${code}).`,
      'make it yours, or name another state folder with DACAPO_HOME; dacapo doctor finds the cause.',
    );
  }
}

/** A number: the exit code, after the person was told that there is no such loop, or which loops could be meant. */
type Picked = Loop | number;

/** For read-only commands. Without an id, picks the loop that matters most. */
export function pickNewest(wanted: string | undefined, command: string, runtime: Runtime): Picked {
  return theOne(findNewest(choiceOf(wanted), runtime), command);
}

/** For commands that act. Outside of any project it does not pick a loop of a project below. */
export function pickNewestOwn(wanted: string | undefined, command: string, runtime: Runtime): Picked {
  if (wanted !== undefined) return pickNewest(wanted, command, runtime);
  const { own, below } = loopsToActOn(choiceOf(wanted), runtime);
  return own[0] ?? theOne(below.length > 0 ? { is: 'below', loops: below } : { is: 'none' }, command);
}

function theOne(found: FoundLoop, command: string): Picked {
  if (found.is === 'one') return found.loop;
  return found.is === 'none' ? noLoops() : failFor(refuseUnclear(found, command));
}

/** Names each loop that can't be read, with the reason. Returns true if there is one, so the list is incomplete. */
export function noteUnread(runtime: Runtime, unread: readonly UnreadLoop[] = unreadLoops(runtime)): boolean {
  for (const { id, unread: why } of unread) note(`Loop ${id} can't be read: ${oneLine(why, WHY)}`);
  return unread.length > 0;
}

export function sayResume({ id, status }: Loop): string[] {
  return status.is === 'interrupted' || status.is === 'paused' ? [`dacapo resume ${id} continues it.`] : [];
}

/** What a command did to a loop: its report for a program, lines for a person. */
export function replyFor(loop: Loop, json: boolean, { now }: Runtime, ...lines: readonly Line[]): number {
  return reply(json, report(loop, now()), ...lines);
}

export function noLoops(): number {
  return fail(
    'there is no loop in this project.',
    'dacapo list --all shows those of other projects; dacapo start "PROMPT" begins one.',
  );
}

const LOOK_MS = 200;

/**
 * Tries again while the `dacapo run` of another terminal ends its agent, after the loop was paused or cancelled there. This
 * ends: after a while that refusal no longer comes.
 */
export async function waitForRelease<T extends { readonly ok: true } | Refusal>(act: () => T): Promise<T> {
  for (let first = true; ; first = false) {
    const result = act();
    if (result.ok || result.code !== LETTING_GO) return result;
    if (first) note('Da Capo: waiting until the run in the other terminal has ended its agent …');
    await sleep(LOOK_MS);
  }
}
