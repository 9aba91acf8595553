/**
 * Keeps a part of the subscription for the person (`--reserve 20%`). What the host tells about its windows is
 * in the journal, so the next process or machine knows it too. The wait itself is that for a usage limit.
 */
import { randomUUID } from 'node:crypto';
import type { Outcome } from '#hosts/port/headless.ts';
import type { PassRecord } from '#hosts/port/stream.ts';
import { hasEnded, isLive, planOf, type Loop } from '#law/loop.ts';
import { endsRun, reachedReserve } from '#law/waiting/reserve.ts';
import { isOwnedByThisProcess } from '#store/runtime.ts';
import { sayReserve } from '#telling/person/reserve.ts';
import { clockTime } from '#telling/time.ts';
import { showAndKeep } from '#evidence/views/views.ts';
import { interruptLoop } from '../steer/control.ts';
import { afterReset } from './backoff.ts';
import type { Drive } from './options.ts';
import { resumeHere, becomeOwner } from './wait.ts';

/** At the start of a run, for a host that never tells. */
export function sayUntold({ open, run }: Drive): void {
  if (planOf(open.loop()).reserve === undefined || run.host.can.windows === true) return;
  const why = `${run.host.name} does not tell how much of a subscription is used`;
  run.tell({ is: 'warning', text: `${why}, so --reserve has no effect` });
}

/**
 * What the host told in a pass of a loop with a reserve. Written before the pass is judged, so that a kill
 * loses nothing.
 */
export function keepWindows({ open, run, runtime }: Drive, { is }: Outcome, record: PassRecord): void {
  const loop = open.look();
  if (run.host.can.windows !== true || !isLive(loop)) return;
  const session = record.session ?? loop.session.owner?.session ?? '';
  const { host, env } = run;
  const windows = record.windows.length > 0 ? record.windows : (host.windowsOf?.(session, env) ?? []);
  if (windows.length > 0) {
    open.write({ type: 'metered', at: runtime.now(), host: host.name, windows: [...windows] });
    open.keep();
  } else if (is === 'stopped' && loop.stops === 0) {
    const text =
      `${host.name} told nothing about the windows of a subscription (an API key has none), so --reserve ` +
      'has no effect';
    run.tell({ is: 'warning', text });
  }
}

/** These waits are short, and a pass follows. The others end with another look. */
const BEFORE_A_PASS: readonly string[] = ['retry', 'pause', 'rate'];

/** True: a window has reached the reserve, and the loop waits for its reset from now on. */
export function holdForReserve(drive: Drive): boolean {
  const { open, run, runtime } = drive;
  const loop = open.look();
  if (hasEnded(loop) || run.soon.aborted || run.now.aborted) return false;
  const reached = reachedBy(loop, run.host.name, runtime.now());
  const isReserved = loop.status.is === 'waiting' && 'reserve' in loop.status;
  // A person has lowered the reserve since, or chosen another host.
  if (isReserved && reached === null) resumeHere(drive);
  if (loop.status.is === 'waiting' && !BEFORE_A_PASS.includes(loop.status.for)) return false;
  if (reached === null) return false;
  const { owner } = loop.session;
  // In a fleet nobody owns a loop that another worker has handed over.
  if (!isOwnedByThisProcess(owner, runtime)) becomeOwner(open, owner?.session ?? randomUUID(), runtime);
  const { resetsAt, ...reserve } = reached;
  const until = afterReset(resetsAt, run.chance());
  open.write({ type: 'held', at: runtime.now(), for: 'limit', until, reserve });
  showAndKeep(open, runtime);
  return true;
}

function reachedBy(loop: Loop, host: string, now: string) {
  const { reserve } = planOf(loop);
  const { metered } = loop.run;
  if (reserve === undefined || metered === undefined || metered.host !== host) return null;
  return reachedReserve(metered.windows, reserve, now);
}

/** True: the window is one of days. No other host could take over, so the run ends and a person decides. */
export function endAtReserve({ open, runtime }: Drive): boolean {
  const { status } = open.look();
  if (status.is !== 'waiting' || !('reserve' in status) || !status.reserve || !endsRun(status.reserve))
    return false;
  const detail = `${sayReserve(status.reserve)}; it resets at ${clockTime(status.until)}`;
  interruptLoop(open, 'reserve', detail, runtime);
  return true;
}
