/**
 * A proof has to be news: gates that hold while nothing has changed since the loop began show no work. Such a stop is
 * questioned once; an agent that stands by it is believed, and the ending says that nothing was changed.
 */
import { claimLine, gatesOf, wasOpen } from './gates.ts';
import { topFrame, type Frame, type Loop } from './loop.ts';
import type { Standing } from './standing.ts';
import type { Stop } from './stop.ts';
import type { Missing } from './verdict.ts';

/** Whether only a mark of the work tree can tell: the gates hold, and nothing else shows that somebody worked for it. */
export function wantsFirstMark(loop: Loop, stop: Stop, { done }: Standing): boolean {
  return done && loop.begunTree !== null && !showsWork(loop, stop);
}

/** `tree`: the mark of the work tree, where one was wanted. What nobody can tell counts as a change. */
export function isUnchanged(loop: Loop, stop: Stop, standing: Standing, tree: string | null): boolean {
  return wantsFirstMark(loop, stop, standing) && tree === loop.begunTree;
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
