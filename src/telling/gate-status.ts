/** How each gate of the frame at work stood when it was last looked at. */
import { sayFeatures } from './person/features.ts';
import {
  byGateKind,
  checksOf,
  claimLine,
  featuresOf,
  hasChoice,
  hooksOf,
  isOfGate,
  movedBaselineOf,
  promiseOf,
  reviewsOf,
  type CheckGate,
  type FeaturesGate,
} from '#law/gates.ts';
import type { Frame, LastHearing, Loop } from '#law/loop.ts';
import type { Gate } from '#law/record/definition.ts';
import type { CheckOutcome, GateResult, Missing } from '#law/record/verdict.ts';
import { sayGoalsOf, sayMeasures } from '#law/measures.ts';
import { confirmations } from '#law/proof/news.ts';
import { plural, sayHooks, sayMissing, sayProtect, sayReviewer } from '#law/words/phrases.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
import { sayHow } from './person/requests.ts';

export interface GateStatus {
  /**
   * `confirmed`: passes looked for what is missing and changed nothing. `confirmation`: a person says that it
   * is done.
   */
  readonly gate: GateResult['gate'] | 'promise' | 'signal' | 'check' | 'confirmed' | 'confirmation';
  readonly wanted: string;
  readonly name?: string;
  readonly holds: boolean | null;
  readonly seen: string | null;
}

export function gateStatuses(loop: Loop): readonly GateStatus[] {
  const { frame } = loop;
  const { last, protection } = loop;
  const saw = (gate: GateStatus['gate'], wanted: string, of?: Gate): GateStatus => {
    const gateResult = last?.gateResults.find((one) =>
      of === undefined ? one.gate === gate : isOfGate(one, of),
    );
    return { gate, wanted, holds: gateResult?.holds ?? null, seen: gateResult?.says ?? null };
  };
  const others = byGateKind<GateStatus>(
    {
      promise: () => [],
      signal: () => [],
      check: () => checksOf(frame).map((check) => checkStatus(check, last)),
      features: () => {
        const features = featuresOf(frame);
        return features === null ? [] : [featuresStatus(features, last)];
      },
      moved: () => {
        const move = movedBaselineOf(frame);
        return move === null ? [] : [saw('moved', `${move.file} is in ${move.folder}`)];
      },
      hooks: () => {
        const hooks = hooksOf(frame);
        return hooks === null ? [] : [saw('hooks', sayHooks(hooks))];
      },
      measures: () => measuresStatus(frame, saw),
      review: () => reviewsOf(frame).map((gate) => saw('review', `${sayReviewer(gate)} approves`, gate)),
    },
    frame,
  );
  return [
    ...promiseStatus(frame, last, others),
    ...others,
    ...(protection.protect.length === 0 ? [] : [saw('protected', sayProtect(protection.protect))]),
    ...groundStatus(loop),
    ...confirmedStatus(loop),
    ...personStatus(loop),
  ];
}

export type HoldsMark = '✓' | '✗' | '·';

/** For text without colours. */
export function markHolds(holds: boolean | null): HoldsMark {
  return holds === null ? '·' : holds ? '✓' : '✗';
}

/** A check that says "not yet" is neither green nor red. */
export function holdsOf({ is }: CheckOutcome): boolean | null {
  return is === 'not-yet' ? null : is === 'passed';
}

function checkStatus({ name, command }: CheckGate, last: LastHearing | null): GateStatus {
  const outcome = last?.proofs.find((proof) => proof.command === command)?.outcome;
  const holds = outcome === undefined ? null : holdsOf(outcome);
  const seen = outcome === undefined ? null : sayOutcome(outcome);
  return { gate: 'check', wanted: command, ...(name !== null && { name }), holds, seen };
}

