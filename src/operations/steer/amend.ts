/** A person gives a loop that has begun new checks, new limits or another promise. The work done so far still counts. */
import type { Actor } from '../../core/record/events.ts';
import { checksOf, type CheckGate } from '../../core/gates.ts';
import { hasEnded, topFrame, type Loop } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { type NewLimits, boundsOf, withMore } from '../../text/next-step.ts';
import { sayStatus, title } from '../../text/status.ts';
import { showViews } from '../../views/views.ts';
import { CHECK_MS, refuseMissing } from '../begin/asked-gates.ts';
import { actOn, findOrNewest, type ActedOn, type Choice } from '../look/find.ts';
import { knownLoop } from '../look/loops.ts';
import { refuseToAgents } from '../trust/people-only.ts';
import {
  readCheck,
  readCost,
  readDuration,
  readEach,
  readMaxIterations,
  readPromise,
  readTokens,
  type Reading,
} from '../../flags/values.ts';

export interface Amendment {
  readonly checks: readonly string[];
  readonly removeChecks: readonly string[];
  readonly promise: string | undefined;
  readonly limits: NewLimits;
}

export interface AmendOrder extends Choice, Amendment {
  readonly by: Actor;
}

const NONE = refuse('none-to-amend', 'This project has no loop.', 'dacapo list --all shows those of others.');

export function amend(order: AmendOrder, runtime: Runtime): ActedOn {
  const refusal = refuseToAgents('dacapo amend', runtime.env) ?? refuseNothing(order);
  if (refusal !== null) return refusal;
  const found = findOrNewest(order, (loop) => !hasEnded(loop), runtime);
  return actOn(found, 'amend', NONE, runtime, (open) => change(open, order, runtime));
}

function refuseNothing({ checks, removeChecks, promise, limits }: AmendOrder): Refusal | null {
  if (checks.length + removeChecks.length > 0 || promise !== undefined || isAsked(limits)) return null;
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

function whyNot(loop: Loop, { checks, removeChecks, limits }: AmendOrder, runtime: Runtime): Refusal | null {
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
  const missing = refuseMissing(checks, runtime.env);
  return missing ?? (isAsked(limits) ? refuseUsedUp(loop, name, limits, runtime.now()) : null);
}

/** A new check has no baseline: it did not run before the first pass. */
function gateOf(command: string): CheckGate {
  return { kind: 'check', name: null, command, timeoutMs: CHECK_MS };
}

function write(open: OpenLoop, order: AmendOrder, runtime: Runtime): void {
  const { by, checks, removeChecks, promise, limits } = order;
  const hasChecks = checks.length + removeChecks.length > 0;
  if (hasChecks || promise !== undefined || limits.iterations !== undefined)
    open.write({
      type: 'amended',
      at: runtime.now(),
      by,
      prompt: null,
      iterations: limits.iterations === undefined ? null : (limits.iterations ?? 'unlimited'),
      ...(hasChecks && { checks: { add: checks.map(gateOf), remove: removeChecks } }),
      ...(promise !== undefined && { promise }),
    });
  writeBounds(open, limits, by, runtime);
}

export type LimitFlags = Readonly<
  Partial<Record<'maxIterations' | 'timeout' | 'maxCost' | 'maxTokens', string | undefined>>
>;

/** New limits count from the beginning of the loop. */
export function readNewLimits(flags: LimitFlags): Reading<NewLimits> {
  const wrong: Refusal[] = [];
  const read = <T>(flag: string, text: string | undefined, reader: (text: string) => Reading<T>) => {
    const reading = text === undefined ? null : reader(text);
    if (reading?.ok === false) wrong.push({ ...reading, message: `${flag} ${reading.message}` });
    return reading?.ok === true ? reading.value : undefined;
  };
  const value = {
    iterations: read('--max-iterations', flags.maxIterations, readMaxIterations),
    timeMs: read('--timeout', flags.timeout, readDuration),
    costUsd: read('--max-cost', flags.maxCost, readCost),
    tokens: read('--max-tokens', flags.maxTokens, readTokens),
  };
  return wrong[0] ?? { ok: true, value };
}

export interface AmendFlags extends LimitFlags {
  readonly check: readonly string[];
  readonly removeCheck: readonly string[];
  readonly promise: string | undefined;
}

export function readAmendment(flags: AmendFlags): Reading<Amendment> {
  const limits = readNewLimits(flags);
  if (!limits.ok) return limits;
  const checks = readEach(readCheck)(flags.check);
  if (!checks.ok) return { ...checks, message: `--check ${checks.message}` };
  const promise = flags.promise === undefined ? null : readPromise(flags.promise);
  if (promise?.ok === false) return { ...promise, message: `--promise ${promise.message}` };
  const [added, removeChecks] = [checks.value, flags.removeCheck];
  return { ok: true, value: { checks: added, removeChecks, promise: promise?.value, limits: limits.value } };
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
