/**
 * Waits in the terminal: for a time, for a person's answer, until the next pass may begin. Ctrl-C ends a
 * wait, and so does a cancel or pause from elsewhere, which is noticed within a second. If the run is killed,
 * the next one continues the wait.
 */
import { randomUUID } from 'node:crypto';
import { halfOpensAt } from '#law/circuit.ts';
import { hasEnded, isAwaitingCheck, isCircuitOpen, isLive, planOf, type Loop } from '#law/loop.ts';
import { sayNotYet } from '#law/words/check-outcomes.ts';
import { openRequestsOf, MAX_REQUEST_CHARS } from '#law/waiting/requests.ts';
import { syncRequests } from '../requests/sync.ts';
import { resumeLoop } from '../steer/control.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { isOwnedByThisProcess, type Runtime } from '#store/runtime.ts';
import { inTerminal } from '#telling/audience.ts';
import { answerSteps, sayNextSteps } from '#telling/next-step.ts';
import { sayAnswered, sayRequest } from '#telling/person/requests.ts';
import { sayReserve } from '#telling/person/reserve.ts';
import { sayStatus } from '#telling/person/status.ts';
import { showAndKeep } from '#evidence/views/views.ts';
import { mayBeginAt } from './backoff.ts';
import type { Drive, DueWait, WaitOutcome } from './options.ts';
import type { RunEventBody } from '../run-event.ts';

/**
 * How often we poll. The file system's change notice usually comes first, but not for a file that a person
 * has moved.
 */
const WAIT_POLL_MS = 500;
/** Node treats a delay above 24.8 days as 1 ms. A longer wait continues after a look. */
const LONGEST_TIMER_MS = 60_000;
/** Shorter waits are not worth a line in the journal. */
const WORTH_A_LINE_MS = 5_000;

type DueRunWait = Extract<RunEventBody, { is: 'waits' }> & DueWait;

interface WaitTerms {
  readonly signals: readonly AbortSignal[];
  readonly now: () => string;
  /** The wait goes on as long as this holds for the loop. By default: as long as it is live. */
  readonly stands?: (loop: Loop) => boolean;
}

/** `stopped`: by a signal, or the loop is no longer live. */
export async function holdUntil(
  until: string,
  open: OpenLoop,
  { signals, now, stands = isLive }: WaitTerms,
): Promise<WaitOutcome> {
  const stopped = () => signals.some(({ aborted }) => aborted) || !stands(open.look());
  const leftNow = () => Date.parse(until) - Date.parse(now());
  const [most, began] = [leftNow(), performance.now()];
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        forget();
        for (const signal of signals) signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      const forget = onEnd(open, wake, stands);
      for (const signal of signals) signal.addEventListener('abort', wake);
    });
  for (;;) {
    if (stopped()) return 'stopped';
    // A clock that is set back must not prolong the wait. The other clock stands still while the machine
    // sleeps.
    const left = Math.min(leftNow(), most - (performance.now() - began));
    if (left <= 0) return 'over';
    await sleep(Math.min(left, LONGEST_TIMER_MS));
  }
}

/**
 * Calls back once the loop is no longer live, no matter who ended it. Returns a function that stops watching.
 */
export function onEnd(
  open: OpenLoop,
  ended: () => void,
  stands: (loop: Loop) => boolean = isLive,
): () => void {
  let told = false;
  const look = () => {
    if (told || stands(open.look())) return;
    told = true;
    ended();
  };
  const unwatch = open.journal.watch(look);
  const timer = setInterval(look, WAIT_POLL_MS);
  return () => {
    told = true;
    unwatch();
    clearInterval(timer);
  };
}

