/** Whether this process may go on with a loop, which others may pause, end or take meanwhile. */
import { isLive, type Loop } from '#law/loop.ts';
import { isOwnedByThisProcess, type Runtime } from '#store/runtime.ts';
import { interruptLoop } from '../steer/control.ts';
import type { Drive } from './options.ts';

export function mayDrive(loop: Loop, runtime: Runtime): boolean {
  return isLive(loop) && !isOwnedElsewhere(loop, runtime);
}

/** While this process was suspended, a person may have paused the loop and resumed it in another terminal. */
export function isOwnedElsewhere({ session: { owner } }: Loop, runtime: Runtime): boolean {
  return owner !== null && owner.process !== null && !isOwnedByThisProcess(owner, runtime);
}

/** Stops in a pass or in a wait. A change that another process made to the loop meanwhile stays. */
export function interruptHere({ open, runtime }: Drive, why: string): void {
  if (mayDrive(open.look(), runtime)) interruptLoop(open, 'session-end', why, runtime);
}
