/** What the gates of a frame ask for. Whether they hold, the law says (`decide.ts`). */
import type { Gate, Mode } from './record/definition.ts';
import type { FeaturesProof } from './record/features.ts';
import type { Frame } from './loop.ts';
import type { MovedBaseline } from './record/moved.ts';

/** The promise where a frame names none. */
export const USUAL_PROMISE = 'COMPLETE';

/**
 * A gate that held before the first pass proves nothing by itself. So a frame none of whose gates is known to have been
 * open asks for the agent's promise as well. A list of items ends when its items do, and needs none.
 */
export function promiseOf(frame: Frame): string | null {
  for (const gate of frame.gates) if (gate.kind === 'promise') return gate.text;
  return asksToClaim(frame) ? USUAL_PROMISE : null;
}

/** The promise is asked for only because no gate is known to have been open. */
export function asksToClaim({ gates, items }: Frame): boolean {
  return items === null && !gates.some(wasOpen);
}

/** Known not to have held when the frame began. */
export function wasOpen(gate: Gate): boolean {
  switch (gate.kind) {
    case 'check':
      return gate.begun === 'failed';
    case 'features':
      return gate.begun.is === 'read' && gate.begun.facts.next !== null;
    case 'moved':
      return gate.baseline.warning !== 'done-already';
    case 'promise':
    case 'signal':
    case 'hooks':
      return true;
  }
}

/** The line that claims a frame of this mode, where no promise is asked for. */
export const CLAIMS: Readonly<Record<Mode, string>> = {
  loop: '<loop-done>COMPLETE</loop-done>',
  issue: '<issue-complete>DONE</issue-complete>',
  grind: '<grind-done>NO_MORE_ISSUES</grind-done>',
};

/** The line by which the agent claims the frame; null: no claim is asked for. */
export function claimLine(frame: Frame): string | null {
  const promise = promiseOf(frame);
  if (promise !== null) return `<promise>${promise}</promise>`;
  return frame.gates.some(({ kind }) => kind === 'signal') ? CLAIMS[frame.mode] : null;
}

export type FeaturesGate = Extract<Gate, { kind: 'features' }>;

export function featuresOf({ gates }: Pick<Frame, 'gates'>): FeaturesGate | null {
  return gates.find((gate) => gate.kind === 'features') ?? null;
}

export function movedBaselineOf(frame: Frame): MovedBaseline | null {
  for (const gate of frame.gates) if (gate.kind === 'moved') return gate.baseline;
  return null;
}

export type HooksGate = Extract<Gate, { kind: 'hooks' }>;

export function hooksOf({ gates }: Pick<Frame, 'gates'>): HooksGate | null {
  return gates.find((gate) => gate.kind === 'hooks') ?? null;
}

/** Whether one gate of several is enough. */
export function hasChoice(frame: Frame): boolean {
  return takesAny(frame) && gatesOf(frame).length > 1;
}

/** Any gate is enough that was open when the frame began. Where none was, all of them are needed. */
export function takesAny({ gates, require }: Frame): boolean {
  return require === 'any' && gates.some(wasOpen);
}

/** Those that count. The checks of a list of items are for the frames of the items. */
export function gatesOf(frame: Frame): readonly Gate[] {
  const own = frame.items === null ? frame.gates : frame.gates.filter(({ kind }) => kind !== 'check');
  return takesAny(frame) ? own.filter(wasOpen) : own;
}

export type CheckGate = Extract<Gate, { kind: 'check' }>;

export function checksOf(frame: Frame): CheckGate[] {
  return gatesOf(frame).filter((gate) => gate.kind === 'check');
}

export function itemsPassing(proof: FeaturesProof | null): number | null {
  return proof?.is === 'read' ? proof.facts.passing : null;
}
