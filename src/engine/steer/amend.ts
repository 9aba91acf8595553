/**
 * A person gives a loop that has begun other checks, measures or limits, or another promise. The work done so
 * far still counts.
 */
import type { Actor } from '#law/record/events.ts';
import { checksOf, type CheckGate } from '#law/gates.ts';
import type { Goal, Measure } from '#law/record/definition.ts';
import type { StartOptions } from '#input/options.ts';
import { takeMeasures } from '#evidence/proofs/measures.ts';
import { outermostOf, hasEnded, type Loop } from '#law/loop.ts';
import { refuse } from '#base/refusal.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { advise, type Refused } from '#telling/advice.ts';
import { type NewLimits, boundsOf, withMore } from '#telling/next-step.ts';
import { title } from '#telling/person/status.ts';
import { showAndKeep } from '#evidence/views/views.ts';
import { CHECK_MS, refuseMissing } from '../asked/gates.ts';
import { refuseKept, refuseMeasureName, withFirstValues } from '../asked/measures.ts';
import { runOutsideStop } from '../begin/prepare.ts';
import { refuseEnded, refusePruned, type ActedOn, type Choice } from '../look/find.ts';
import { knownLoop, whileOpen } from '../look/loops.ts';
import { actOnLoop, goesOn, openResolved, resolveLoop } from './resolve.ts';
import { refuseToAgents } from '../trust/people-only.ts';
import type { Reading } from '#input/values.ts';

/**
 * `measures`: new ones, or another command for those that there are. Goals replace those that the measure
 * had.
 */
