/** Keeps further passes from starting. Pausing a paused loop is not an error. */
import type { Actor } from '../../core/record/events.ts';
import { hasEnded, type Loop } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { Runtime } from '../../store/runtime.ts';
import { sayStatus } from '../../text/status.ts';
import { title } from '../../text/to-person.ts';
import { pauseLoop } from './control.ts';
import { findLoop, isUnclear, refuseGone, refuseUnclear, type Choice } from '../look/find.ts';
import { knownLoop, withLoop } from '../look/loops.ts';
import { refuseToLift } from '../trust/people-only.ts';

/** Returns the loop as it is now. It may have ended meanwhile: rendering its view may show that a person deleted it. */
export function pause(
  choice: Choice,
  by: Actor,
  runtime: Runtime,
): { readonly ok: true; readonly loop: Loop } | Refusal {
  const going = findLoop(choice, (loop) => !hasEnded(loop) && loop.status.is !== 'paused', runtime);
  const found = going.is === 'none' ? findLoop(choice, (loop) => !hasEnded(loop), runtime) : going;
  if (isUnclear(found)) return refuseUnclear(found, 'pause');
  if (found.is === 'none')
    return refuse(
      'none-to-pause',
      'No loop of this project can be paused.',
      'dacapo status shows how they stand.',
    );
  const { id } = found.loop;
  if (hasEnded(found.loop))
    return refuse(
      'ended',
      `Loop ${title(found.loop)} ${sayStatus(found.loop)}.`,
      `dacapo resume ${id} reopens it.`,
    );
  const refusal = refuseToLift(`dacapo pause ${id}`, found.loop, runtime.env);
  if (refusal !== null) return refusal;
  const loop = withLoop(id, runtime, (open) => {
    pauseLoop(open, by, 'command', runtime);
    return knownLoop(open, runtime);
  });
  return loop === null ? refuseGone(id) : { ok: true, loop };
}
