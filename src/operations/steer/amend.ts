/** A person gives a loop that has begun other checks, measures or limits, or another promise. The work done so far still counts. */
import type { Actor } from '../../core/record/events.ts';
import { checksOf, type CheckGate } from '../../core/gates.ts';
import { hasEnded, topFrame, type Loop } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { text as isText } from '../../core/shape.ts';
import { flagsOf, type Flag } from '../../flags/table.ts';
import { readFlags, type FlagValues } from '../../flags/words.ts';
import { type NewLimits, boundsOf, withMore } from '../../text/next-step.ts';
import { sayStatus, title } from '../../text/status.ts';
import { showViews } from '../../views/views.ts';
import { CHECK_MS, refuseMissing } from '../begin/asked-gates.ts';
import { actOn, findOrNewest, type ActedOn, type Choice } from '../look/find.ts';
import { knownLoop } from '../look/loops.ts';
import {
  changesMeasures,
  measureNow,
  measuresAfter,
  type MeasureChange,
  type TakenMeasures,
} from './amend-measures.ts';
import { refuseToAgents } from '../trust/people-only.ts';
import {
  readCheck,
  readCost,
  readDuration,
  readEach,
  readMaxIterations,
  readMeasure,
  readName,
  readPromise,
  readTarget,
  readTokens,
  type Reading,
} from '../../flags/values.ts';

export interface Amendment extends MeasureChange {
  readonly checks: readonly string[];
  readonly removeChecks: readonly string[];
  readonly promise: string | undefined;
  readonly limits: NewLimits;
}

export const NO_AMENDMENT: Amendment = {
  checks: [],
  removeChecks: [],
  measures: [],
  removeMeasures: [],
  keep: [],
  targets: [],
  removeGoals: [],
  promise: undefined,
  limits: {},
};

export interface AmendOrder extends Choice, Amendment, TakenMeasures {
  readonly by: Actor;
}

const NONE = refuse('none-to-amend', 'This project has no loop.', 'dacapo list --all shows those of others.');

export function amend(order: AmendOrder, runtime: Runtime): ActedOn {
  const refusal = refuseToAgents('dacapo amend', runtime.env) ?? refuseNothing(order);
  if (refusal !== null) return refusal;
  const found = findOrNewest(order, (loop) => !hasEnded(loop), runtime);
  return actOn(found, 'amend', NONE, runtime, (open) => change(open, order, runtime));
}

/** For a loop whose work tree is here: takes the new measures first, as a start does. */
export async function amendHere(order: AmendOrder, runtime: Runtime): Promise<ActedOn> {
  const found = findOrNewest(order, (loop) => !hasEnded(loop), runtime);
  const mayMeasure = refuseToAgents('dacapo amend', runtime.env) === null && order.measures.length > 0;
  if (!mayMeasure || found.is !== 'one') return amend(order, runtime);
  const taken = await measureNow(order.measures, found.loop, runtime);
  return taken.ok ? amend({ ...order, taken: taken.value }, runtime) : taken;
}

function refuseNothing({ promise, limits, ...order }: AmendOrder): Refusal | null {
  const { checks, removeChecks } = order;
  const isEmpty = checks.length + removeChecks.length === 0 && !changesMeasures(order);
  if (!isEmpty || promise !== undefined || isAsked(limits)) return null;
  const next = 'Say what: dacapo amend ID --check "npm test". dacapo amend --help lists the flags.';
  return refuse('nothing-to-amend', 'There is nothing to change.', next);
}

function change(open: OpenLoop, order: AmendOrder, runtime: Runtime): ActedOn {
  const refusal = whyNot(open.look(), order, runtime);
  if (refusal !== null) return refusal;
  write(open, order, runtime);
  if (!hasEnded(open.loop())) showViews(open, runtime);
  open.keep();
  return { ok: true, loop: knownLoop(open, runtime) };
}

function whyNot(loop: Loop, order: AmendOrder, runtime: Runtime): Refusal | null {
  const { checks, removeChecks, limits } = order;
  const name = `Loop ${title(loop)}`;
  if (loop.status.is === 'completed') return refuse('completed', `${name} is completed.`, 'Start a new one.');
  if (hasEnded(loop) && isAsked(limits))
    return refuse(
      'ended',
      `${name} ${sayStatus(loop)}.`,
      `dacapo resume ${loop.id} takes new limits and continues it.`,
    );
  const known = checksOf(topFrame(loop)).map(({ command }) => command);
  const unknown = removeChecks.find((command) => !known.includes(command));
  if (unknown !== undefined)
    return refuse(
      'no-check',
      `${name} has no check ${JSON.stringify(unknown)}.`,
      known.length === 0
        ? 'It has none.'
        : `It has: ${known.map((command) => JSON.stringify(command)).join(', ')}.`,
    );
  const measures = measuresAfter(loop, order);
  const missing = measures.ok ? refuseMissing(checks, runtime.env) : measures;
  return missing ?? (isAsked(limits) ? refuseUsedUp(loop, name, limits, runtime.now()) : null);
}

