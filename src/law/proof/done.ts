/**
 * By what a loop is done, as values. "Proven" is a word that is earned: something other than the agent was
 * open at the start and holds now, on ground that the loop has not changed, or with the ground of the start.
 * Everything else is said by the agent or accepted by a person.
 */
import { claimLine, gatesOf, takesAny, wasOpen } from '../gates.ts';
import { type Loop } from '../loop.ts';
import type { Gate } from '../record/definition.ts';
import type { GateResult } from '../record/verdict.ts';
import { asksIfDone } from '../waiting/requests.ts';

export const DONE_BY = ['check', 'review', 'measure', 'moved', 'list', 'said', 'accepted'] as const;
export type DoneBy = (typeof DONE_BY)[number];
export type DoneGround = NonNullable<GateResult['ground']>['is'];

export interface Done {
  readonly by: readonly DoneBy[];
  /** What the checks stood on. Null: there are none, or nobody knows. */
  readonly ground: DoneGround | null;
  /** What has changed in it, and which of that are dependencies of the project. */
  readonly files: readonly string[];
  readonly dependencies: readonly string[];
  /** New tests pass on the code of the start as well, so they show nothing. */
  readonly hasVacuousTests: boolean;
  readonly proven: boolean;
}

const PROOFS: readonly DoneBy[] = ['check', 'review', 'measure', 'moved'];

/** Null: it is not done. */
export function doneOf(loop: Loop): Done | null {
  if (loop.status.is !== 'completed') return null;
  const { is: ground = null, files = [], dependencies = [], without } = groundAt(loop) ?? {};
  const asked = loop.people.requests.findLast(asksIfDone);
  const isAccepted = asked?.answer?.is === 'approved';
  const seen = isAccepted && asked.kind === 'acceptance' ? [] : heldAt(loop);
  const by = [...new Set<DoneBy>([...seen, ...(isAccepted ? ['accepted' as const] : [])])];
  // A doubt is what made a person answer, so their word is all that there is.
  const isDoubted = loop.last?.gateResults.some(({ doubt }) => doubt === true) === true;
  const stands = ground !== 'changed' && !isDoubted && !(by.includes('check') && ground === null);
  const proven = stands && by.some((one) => PROOFS.includes(one));
  return { by, ground, files, dependencies, hasVacuousTests: without === 'green', proven };
}

/** It is told only where it has changed. */
function groundAt({ last, ground }: Loop): NonNullable<GateResult['ground']> | null {
  const seen = last?.gateResults.find(({ gate }) => gate === 'ground')?.ground;
  return seen ?? (ground === null || ground.digest === null ? null : { is: 'unchanged', files: [] });
}

/**
 * What held when the loop was completed. A gate that held all along proves nothing, so the agent's word
 * stands for it.
 */
function heldAt(loop: Loop): DoneBy[] {
  const { frame } = loop;
  // The new tests fail without the work, which is as good as a check that was red at the start.
  const isShown = groundAt(loop)?.without === 'red';
  const held = gatesOf(frame).filter((gate) => !takesAny(frame) || holdsNow(gate, loop));
  const by = held.flatMap((gate): DoneBy[] => {
    const [is, needsNews] = KINDS[gate.kind];
    return !needsNews || wasOpen(gate) || (is === 'check' && isShown) ? [is] : [];
  });
  const isSaid = claimLine(frame) !== null && (!takesAny(frame) || by.length === 0);
  return isSaid || by.length === 0 || frame.items !== null ? [...by, 'said'] : by;
}

/**
 * What each gate shows, and whether it shows it only if it was open at the start. Stop hooks are checks in
 * code.
 */
const KINDS: Readonly<Record<Gate['kind'], readonly [is: DoneBy, needsNews: boolean]>> = {
  check: ['check', true],
  hooks: ['check', false],
  measures: ['measure', true],
  moved: ['moved', true],
  features: ['list', false],
  review: ['review', false],
  promise: ['said', false],
  signal: ['said', false],
};

function holdsNow(gate: Gate, { last }: Loop): boolean {
  if (gate.kind === 'check')
    return (
      last?.proofs.some(({ command, outcome }) => command === gate.command && outcome.is === 'passed') ===
      true
    );
  return last?.gateResults.some((gateResult) => gateResult.gate === gate.kind && gateResult.holds) === true;
}
