/**
 * What is still asked for where the gates hold. A proof has to be news: gates that hold while nothing has changed since the loop began show no work. Such a stop is
 * questioned once; an agent that stands by it is believed, and the ending says that nothing was changed.
 */
import { claimLine, gatesOf, wasOpen } from './gates.ts';
import { topFrame, type Frame, type Loop } from './loop.ts';
import type { Stop } from './stop.ts';
import type { Missing } from './record/verdict.ts';

export function passesMissing({ atLeast, passes }: Frame): Missing {
  const says = `the gates hold, but at least ${atLeast} iterations were asked for and this was iteration ${passes + 1}`;
  return { gate: 'passes', says };
}

/** Of gates that hold: whether only a mark of the work tree can tell that somebody worked for it. */
export function wantsFirstMark(loop: Loop, stop: Stop): boolean {
  return loop.begunTree !== null && !showsWork(loop, stop);
}

/** `tree`: the mark of the work tree, where one was wanted. What nobody can tell counts as a change. */
export function isUnchanged(loop: Loop, stop: Stop, tree: string | null): boolean {
  return wantsFirstMark(loop, stop) && tree === loop.begunTree;
}

/** What an agent is told whose gates hold without any work. */
export function questioned({ frames }: Loop, { toolUsed }: Stop): Missing {
  const line = claimLine(frames.at(-1) ?? frames[0]);
  const still = toolUsed ? '' : ', and no tool was called';
  const again = line === null ? 'stop again' : `end with ${line} again`;
  const says = `nothing in the work tree has changed since the loop began${still}. If the task is not done, do it now. If it needs no change, say why and ${again}`;
  return { gate: 'news', says };
}

/**
 * A list whose items came to pass, and a file that was moved, are changes. So is a tool call, where the agent claims to be
 * done: its work may lie outside of the work tree. A check alone may have turned green by chance.
 */
function showsWork(loop: Loop, { toolUsed }: Stop): boolean {
  const frame = topFrame(loop);
  return wasChanged(frame) || (claimLine(frame) !== null && (loop.worked || toolUsed));
}

function wasChanged(frame: Frame): boolean {
  return gatesOf(frame).some((gate) => (gate.kind === 'features' || gate.kind === 'moved') && wasOpen(gate));
}