/** A new check has no baseline: it did not run before the first pass. */
function gateOf(command: string): CheckGate {
  return { kind: 'check', name: null, command, timeoutMs: CHECK_MS };
}

function write(open: OpenLoop, order: AmendOrder, runtime: Runtime): void {
  const { by, checks, removeChecks, promise, limits } = order;
  const hasChecks = checks.length + removeChecks.length > 0;
  const measures = changesMeasures(order) ? measuresAfter(open.look(), order) : null;
  if (hasChecks || promise !== undefined || measures?.ok || limits.iterations !== undefined)
    open.write({
      type: 'amended',
      at: runtime.now(),
      by,
      prompt: null,
      iterations: limits.iterations === undefined ? null : (limits.iterations ?? 'unlimited'),
      ...(hasChecks && { checks: { add: checks.map(gateOf), remove: removeChecks } }),
      ...(promise !== undefined && { promise }),
      ...(measures?.ok && { measures: measures.value }),
    });
  writeBounds(open, limits, by, runtime);
}

const limit = flagsOf<NewLimits>();
const LIMITS: readonly Flag<NewLimits>[] = [
  limit.one('--max-iterations', 'iterations', readMaxIterations),
  limit.one('--timeout', 'timeMs', readDuration),
  limit.one('--max-cost', 'costUsd', readCost),
  limit.one('--max-tokens', 'tokens', readTokens),
];

const { one, many } = flagsOf<Amendment>();
const CHANGES: readonly Flag<Amendment>[] = [
  many('--check', 'checks', readEach(readCheck)),
  many('--remove-check', 'removeChecks', readEach(readCheck)),
  many('--measure', 'measures', readEach(readMeasure)),
  many('--remove-measure', 'removeMeasures', readEach(readName)),
  many('--keep', 'keep', readEach(readName)),
  many('--target', 'targets', readEach(readTarget)),
  many('--remove-goal', 'removeGoals', readEach(readName)),
  one('--promise', 'promise', readPromise),
];

/** `flags`: as the command line gives them, by field: `--max-cost` is `maxCost`. What is no flag of ours is passed over. */
function givenIn(flags: object): FlagValues {
  const pairs = Object.entries(flags).map(([field, value]): [string, string[]] => {
    return [`--${field.replace(/[A-Z]/g, '-$&').toLowerCase()}`, [value].flat().filter(isText)];
  });
  return new Map(pairs.filter(([, values]) => values.length > 0));
}

/** New limits count from the beginning of the loop. */
export function readNewLimits(flags: object): Reading<NewLimits> {
  return readFlags(LIMITS, givenIn(flags), {});
}

export function readAmendment(flags: object): Reading<Amendment> {
  const limits = readNewLimits(flags);
  if (!limits.ok) return limits;
  return readFlags(CHANGES, givenIn(flags), { ...NO_AMENDMENT, limits: limits.value });
}

export function isAsked(limits: NewLimits): boolean {
  return Object.values(limits).some((limit) => limit !== undefined);
}

export function refuseUsedUp(loop: Loop, name: string, limits: NewLimits, now: string): Refusal | null {
  const over = boundsOf(loop, limits, now).find(({ isUsedUp }) => isUsedUp);
  if (over === undefined) return null;
  const { used, bound, given } = over;
  const why = `${name} has used ${used}, so ${given ? 'a limit' : 'its limit'} of ${bound} leaves none.`;
  return refuse('used-up', why, `give it more: ${withMore(loop, now, limits)}`);
}

/** Writes the limits of time, money and tokens, if there are any. Those of iterations belong to a frame. */
export function writeBounds(open: OpenLoop, limits: NewLimits, by: Actor, runtime: Runtime): void {
  const { timeMs = null, costUsd = null, tokens = null } = limits;
  if ((timeMs ?? costUsd ?? tokens) === null) return;
  open.write({ type: 'bounded', at: runtime.now(), by, timeMs, costUsd, tokens });
  open.keep();
}