/** Waits for a person's answer, then until the next pass may begin. `passStarts`: when passes began. */
export async function waitForPass(
  drive: Drive,
  first: boolean,
  passStarts: readonly string[],
): Promise<WaitOutcome> {
  const { open, runtime } = drive;
  // Nothing that needs an answer runs while it is open, so no pass begins.
  const { people } = open.loop();
  const asks = people.requests.length > 0 && !hasEnded(open.loop()) && openRequestsOf({ people }).length > 0;
  const answered = asks ? await waitForAnswer(drive) : 'over';
  if (answered !== 'over' || !isLive(open.loop())) return answered;
  const { status } = open.loop();
  const { pauseMs, callsPerHour } = planOf(open.loop());
  // An earlier process may have begun this wait.
  if (status.is === 'waiting' && 'until' in status && status.for !== 'approval')
    return wait(drive, status.for, status.until, whyItWaits(open.loop(), first));
  if (!first && pauseMs > 0) {
    const due = new Date(Date.parse(runtime.now()) + pauseMs).toISOString();
    const paused = await writeHoldAndWait(drive, 'pause', due);
    if (paused !== 'over') return paused;
  }
  if (callsPerHour === null) return 'over';
  const free = mayBeginAt(passStarts, callsPerHour, runtime.now());
  return free === null ? 'over' : writeHoldAndWait(drive, 'rate', free);
}

async function writeHoldAndWait(drive: Drive, what: 'pause' | 'rate', until: string): Promise<WaitOutcome> {
  const { open, runtime } = drive;
  if (Date.parse(until) - Date.parse(runtime.now()) >= WORTH_A_LINE_MS) {
    open.write({ type: 'held', at: runtime.now(), for: what, until });
    open.keep();
  }
  return wait(drive, what, until, '');
}

async function wait(drive: Drive, what: DueRunWait['for'], until: string, why: string): Promise<WaitOutcome> {
  const { open, run, runtime } = drive;
  const { is } = open.loop().status;
  const begun = await beginWait(drive, { is: 'waits', for: what, until, why });
  if (begun === 'parked') return 'parked';
  ownWait(open, runtime);
  // A person's resume ends the wait early. The loop stays with this process.
  const goesOn = ({ status, session: { owner } }: Loop) =>
    (status.is !== is && isOwnedByThisProcess(owner, runtime)) ||
    ('until' in status && status.until !== until);
  const signals = [run.soon, run.now];
  const stands = (loop: Loop) => isLive(loop) && !goesOn(loop);
  const held =
    begun === 'over' ? 'over' : await holdUntil(until, open, { signals, now: runtime.now, stands });
  const over = held === 'over' || (isLive(open.loop()) && !signals.some(({ aborted }) => aborted));
  if (over) run.tell({ is: 'goes-on' });
  return over ? 'over' : 'stopped';
}

/** An earlier process may have begun this wait, and a reader of the record would find that process gone. */
function ownWait(open: OpenLoop, runtime: Runtime): void {
  const { status, session } = open.look();
  const { owner } = session;
  if (owner === null || isOwnedByThisProcess(owner, runtime) || status.is !== 'waiting') return;
  if (status.for === 'background' || status.for === 'approval' || status.for === 'retry') return;
  becomeOwner(open, owner.session, runtime);
  const { for: what, until, reserve } = status;
  open.write({ type: 'held', at: runtime.now(), for: what, until, ...(reserve && { reserve }) });
  open.keep();
}

/** Tells of a wait, and asks whether this process has to wait itself. */
function beginWait({ run }: Drive, waits: DueRunWait): ReturnType<Drive['run']['wait']> {
  run.tell(waits);
  return run.wait({ for: waits.for, until: waits.until });
}

async function isParked(drive: Drive, waits: DueRunWait): Promise<boolean> {
  return (await beginWait(drive, waits)) === 'parked';
}

function whyItWaits(loop: Loop, first: boolean): string {
  if (isAwaitingCheck(loop)) return sayNotYet(loop.last?.proofs ?? []);
  const { id, status } = loop;
  if ('reserve' in status && status.reserve) return `${sayReserve(status.reserve)}; ${sayAtOnce(id)}`;
  return first ? sayFault(loop) : '';
}

/**
 * An earlier process began the wait and reported the reason. This is for the person who has just resumed the
 * loop.
 */
function sayFault({ id, status, run: { faults } }: Loop): string {
  const why = faults.last?.detail ?? '';
  const isLimit = status.is === 'waiting' && status.for === 'limit';
  return isLimit ? `${why}; ${sayAtOnce(id)}` : why;
}

function sayAtOnce(id: string): string {
  return `dacapo resume ${id} in another terminal continues at once`;
}

/**
 * Waiting half-opens an open circuit, once: an outside cause may be over by then. If one more pass makes no
 * progress, the loop ends for good.
 */