export interface Amendment extends Pick<StartOptions, 'measures' | 'keep' | 'targets'> {
  readonly checks: readonly string[];
  readonly removeChecks: readonly string[];
  readonly removeMeasures: readonly string[];
  readonly removeGoals: readonly string[];
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

export interface AmendOrder extends Choice, Amendment {
  readonly by: Actor;
  /** The new measures with their first values. Absent: the work tree is not on this machine. */
  readonly taken?: readonly Measure[];
}

const NONE = refuse(
  'none-to-amend',
  'This project has no loop.',
  advise`${{ verb: 'list-all' }} shows those of others.`,
);

export function amend(order: AmendOrder, runtime: Runtime): ActedOn {
  const refusal = refuseToAgents('dacapo amend', runtime.env) ?? refuseNothing(order);
  if (refusal !== null) return refusal;
  return actOnLoop(resolveLoop(order, TO_AMEND, runtime), { verb: 'amend' }, NONE, (open) =>
    change(open, order, runtime),
  );
}

const TO_AMEND = { fits: goesOn, orNewest: true };

/** For a loop whose work tree is here: takes the new measures first, as a start does. */
export async function amendHere(order: AmendOrder, runtime: Runtime): Promise<ActedOn> {
  if (order.measures.length === 0) return amend(order, runtime);
  const refusal = refuseToAgents('dacapo amend', runtime.env);
  if (refusal !== null) return refusal;
  return whileOpen(
    openResolved(resolveLoop(order, TO_AMEND, runtime), { verb: 'amend' }, NONE),
    async (open) => {
      const taken = await measureNow(order.measures, open.loop(), runtime);
      return taken.ok ? change(open, { ...order, taken: taken.value }, runtime) : taken;
    },
  );
}

function refuseNothing(order: AmendOrder): Refused | null {
  const { checks, removeChecks, promise, limits } = order;
  const isEmpty = checks.length + removeChecks.length === 0 && !changesMeasures(order);
  if (!isEmpty || promise !== undefined || isAsked(limits)) return null;
  const check = { verb: 'amend', loop: 'ID', flags: ['--check "npm test"'] } as const;
  const help = { verb: 'amend', flags: ['--help'] } as const;
  const next = advise`Say what: ${check}. ${help} lists the flags.`;
  return refuse('nothing-to-amend', 'There is nothing to change.', next);
}

function change(open: OpenLoop, order: AmendOrder, runtime: Runtime): ActedOn {
  const before = open.look();
  const refusal = whyNot(before, order, runtime);
  if (refusal !== null) return refusal;
  write(open, order, runtime);
  if (hasEnded(open.loop())) open.keep();
  else showAndKeep(open, runtime);
  const pruned = refusePruned(open.look());
  if (pruned !== null) return pruned;
  // Somebody ended it between our look and our line, and nothing follows an ending.
  if (!hasEnded(before) && hasEnded(open.look())) return refuseEnded(open.loop(), runtime.now());
  return { ok: true, loop: knownLoop(open, runtime) };
}

function whyNot(loop: Loop, order: AmendOrder, runtime: Runtime): Refused | null {
  const { checks, removeChecks, limits } = order;
  const name = `Loop ${title(loop)}`;
  if (loop.status.is === 'completed') return refuse('completed', `${name} is completed.`, 'Start a new one.');
  // It takes new limits when it is resumed.
  if (hasEnded(loop) && isAsked(limits)) return refuseEnded(loop, runtime.now());
  const known = checksOf(loop.frame).map(({ command }) => command);
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

const UNAIMED = { timeoutMs: CHECK_MS, added: true, goals: [] };

function changesMeasures(change: Amendment): boolean {
  const { measures, removeMeasures, keep, targets, removeGoals } = change;
  return [measures, removeMeasures, keep, targets, removeGoals].some(({ length }) => length > 0);
}

async function measureNow(
  measures: StartOptions['measures'],
  { project, limits: { checking } }: Loop,
  runtime: Runtime,
): Promise<Reading<readonly Measure[]>> {
  const commands = measures.map(({ command }) => command);
  const missing = refuseMissing(commands, runtime.env);
  if (missing !== null) return missing;
  const asked = measures.map((measure) => ({ ...measure, ...UNAIMED, keep: false, targets: [] }));
  const terms = { cwd: project, parallel: checking.parallel, budgetMs: checking.timeoutMs };
  const taken = await runOutsideStop(terms, runtime, (whole) => takeMeasures(asked, whole));
  return withFirstValues(asked, taken, ' Nothing was changed.');
}

/** The measures of the loop as they will be. One that is removed and given again begins without goals. */
function measuresAfter(loop: Loop, change: AmendOrder): Reading<readonly Measure[]> {
  const { measures: before = [], require } = outermostOf(loop);
  const { removeMeasures, keep, targets, removeGoals } = change;
  const given = change.taken ?? change.measures.map((measure): Measure => ({ ...UNAIMED, ...measure }));
  const namesOf = (measures: readonly Measure[]) => measures.map(({ name }) => name);
  const stay = before.filter(({ name }) => !removeMeasures.includes(name));
  const all = [
    ...stay.map((measure): Measure => {
      const other = given.find(({ name }) => name === measure.name);
      return other === undefined ? measure : { ...other, goals: measure.goals };
    }),
    ...given.filter(({ name }) => !namesOf(stay).includes(name)),
  ];
  const aimed = [...keep, ...removeGoals, ...targets.map(({ name }) => name)];
  const unknown =
    removeMeasures.find((name) => !namesOf(before).includes(name)) ??
    aimed.find((name) => !namesOf(all).includes(name));
  if (unknown !== undefined) return refuseMeasureName(unknown, namesOf(all));
  const kept = all.filter(({ name }) => keep.includes(name));
  const unseen = kept.find(({ begun }) => begun === undefined);
  if (unseen !== undefined)
    return refuse(
      'bad-measure',
      `The first value of ${unseen.name} is not known, so it can't be kept.`,
      `Give the number: --target "${unseen.name}>=NUMBER".`,
    );
  const goalsOf = ({ name, begun, goals }: Measure): readonly Goal[] => {
    const aims = targets.filter((one) => one.name === name).map(({ is, bound }) => ({ is, bound }));
    if (keep.includes(name) && begun !== undefined) aims.unshift({ is: '>=', bound: begun });
    return aims.length > 0 || removeGoals.includes(name) ? aims : goals;
  };
  const value = all.map((measure) => ({ ...measure, goals: goalsOf(measure) }));
  return refuseKept(require, kept.length > 0) ?? { ok: true, value };
}

export function isAsked(limits: NewLimits): boolean {
  return Object.values(limits).some((limit) => limit !== undefined);
}

export function refuseUsedUp(loop: Loop, name: string, limits: NewLimits, now: string): Refused | null {
  const over = boundsOf(loop, limits, now).find(({ isUsedUp }) => isUsedUp);
  if (over === undefined) return null;
  const { used, bound, given } = over;
  const why = `${name} has used ${used}, so ${given ? 'a limit' : 'its limit'} of ${bound} leaves none.`;
  return refuse('used-up', why, advise`give it more: ${withMore(loop, now, limits)}`);
}

/** Writes the limits of time, money and tokens, if there are any. Those of iterations belong to a frame. */
export function writeBounds(open: OpenLoop, limits: NewLimits, by: Actor, runtime: Runtime): void {
  const { timeMs = null, costUsd = null, tokens = null } = limits;
  if ((timeMs ?? costUsd ?? tokens) === null) return;
  open.write({ type: 'bounded', at: runtime.now(), by, timeMs, costUsd, tokens });
  open.keep();
}
