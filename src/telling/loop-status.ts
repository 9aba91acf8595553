/**
 * The one read model of a loop: what `dacapo status --json` prints. Lists, cards, the fleet's rows, MCP and
 * the library take their fields from it.
 */
import { sayFeatures } from './person/features.ts';
import {
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
import { framesOf, hasEnded, workedMs, type Frame, type LastHearing, type Loop } from '#law/loop.ts';
import type { Gate } from '#law/record/definition.ts';
import type { CheckOutcome, GateResult } from '#law/record/verdict.ts';
import { sayGoalsOf, sayMeasures } from '#law/measures.ts';
import { doneOf } from '#law/proof/done.ts';
import { confirmations } from '#law/proof/news.ts';
import { plural, sayHooks, sayMissing, sayProtect, sayReviewer } from '#law/words/phrases.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
import { sayHow } from './person/requests.ts';
import { asShown, iterationShown, sayStatus } from './person/status.ts';

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

export type LoopStatus = Readonly<ReturnType<typeof statusOf>>;

export function statusOf(loop: Loop, now: string) {
  const shown = asShown(loop);
  const { frame } = shown;
  const done = doneOf(shown);
  return {
    id: shown.id,
    name: shown.name,
    host: shown.host,
    status: shown.status.is,
    reason: sayStatus(shown),
    /**
     * By what it is done: `check`, `review`, `measure`, `moved`, `list`, `said`, `accepted`. Null: it is not
     * done.
     */
    doneBy: done?.by ?? null,
    /** Whether something other than the agent shows it, on ground that the loop has not changed. */
    proven: done?.proven ?? null,
    /**
     * `unchanged`, `old`: the checks also pass with the tests of the start, or `changed`. Null: no checks, or
     * not known.
     */
    ground: done?.ground ?? null,
    /** The tests and configs behind the checks that have changed. */
    ground_changed: done?.files ?? [],
    /** `check`, `approval`, `limit` …; null: it does not wait. */
    waits_for: 'for' in shown.status ? shown.status.for : null,
    /** At most; null: it does not wait, or nobody knows. */
    waits_until: 'until' in shown.status ? shown.status.until : null,
    /**
     * The open pass; for an ended loop, the last pass that ended. All iterations of a list belong to its
     * items.
     */
    iteration: iterationShown(shown) + (frame.items === null ? 0 : frame.inner.iterations),
    max_iterations: frame.iterations,
    session_id: shown.session.owner?.session ?? null,
    gates: gateStatuses(shown),
    /**
     * The outermost first. The last one is at work, and `iteration`, `max_iterations` and `gates` are its
     * own.
     */
    frames: framesOf(shown).map(({ mode, passes, iterations, item, inner }) => ({
      mode,
      iteration: hasEnded(shown) ? passes : passes + 1,
      max_iterations: iterations,
      item,
      /** Ended frames inside it: the totals by outcome, and the last few. */
      inner,
    })),
    driver: shown.driver,
    project: shown.project,
    worked_seconds: Math.round(workedMs(shown, now) / 1000),
    /** The total that was counted. In a session the cost is estimated from the tokens. */
    cost_usd: Math.round(shown.spent.costUsd * 1e6) / 1e6,
    max_cost_usd: shown.limits.costUsd,
    tokens: shown.spent.tokens,
    max_tokens: shown.limits.tokens,
    /** Stops in a row that showed the same result while nothing changed. */
    stalls: shown.circuit.times,
    max_stalls: shown.limits.stalls,
    context_tokens: shown.session.context?.tokens ?? null,
    context_window: shown.session.context?.window ?? null,
    started_at: shown.startedAt,
    updated_at: shown.updatedAt,
  };
}

function gateStatuses(loop: Loop): readonly GateStatus[] {
  const { frame } = loop;
  const { last, protection } = loop;
  const [features, move, hooks] = [featuresOf(frame), movedBaselineOf(frame), hooksOf(frame)];
  const saw = (gate: GateStatus['gate'], wanted: string, of?: Gate): GateStatus => {
    const gateResult = last?.gateResults.find((one) =>
      of === undefined ? one.gate === gate : isOfGate(one, of),
    );
    return { gate, wanted, holds: gateResult?.holds ?? null, seen: gateResult?.says ?? null };
  };
  const others = [
    ...checksOf(frame).map((check) => checkStatus(check, last)),
    ...(features === null ? [] : [featuresStatus(features, last)]),
    ...(move === null ? [] : [saw('moved', `${move.file} is in ${move.folder}`)]),
    ...(hooks === null ? [] : [saw('hooks', sayHooks(hooks))]),
    ...measuresStatus(frame, saw),
    ...reviewsOf(frame).map((gate) => saw('review', `${sayReviewer(gate)} approves`, gate)),
  ];
  return [
    ...promiseStatus(frame, last, others),
    ...others,
    ...(protection.protect.length === 0 ? [] : [saw('protected', sayProtect(protection.protect))]),
    ...groundStatus(loop),
    ...confirmedStatus(loop),
    ...personStatus(loop),
  ];
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
  const lacks = verdict !== undefined && 'missing' in verdict ? verdict.missing : [];
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
  const [goals] = sayGoalsOf(frame);
  const seen = saw('measures', goals ?? measures.map(({ name }) => name).join(', '));
  return measures.length === 0 ? [] : [{ ...seen, seen: seen.seen ?? sayMeasures(measures, begun) }];
}

/** Only where something has changed: in all other loops it is no news. */
function groundStatus({ last }: Loop): GateStatus[] {
  const gateResult = last?.gateResults.find(({ gate }) => gate === 'ground');
  if (gateResult === undefined) return [];
  const { holds, says } = gateResult;
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
