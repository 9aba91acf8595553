/**
 * What the gates of a frame require: which of them count, which were open when it began, and how the agent
 * claims it.
 */
import { type Frame, type Loop } from './loop.ts';
import type { Gate, Mode, FeaturesProof, MovedBaseline } from './record/definition.ts';
import type { CheckProof, GateResult } from './record/verdict.ts';

/** The promise of a frame that names none. */
export const USUAL_PROMISE = 'COMPLETE';

/**
 * A gate that held before the first pass proves nothing by itself. So a frame without any gate known to have
 * been open also requires the agent's promise. A list of items ends when its items do, and needs none.
 */
export function promiseOf(frame: Frame): string | null {
  for (const gate of frame.gates) if (gate.kind === 'promise') return gate.text;
  return asksToClaim(frame) ? USUAL_PROMISE : null;
}

/** Whether the promise is required only because no gate is known to have been open. */
export function asksToClaim({ gates, items }: Pick<Frame, 'gates' | 'items'>): boolean {
  return items === null && !gates.some(wasOpen);
}

export function wasOpen(gate: Gate): boolean {
  switch (gate.kind) {
    case 'check':
    case 'measures':
      return gate.begun === 'failed';
    case 'features':
      return gate.begun.is === 'read' && gate.begun.facts.next !== null;
    case 'moved':
      return gate.baseline.warning !== 'done-already';
    case 'promise':
    case 'signal':
    case 'hooks':
      return true;
    // It costs a whole agent, so it needs a claim, or another gate that was open.
    case 'review':
      return false;
  }
}

/** The line that claims a frame of this mode when no promise is required. */
export const CLAIMS: Readonly<Record<Mode, string>> = {
  loop: '<loop-done>COMPLETE</loop-done>',
  issue: '<issue-complete>DONE</issue-complete>',
  grind: '<grind-done>NO_MORE_ISSUES</grind-done>',
};

/** The line with which the agent claims the frame. Null: no claim is required. */
export function claimLine(frame: Frame, promise = promiseOf(frame)): string | null {
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

export type ReviewGate = Extract<Gate, { kind: 'review' }>;

/** All of them have to approve. */
export function reviewsOf(frame: Frame): readonly ReviewGate[] {
  return gatesOf(frame).filter((gate) => gate.kind === 'review');
}

/** A reviewer by name, as a person gives it. Each reviews a loop once. */
export function reviewerOf({ host, model }: Pick<ReviewGate, 'host' | 'model'>): string {
  return model === null ? host : `${host}:${model}`;
}

/** Whether this was seen of that gate, and not of another one of its kind. */
export function isOfGate({ gate: kind, by }: Pick<GateResult, 'gate' | 'by'>, gate: Gate): boolean {
  return kind === gate.kind && (gate.kind !== 'review' || by === reviewerOf(gate));
}

export function hasChoice(frame: Frame): boolean {
  return requirementsOf(frame).hasChoice;
}

/** Any gate that was open when the frame began is enough. If none was open, all gates are needed. */
export function takesAny({ gates, require }: Frame): boolean {
  return require === 'any' && gates.some(wasOpen);
}

/** By kind of gate: a table that leaves one out does not compile. */
export type ByGateKind<T = string> = Readonly<Record<Gate['kind'], (frame: Frame) => readonly T[]>>;

/** What a table has for the kinds of gates that this frame has, in the order of the table. */
export function byGateKind<T>(table: ByGateKind<T>, frame: Frame): T[] {
  const kinds = new Set<string>(frame.gates.map(({ kind }) => kind));
  // Measures without a goal are no gate, and are shown beside them.
  if (frame.measures !== undefined) kinds.add('measures');
  return Object.entries(table).flatMap(([kind, of]) => (kinds.has(kind) ? of(frame) : []));
}

/** The gates that count. The checks and the review of a list of items are for the frames of the items. */
export function gatesOf(frame: Frame, any = takesAny(frame)): readonly Gate[] {
  const own =
    frame.items === null
      ? frame.gates
      : frame.gates.filter(({ kind }) => kind !== 'check' && kind !== 'review');
  return any ? own.filter(wasOpen) : own;
}

/** What a frame requires, for those who ask for more than one part of it. */
export interface Requirements {
  /** The gates that count. */
  readonly gates: readonly Gate[];
  readonly checks: readonly CheckGate[];
  /** One of them is enough. */
  readonly any: boolean;
  /** The same, and there is more than one. */
  readonly hasChoice: boolean;
  readonly promise: string | null;
  /** The line with which the agent claims the frame. Null: no claim is required. */
  readonly claim: string | null;
}

export function requirementsOf(frame: Frame): Requirements {
  const any = takesAny(frame);
  const gates = gatesOf(frame, any);
  const promise = promiseOf(frame);
  return {
    gates,
    checks: checksIn(gates),
    any,
    hasChoice: any && gates.length > 1,
    promise,
    claim: claimLine(frame, promise),
  };
}

export type CheckGate = Extract<Gate, { kind: 'check' }>;

export function checksOf(frame: Frame): CheckGate[] {
  return checksIn(gatesOf(frame));
}

function checksIn(gates: readonly Gate[]): CheckGate[] {
  return gates.filter((gate) => gate.kind === 'check');
}

export function itemsPassing(proof: FeaturesProof | null): number | null {
  return proof?.is === 'read' ? proof.facts.passing : null;
}

export type Begun = NonNullable<CheckGate['begun']>;

/**
 * How a check stood before the first pass. Null: unknown, because the check was cut short before its own time
 * limit.
 */
export function begunOf({ outcome }: CheckProof, { timeoutMs }: Pick<CheckGate, 'timeoutMs'>): Begun | null {
  if (outcome.is === 'passed') return 'passed';
  return outcome.is === 'timed-out' && outcome.afterMs < timeoutMs ? null : 'failed';
}

/**
 * How many items were marked as passing since the checks last passed, if a check fails now. Repairing them
 * comes before any other item.
 */
export function unprovenItems(loop: Loop): number {
  const { frame } = loop;
  const proof = loop.last?.features ?? featuresOf(frame)?.begun;
  if (proof?.is !== 'read') return 0;
  const fails = loop.last?.proofs.some(({ outcome: { is } }) => is !== 'passed' && is !== 'not-yet') === true;
  return fails ? Math.max(0, proof.facts.passing - frame.itemsPassing) : 0;
}
