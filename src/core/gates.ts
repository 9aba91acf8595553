/** What the gates of a frame ask for. Whether they hold, the law says (`decide.ts`). */
import type { Gate, Mode } from './definition.ts';
import type { FeaturesProof } from './features.ts';
import type { Frame } from './loop.ts';
import type { MovedBaseline } from './moved.ts';

export function promiseOf(frame: Frame): string | null {
  for (const gate of frame.gates) if (gate.kind === 'promise') return gate.text;
  return null;
}

/** The line that claims a frame of this mode (seed 001), where no promise is asked for. */
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
  return frame.require === 'any' && gatesOf(frame).length > 1;
}

/** Those of the frame itself: the checks of a list of items are for the frames of the items. */
export function gatesOf({ gates, items }: Frame): readonly Gate[] {
  return items === null ? gates : gates.filter(({ kind }) => kind !== 'check');
}

export type CheckGate = Extract<Gate, { kind: 'check' }>;

export function checksOf(frame: Frame): CheckGate[] {
  return gatesOf(frame).filter((gate) => gate.kind === 'check');
}

export function itemsPassing(proof: FeaturesProof | null): number | null {
  return proof?.is === 'read' ? proof.facts.passing : null;
}
