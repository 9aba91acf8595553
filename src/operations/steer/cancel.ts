/** Ends loops. Cancelling a loop that has ended is not an error. */
import type { Actor } from '../../core/record/events.ts';
import { hasEnded, type Loop } from '../../core/loop.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { Sender } from '../../hosts/arrival.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { evidencePlace } from '../../store/evidence.ts';
import { findHandWritten, importHandWritten } from '../../views/markdown/import.ts';
import { adopt } from '../begin/adopt.ts';
import { stopAwaitingPrompt } from '../begin/bind.ts';
import { cancelLoop } from './control.ts';
import { findLoop, isUnclear, loopsToActOn, refuseUnclear, type Choice } from '../look/find.ts';
import { withLoop } from '../look/loops.ts';
import { refuseToLift } from '../trust/people-only.ts';

export interface Cancelled {
  readonly ok: true;
  /** The loops that the choice could mean, as they were before. */
  readonly meant: readonly Loop[];
  readonly cancelled: readonly Loop[];
}

const canBeCancelled = (loop: Loop) => !hasEnded(loop);

export function cancel(choice: Choice, by: Actor, runtime: Runtime): Cancelled | Refusal {
  const found = findLoop(choice, canBeCancelled, runtime);
  if (isUnclear(found)) return refuseUnclear(found, 'cancel');
  return cancelEach(found.is === 'one' ? [found.loop] : [], by, runtime);
}

export function cancelAll(choice: Omit<Choice, 'id'>, by: Actor, runtime: Runtime): Cancelled | Refusal {
  const { own, below } = loopsToActOn(choice, runtime);
  const meant = own.filter(canBeCancelled);
  const others = below.filter(canBeCancelled);
  if (meant.length === 0 && others.length > 0) return refuseUnclear({ is: 'below', loops: others }, 'cancel');
  return cancelEach(meant, by, runtime);
}

function cancelEach(meant: readonly Loop[], by: Actor, runtime: Runtime): Cancelled | Refusal {
  const [refusal] = meant.flatMap(
    (loop) => refuseToLift(`dacapo cancel ${loop.id}`, loop, runtime.env) ?? [],
  );
  if (refusal !== undefined) return refusal;
  const cancelled = meant.flatMap(
    ({ id }) => withLoop(id, runtime, (open) => cancelOne(open, by, null, runtime)) ?? [],
  );
  return { ok: true, meant, cancelled };
}

function cancelOne(open: OpenLoop, by: Actor, prompt: string | null, runtime: Runtime): Loop | null {
  const { status } = open.loop();
  const cancelled = cancelLoop(open, by, prompt, runtime);
  if (status.is === 'pending') stopAwaitingPrompt(open, runtime);
  return cancelled;
}

/** `kept`: where the copy is. */
type CancelledFile =
  | { readonly is: 'cancelled'; readonly loop: Loop; readonly kept: string }
  | { readonly is: 'refused'; readonly why: string };

/**
 * Ends what nobody has begun: a state file that a person wrote. It becomes a loop first, which keeps a copy. Null: there
 * is no such file. `session`: null from a terminal.
 */
export async function cancelWaiting(
  { project, host, prompt }: Pick<Sender, 'project' | 'host' | 'prompt'>,
  session: string | null,
  by: Actor,
  runtime: Runtime,
): Promise<CancelledFile | null> {
  const found = findHandWritten(project, session);
  if (found === null) return null;
  if (found.written.is === 'garbage') return { is: 'refused', why: found.written.why };
  const adopted = await adopt(importHandWritten(found.written, found.file, project), null, host, runtime);
  if (adopted.is !== 'started')
    return { is: 'refused', why: adopted.is === 'refused' ? adopted.why : 'it was adopted meanwhile' };
  const { open } = adopted;
  try {
    const loop = cancelOne(open, by, prompt, runtime) ?? open.loop();
    return { is: 'cancelled', loop, kept: evidencePlace(open.blobs) };
  } finally {
    open.close();
  }
}
