/** How a loop stands right now: its record, and what only a look at its processes and files can tell. */
import { hasEnded, type Loop } from '../../core/loop.ts';
import { isToolDriven } from '../agent/tool-session.ts';
import { readDifferences } from '../trust/environment.ts';
import { readProgress, type Proving } from '../../proofs/proving.ts';
import { claimLives, type Runtime } from '../../store/runtime.ts';
import { report } from '../../text/report.ts';
import { subject, withLoop } from './loops.ts';

export type StatusNow = ReturnType<typeof statusOf>;

export interface HostLook {
  /** Its own list of sessions tells whether anything runs in one. */
  readonly isIdle: (owner: NonNullable<Loop['session']['owner']>) => boolean;
  /** What in its settings keeps our hook from judging, each in words with its file. */
  readonly silencedBy: (project: string) => readonly string[];
}

export function statusOf(loop: Loop, { isIdle, silencedBy }: HostLook, runtime: Runtime) {
  const { status, driver, open, session } = loop;
  const { owner } = session;
  const isQuiet = status.is === 'running' && driver === 'hook' && open === null && owner !== null;
  return {
    loop,
    report: report(loop, runtime.now()),
    subject: subject(loop, runtime),
    proving: provingNow(loop, runtime),
    /** Nothing runs in the session of a running loop: a person interrupted the agent, and no hook reports that. */
    isIdle: isQuiet && isIdle(owner),
    silenced: driver === 'hook' && !isToolDriven(loop) && !hasEnded(loop) ? silencedBy(loop.project) : [],
    /** How the environment of the session differed from that of the start, at the last stop that was proven. */
    environment: withLoop(loop.id, runtime, (opened) => readDifferences(opened.blobs)) ?? [],
  };
}

export function provingNow({ id, open: claim }: Loop, runtime: Runtime): Proving | null {
  if (claim === null || !claimLives(claim, runtime)) return null;
  return withLoop(id, runtime, (open) => readProgress(open.blobs));
}

export function statusReport({ report: told, proving, environment, silenced }: StatusNow): object {
  return {
    ...told,
    ...(proving !== null && { proving: proving.what, proving_since: proving.at }),
    ...(silenced.length > 0 && { silenced }),
    ...(environment.length > 0 && { environment }),
  };
}
