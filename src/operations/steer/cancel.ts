/** Ends loops. Cancelling a loop that has ended is no error. */
import type { By } from '../../core/record/events.ts';
import { hasEnded, type Loop } from '../../core/loop.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { stopAwaitingPrompt } from '../begin/await-prompt.ts';
import { cancelLoop } from './control.ts';
import { findLoop, isUnclear, loopsToActOn, refuseUnclear, type Choice } from '../look/find.ts';
import { withLoop } from '../look/loops.ts';
import { refuseToLift } from '../trust/people-only.ts';

export interface Cancelled {
  readonly ok: true;
  /** The loops that the choice could mean, as they were before. */
  readonly meant: readonly Loop[];
  /** The loops that this call ended. */
  readonly cancelled: readonly Loop[];
}

export function cancel(choice: Choice, by: By, world: Runtime): Cancelled | Refusal {
  const found = findLoop(choice, canBeCancelled, world);
  if (isUnclear(found)) return refuseUnclear(found, 'cancel');
  return cancelEach(found.is === 'one' ? [found.loop] : [], by, world);
}

export function cancelAll(choice: Omit<Choice, 'id'>, by: By, world: Runtime): Cancelled | Refusal {
  const { own, below } = loopsToActOn(choice, world);
  const meant = own.filter(canBeCancelled);
  const others = below.filter(canBeCancelled);
  if (meant.length === 0 && others.length > 0) return refuseUnclear({ is: 'below', loops: others }, 'cancel');
  return cancelEach(meant, by, world);
}

function cancelEach(meant: readonly Loop[], by: By, world: Runtime): Cancelled | Refusal {
  const [refusal] = meant.flatMap((loop) => refuseToLift(`dacapo cancel ${loop.id}`, loop, world.env) ?? []);
  if (refusal !== undefined) return refusal;
  const cancelled = meant.flatMap(
    ({ id }) => withLoop(id, world, (open) => cancelOne(open, by, world)) ?? [],
  );
  return { ok: true, meant, cancelled };
}

function cancelOne(open: OpenLoop, by: By, world: Runtime): Loop | null {
  const { status } = open.loop();
  const cancelled = cancelLoop(open, by, null, world);
  if (status.is === 'pending') stopAwaitingPrompt(open, world);
  return cancelled;
}

function canBeCancelled(loop: Loop): boolean {
  return !hasEnded(loop);
}
