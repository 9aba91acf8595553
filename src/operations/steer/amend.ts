/** A person gives a loop that has begun new checks, new limits or another promise. The work done so far still counts. */
import type { Actor } from '../../core/record/events.ts';
import { checksOf, type CheckGate } from '../../core/gates.ts';
import { hasEnded, topFrame, type Loop } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { NewLimits } from '../../text/next-step.ts';
import { sayStatus } from '../../text/status.ts';
import { title } from '../../text/to-person.ts';
import { showViews } from '../../views/views.ts';
import { CHECK_MS, refuseMissing } from '../begin/check-program.ts';
import { actOn, findOrNewest, type ActedOn, type Choice } from '../look/find.ts';
import { knownLoop } from '../look/loops.ts';
import { isAsked, refuseUsedUp, writeBounds } from './new-limits.ts';
import { refuseToAgents } from '../trust/people-only.ts';

export interface AmendOrder extends Choice {
  readonly by: Actor;
  readonly checks: readonly string[];
  readonly removeChecks: readonly string[];
  readonly promise: string | undefined;
  readonly limits: NewLimits;
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
  return refuse(
    'nothing-to-amend',
    'There is nothing to change.',
    'Say what: dacapo amend ID --check "npm test". dacapo amend --help lists the flags.',
  );
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