function promiseStatus(frame: Frame, last: LastHearing | null, others: readonly GateStatus[]): GateStatus[] {
  const promise = promiseOf(frame);
  const wanted = promise ?? claimLine(frame);
  if (wanted === null) return [];
  const gate = promise === null ? 'signal' : 'promise';
  const verdict = last?.looked ?? undefined;
  const lacks = lacksOf(last);
  const lack = lacks.find((lacking) => lacking.gate === gate);
  // A stale stop is let through before its gates are tested.
  const judged = verdict !== undefined && !(verdict.is === 'exhaust' && verdict.limit === 'staleness');
  // If any gate is enough, the verdict does not say whether the promise was given besides the gate that held.
  // While a protected file is changed, only that is reported.
  const slipped = lacks.some(({ gate }) => gate === 'protected');
  const known =
    judged && !slipped && !(hasChoice(frame) && lack === undefined && others.some(({ holds }) => holds));
  const seen = lack?.gate === 'promise' ? (lack.seen ?? (lack.questioned ? sayMissing(lack) : null)) : null;
  return [{ gate, wanted, holds: known ? lack === undefined : null, seen }];
}

/** What the gates lacked when they were last tested. */
function lacksOf(last: LastHearing | null): readonly Missing[] {
  const verdict = last?.looked ?? null;
  return verdict !== null && 'missing' in verdict ? verdict.missing : [];
}

function featuresStatus({ file, begun }: FeaturesGate, last: LastHearing | null): GateStatus {
  const proof = last?.features ?? null;
  const holds = proof === null ? null : proof.is === 'read' && proof.facts.next === null;
  const wanted = `every item of ${file} passes`;
  return { gate: 'features', wanted, holds, seen: sayFeatures(file, proof ?? begun) };
}

/**
 * All measures in one row, also those that are only told. Before the first stop it says what they were at the
 * start.
 */
function measuresStatus(frame: Frame, saw: (gate: 'measures', wanted: string) => GateStatus): GateStatus[] {
  const { measures = [] } = frame;
  const begun = measures.flatMap(({ name, begun: value }) => (value === undefined ? [] : [{ name, value }]));
  if (measures.length === 0) return [];
  const [goals] = sayGoalsOf(frame);
  const seen = saw('measures', goals ?? measures.map(({ name }) => name).join(', '));
  return [{ ...seen, seen: seen.seen ?? sayMeasures(measures, begun) }];
}

/**
 * Only where something has changed: in all other loops it is no news. It is looked at where the gates hold,
 * so where something else is missing by now, what was seen is from an earlier stop.
 */
function groundStatus({ last }: Loop): GateStatus[] {
  const gateResult = last?.gateResults.find(({ gate }) => gate === 'ground');
  if (gateResult === undefined) return [];
  const { holds, says } = gateResult;
  const lacks = lacksOf(last).map(({ gate }) => gate);
  if (lacks.length > 0 && (holds ? lacks.includes('check') : !lacks.includes('ground'))) return [];
  return [{ gate: 'ground', wanted: 'the checks pass with the tests of the start', holds, seen: says }];
}

function confirmedStatus(loop: Loop): GateStatus[] {
  const { confirm, items } = loop.frame;
  if (confirm === undefined || items !== null) return [];
  const times = loop.status.is === 'completed' ? confirm : confirmations(loop);
  const holds = times === null ? null : times >= confirm;
  const wanted = `${plural(confirm, 'iteration')} in a row without a change`;
  return [
    { gate: 'confirmed', wanted, holds, seen: times === null ? null : `confirmed ${times} of ${confirm}` },
  ];
}

/** With `--approve-done`. Of an inner frame nobody asks. */
function personStatus({ people: { approvals, requests }, around }: Loop): GateStatus[] {
  if (!approvals?.done || around.length > 0) return [];
  const asked = requests.findLast(({ kind, answer }) => kind === 'completion' && answer !== null);
  const holds = asked === undefined ? null : asked.answer?.is === 'approved';
  const seen = asked === undefined ? null : sayHow(asked);
  return [{ gate: 'confirmation', wanted: 'by you', holds, seen }];
}
