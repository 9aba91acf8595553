/**
 * What is still required when the gates hold: a proof must show work. Gates that hold while nothing has
 * changed since the loop began show none. The agent is questioned once about such a stop. If it repeats its
 * claim, Da Capo accepts it, and the ending says that nothing was changed. With `--confirm`, passes have to
 * look for what is missing as well.
 */
import { claimLine, gatesOf, wasOpen } from '../gates.ts';
import { isToolSession, type Frame, type Loop } from '../loop.ts';
import type { Facts, Standing, Stop } from '../stop.ts';
import type { Missing } from '../record/verdict.ts';

/**
 * For gates that hold: whether a mark of the work tree is needed to see that any work was done, or none any
 * more.
 */
export function wantsFirstMark(loop: Loop, stop: Stop): boolean {
  return loop.frame.confirm !== undefined || lacksWork(loop, stop);
}

/**
 * How a frame stands whose gates hold. `tree`: the mark of the work tree, if one was wanted; null counts as a
 * change.
 */
export function whenHeld(
  loop: Loop,
  stop: Stop,
  tree: string | null,
  standing: Standing,
): Pick<Facts, 'standing' | 'unchanged'> {
  const unchanged = lacksWork(loop, stop) && tree === loop.begunTree;
  return { standing: withConfirmations(loop, standing, tree), unchanged };
}

function lacksWork(loop: Loop, stop: Stop): boolean {
  return loop.begunTree !== null && !showsWork(loop, stop);
}

/** How many passes in a row have confirmed the frame. Null: the pass that ends next was not asked to. */
export function confirmations({ last }: Pick<Loop, 'last'>): number | null {
  const verdict = last?.looked;
  const first = verdict && 'missing' in verdict ? verdict.missing[0] : undefined;
  return first?.gate === 'confirmed' ? first.times : null;
}

/**
 * With `--confirm N`, for gates that hold: what is missing until N passes in a row have looked for it and
 * changed nothing. A pass that changed something, or that nobody can compare, has found something, so the
 * count starts again.
 */
function withConfirmations(loop: Loop, standing: Standing, tree: string | null): Standing {
  const { frame } = loop;
  const { confirm: of = 0 } = frame;
  const before = confirmations(loop);
  const isSame = tree !== null && tree === loop.circuit.tree;
  const times = before !== null && isSame ? before + 1 : 0;
  // Each item of a list is confirmed by itself.
  if (times >= of || frame.items !== null) return standing;
  const line = claimLine(frame);
  const end = line === null ? 'finish' : `end with ${line}`;
  const again = before !== null && times === 0 ? ' (the last pass changed something)' : '';
  const says =
    `the gates hold; confirmed ${times} of ${of}${again}. Now look for what is missing: compare the ` +
    'work with every part of the task, as somebody who has not done it, and do what is missing. If ' +
    `nothing is, change nothing and ${end}`;
  return { ...standing, done: false, missing: [{ gate: 'confirmed', times, of, says }] };
}

/**
 * Whether the agent need not be questioned: it was, or it was asked to confirm its work. Nobody sees the tool
 * calls in a loop that a program drives, so a claim there is not questioned either: its work may lie
 * elsewhere.
 */
export function isAskedEnough(loop: Loop): boolean {
  const { questioned: asked, confirm } = loop.frame;
  const { owner } = loop.session;
  if (asked !== null || confirm !== undefined) return true;
  return owner !== null && isToolSession(owner.session) && claimLine(loop.frame) !== null;
}

export function passesMissing({ atLeast, passes }: Frame): Missing {
  const says =
    `the gates hold, but at least ${atLeast} iterations were asked for and this was iteration ` +
    `${passes + 1}`;
  return { gate: 'passes', says };
}

export function questioned(loop: Loop, { toolUsed }: Stop): Missing {
  const line = claimLine(loop.frame);
  const still = toolUsed ? '' : ', and no tool was called';
  const again = line === null ? 'finish again' : `end with ${line} again`;
  const says =
    `nothing in the work tree has changed since the loop began${still}. If the task is not done, do it ` +
    `now. If it needs no change, say why and ${again}`;
  return { gate: 'news', says };
}

/** What a later stop lacks, for the agent and the person. */
export function sayQuestioned(line: string, iteration: number): string {
  return (
    `${line} was given in iteration ${iteration} and questioned, because nothing had changed; it ` +
    'counts when it is given again'
  );
}

/**
 * Items that came to pass and a moved file are changes. So is a tool call if the agent claims to be done: its
 * work may lie outside the work tree. A check alone may have turned green by chance.
 */
function showsWork(loop: Loop, { toolUsed }: Stop): boolean {
  const { frame } = loop;
  return wasChanged(frame) || (claimLine(frame) !== null && (loop.worked || toolUsed));
}

function wasChanged(frame: Frame): boolean {
  return gatesOf(frame).some((gate) => (gate.kind === 'features' || gate.kind === 'moved') && wasOpen(gate));
}
