/** The present state of a loop: its record, and what only a look at its processes and files can tell. */
import type { Loop } from '../core/loop.ts';
import { readProgress, type Proving } from '../proofs/proving.ts';
import { claimLives } from '../store/liveness.ts';
import type { Runtime } from '../store/runtime.ts';
import { report, type Report } from '../text/report.ts';
import { subject, withLoop } from './find.ts';

export interface Standing {
  readonly loop: Loop;
  readonly report: Report;
  /** Its name, or else the beginning of its prompt. */
  readonly subject: string;
  /** What is being checked, while a stop is open and the process that judges it is alive. */
  readonly proving: Proving | null;
  /**
   * Nothing runs in the session although the loop is running: a person interrupted the agent, and no hook reports that.
   */
  readonly isIdle: boolean;
}

/** Uses the host's own list of sessions, which says whether anything runs in one. */
export type IsIdle = (owner: NonNullable<Loop['owner']>) => boolean;

export function statusOf(loop: Loop, isIdle: IsIdle, world: Runtime): Standing {
  const { status, driver, owner, open } = loop;
  const isQuiet = status.is === 'running' && driver === 'hook' && open === null && owner !== null;
  return {
    loop,
    report: report(loop, world.now()),
    subject: subject(loop, world),
    proving: provingNow(loop, world),
    isIdle: isQuiet && isIdle(owner),
  };
}

function provingNow({ id, open: claim }: Loop, world: Runtime): Proving | null {
  if (claim === null || !claimLives(claim, world)) return null;
  return withLoop(id, world, (open) => readProgress(open.blobs));
}

/** The status as JSON, for programs. */
export function statusReport({ report: told, proving }: Standing): object {
  return { ...told, ...(proving !== null && { proving: proving.what, proving_since: proving.at }) };
}
