/**
 * What is still required when the gates hold: a proof must show work. Gates that hold while nothing has changed since
 * the loop began show none. The agent is questioned once about such a stop. If it repeats its claim, Da Capo accepts
 * it, and the ending says that nothing was changed.
 */
import { claimLine, gatesOf, wasOpen } from './gates.ts';
import { isToolSession, topFrame, type Frame, type Loop } from './loop.ts';
import type { Stop } from './stop.ts';
import type { Missing } from './record/verdict.ts';

/** For gates that hold: whether a mark of the work tree is needed to see that any work was done. */
export function wantsFirstMark(loop: Loop, stop: Stop): boolean {
  return loop.begunTree !== null && !showsWork(loop, stop);
}

/** `tree`: the mark of the work tree, if one was wanted. If there is no way to tell, it counts as a change. */
export function isUnchanged(loop: Loop, stop: Stop, tree: string | null): boolean {
  return wantsFirstMark(loop, stop) && tree === loop.begunTree;
}

/**
 * Nobody sees the tool calls in a loop that a program drives, so a claim there is not questioned: its work may lie
 * elsewhere.
 */
export function mayWorkUnseen(loop: Loop): boolean {
  const { owner } = loop.session;
  return owner !== null && isToolSession(owner.session) && claimLine(topFrame(loop)) !== null;
}

/** The message to an agent whose gates hold without any work. */
export function questioned(loop: Loop, { toolUsed }: Stop): Missing {
  const line = claimLine(topFrame(loop));
  const still = toolUsed ? '' : ', and no tool was called';
  const again = line === null ? 'finish again' : `end with ${line} again`;
  const says = `nothing in the work tree has changed since the loop began${still}. If the task is not done, do it now. If it needs no change, say why and ${again}`;
  return { gate: 'news', says };
}

/** What a later stop lacks, for the agent and the person. */
export function sayQuestioned(line: string, iteration: number): string {
  return `${line} was given in iteration ${iteration} and questioned, because nothing had changed; it counts when it is given again`;
}

/**
 * Items that came to pass and a moved file are changes. So is a tool call if the agent claims to be done: its work may
 * lie outside the work tree. A check alone may have turned green by chance.
 */
function showsWork(loop: Loop, { toolUsed }: Stop): boolean {
  const frame = topFrame(loop);
  return wasChanged(frame) || (claimLine(frame) !== null && (loop.worked || toolUsed));
}

function wasChanged(frame: Frame): boolean {
  return gatesOf(frame).some((gate) => (gate.kind === 'features' || gate.kind === 'moved') && wasOpen(gate));
}