export async function coolDown(drive: Drive): Promise<WaitOutcome> {
  const { open, run, runtime } = drive;
  const until = halfOpensAt(open.loop());
  if (until === null) return 'stopped';
  const { id } = open.loop();
  const why =
    `${sayStatus(open.loop())}; what is in its way may be gone by then. Ctrl-C ends the run now, ` +
    `dacapo resume ${id} continues it later`;
  if (await isParked(drive, { is: 'waits', for: 'circuit', until, why })) return 'parked';
  const signals = [run.soon, run.now];
  const held = await holdUntil(until, open, { signals, now: runtime.now, stands: isCircuitOpen });
  if (held !== 'over') return held;
  run.tell({ is: 'goes-on' });
  resumeHere(drive);
  return 'over';
}

export function resumeHere(drive: Drive): void {
  resume(drive, null, drive.runtime.process);
}

function resume({ open, runtime }: Drive, session: string | null, process: number | null): void {
  resumeLoop(open, { by: 'terminal', session, process, prompt: null, iterations: null }, runtime);
}

/** `over`: everything is answered, and the loop goes on. */
async function waitForAnswer(drive: Drive): Promise<WaitOutcome> {
  const { open, run, runtime } = drive;
  ownWithoutPass(drive);
  let asked: string | null = null;
  for (;;) {
    const loop = syncRequests(open, runtime);
    const [first] = openRequestsOf(loop);
    const answered = loop.people.requests.filter(({ id }) => id === asked && first?.id !== asked);
    if (answered.length > 0) run.tell({ is: 'goes-on', why: sayAnswered(answered) });
    if (!isLive(loop)) return 'stopped';
    if (first === undefined) return 'over';
    const { id, kind, expires } = first;
    if (id !== asked) {
      asked = id;
      // The whole of it: nobody can agree to a command of which they see a part.
      const how = sayNextSteps(answerSteps(loop), run.audience ?? inTerminal);
      const why = `${sayRequest(first, MAX_REQUEST_CHARS)} (${how})`;
      const request = { id, kind };
      if (await isParked(drive, { is: 'waits', for: 'approval', until: expires, why, request }))
        return 'parked';
    }
    const next = new Date(Date.parse(runtime.now()) + WAIT_POLL_MS).toISOString();
    // Without this the answer would be seen only at the next look.
    const isAsking = (now: Loop) => isLive(now) && openRequestsOf(now)[0]?.id === id;
    await holdUntil(next, open, { signals: [run.soon, run.now], now: runtime.now, stands: isAsking });
    if (run.soon.aborted || run.now.aborted) return 'stopped';
  }
}

/** So that what follows, without a pass, is by this process: a question to a person, or a look at a check. */
export function ownWithoutPass(drive: Drive): void {
  const { open, runtime } = drive;
  const { owner } = open.loop().session;
  if (isLive(open.loop()) && isOwnedByThisProcess(owner, runtime)) return;
  const session = owner?.session ?? randomUUID();
  if (!isLive(open.loop())) resume(drive, session, null);
  becomeOwner(open, session, runtime);
  open.keep();
}

/**
 * Continues the wait for a usage limit that an earlier run met: a pause or an interruption does not end the
 * limit. This process takes over the loop until the reset in the record. It does nothing if that is past.
 */
export function continueLimitWait(drive: Drive): void {
  const { open, run, runtime } = drive;
  const loop = open.look();
  const { owner } = loop.session;
  const { resetsAt } = loop.run;
  const at = runtime.now();
  if (hasEnded(loop) || owner === null || resetsAt === null) return;
  if (Date.parse(resetsAt) <= Date.parse(at)) return;
  // The limit is that of another host.
  if (loop.host !== run.host.name) return resumeHere(drive);
  becomeOwner(open, owner.session, runtime);
  open.write({ type: 'held', at, for: 'limit', until: resetsAt });
  showAndKeep(open, runtime);
}

/** The record shows which process waits, and on which machine, even after a kill. */
export function becomeOwner(open: OpenLoop, session: string, runtime: Runtime): void {
  const by = { process: runtime.process, machine: runtime.store.machine() };
  open.write({ type: 'bound', at: runtime.now(), session, ...by, prompt: null, how: 'takeover' });
}
