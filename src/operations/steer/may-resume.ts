/** Why a loop can't be resumed as it is. Each reason says what the person can do about it. */
import { existsSync } from 'node:fs';
import { hasEnded, type Loop } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { trustIn } from '../../proofs/stop-hooks/config-trust.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { NewLimits } from '../../text/next-step.ts';
import { sayStatus } from '../../text/status.ts';
import { title } from '../../text/to-person.ts';
import { isBeingReleased, loopById } from '../look/loops.ts';
import { refuseUsedUp } from './new-limits.ts';

/** The code of a refusal that is over in a few seconds. */
export const LETTING_GO = 'letting-go';

export function whyNotResume(
  open: OpenLoop,
  loop: Loop,
  limits: NewLimits,
  runtime: Runtime,
): Refusal | null {
  const { status } = loop;
  const name = `Loop ${title(loop)}`;
  if (status.is === 'completed')
    return refuse(
      'completed',
      `${name} is completed: nothing is left to do.`,
      `Start a new one: ${beginning(loop)}`,
    );
  if (open.broken() !== null)
    return refuse(
      'broken',
      `${name} can't continue: ${sayStatus(loop)}.`,
      `Its record is ${runtime.store.place(loop.id)}; start a new loop.`,
    );
  const unready = refuseNoFolder(loop) ?? refuseLettingGo(loop, runtime);
  if (unready !== null) return unready;
  const usedUp = refuseUsedUp(loop, name, limits, runtime.now());
  if (usedUp !== null) return usedUp;
  if (status.is === 'exhausted' && status.limit === 'items')
    return refuse(
      'used-up',
      `${name} has had as many items as it may, which can't be changed.`,
      `Start a new one: ${beginning(loop)} --items FILE --max-items N`,
    );
  return refuseUntrusted(loop, runtime) ?? refuseTaken(loop, runtime);
}

/** Nobody can work in a project that was moved, or whose disk is not mounted. */
export function refuseNoFolder(loop: Loop): Refusal | null {
  if (existsSync(loop.project)) return null;
  return refuse(
    'no-folder',
    `The folder of loop ${title(loop)} is gone: ${loop.project}.`,
    `Put it back, or end the loop: dacapo cancel ${loop.id}`,
  );
}

/** Two runs of one loop would start two agents in the same files. */
export function refuseLettingGo(loop: Loop, runtime: Runtime): Refusal | null {
  if (!isBeingReleased(loop, runtime)) return null;
  return refuse(
    LETTING_GO,
    `The run of loop ${title(loop)} is still ending its agent (process ${loop.session.owner?.process}).`,
    'Try again in a few seconds.',
  );
}

function refuseUntrusted({ config, project }: Loop, { store }: Runtime): Refusal | null {
  const standing = config === null ? null : trustIn(store, project, config.file);
  if (standing === null || standing.is === 'trusted') return null;
  return refuse(`config-${standing.is}`, `${standing.why}.`, `${standing.next}, and try again.`);
}

function refuseTaken({ id, session: { owner } }: Loop, runtime: Runtime): Refusal | null {
  const holder = owner === null ? null : runtime.store.sessions.find(owner.session);
  const other = holder === null || holder.loop === id ? null : loopById(holder.loop, runtime);
  if (other === null || hasEnded(other)) return null;
  return refuse(
    'session-taken',
    `Its session has another loop now: ${title(other)} ${sayStatus(other)}.`,
    `End that one first: dacapo cancel ${other.id}`,
  );
}

function beginning({ driver }: Loop): string {
  return `dacapo ${driver === 'fresh' ? 'run' : 'start'} "PROMPT"`;
}
