/**
 * The fresh driver: runs one pass of the host after the other, judges each by the same rules and writes the same journal as
 * in a session. All its state is in the journal: killed at any point, it continues from there.
 */
import { existsSync } from 'node:fs';
import { halfOpensAt } from '../core/circuit.ts';
import { isCircuitOpen, hasEnded, isLive, type Loop, type WaitFor } from '../core/loop.ts';
import { planOf } from '../core/record/plan.ts';
import { duration } from '../core/words/phrases.ts';
import { sayStatus } from '../text/status.ts';
import { interruptLoop, pauseLoop, resumeLoop } from '../operations/steer/control.ts';
import { takeUpList } from '../operations/begin/items.ts';
import { isOurs, type Runtime } from '../store/runtime.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { watchForHopeless } from './hopeless.ts';
import { countSpent, settlePass } from './settle.ts';
import { watchForSleep } from './sleep.ts';
import type { Barrier, FreshRun } from './options.ts';
import { holdUntil, onEnd, waitOn, type Held } from './wait.ts';
import { hasOpenRequest, waitForAnswer } from './wait-for-answer.ts';
import { countLost } from './recover-cost.ts';
import { openMeter } from './usage-meter.ts';
import { runPass, type PassRun } from './pass/run-pass.ts';
import { mayBeginAt } from './backoff.ts';
import {
  isSessionLost,
  sessionAfter,
  withoutSession,
  type AfterPass,
  type SessionSoFar,
} from './pass/session-choice.ts';
import { runEventsOf } from './pass/stream-events.ts';
import { retryStart } from './pass/restart.ts';
import { takeUp, type TakenPass } from './pass/begin-pass.ts';

/** How long a host may live after its result before we end it. */
const HANG_MS = 5_000;
/** Shorter waits are not worth a line in the journal. */
const WORTH_A_LINE_MS = 5_000;

const STOPPED = 'stopped in the terminal';
const FOLDER_GONE = 'the project folder is gone';

/** Runs passes until the loop ends, is stopped, or belongs to another process. Returns its last state. */
export async function drive(open: OpenLoop, run: FreshRun, runtime: Runtime): Promise<Loop> {
  let last: SessionSoFar | null = lastSession(open.loop());
  const passStarts = beginnings(open);
  await countLost(open, run, runtime);
  waitOn(open, runtime);
  let cooled = false;
  let hasStarted = false;
  for (let first = true; ; first = false) {
    const loop = open.look();
    if (isCircuitOpen(loop) && !first && !cooled && !run.soon.aborted) {
      cooled = (await coolDown(open, run, runtime)) === 'over';
      if (cooled) continue;
      return open.look();
    }
    // After progress, a new standstill gets its own wait.
    if (loop.circuit.times <= 1 && !loop.circuit.half) cooled = false;
    if (hasEnded(loop) || (!first && !mayGoOn(loop, runtime))) return loop;
    if (run.now.aborted) return stopNow(open, STOPPED, runtime);
    if (!existsSync(loop.project)) return stopNow(open, FOLDER_GONE, runtime);
    if (run.soon.aborted) return pauseLoop(open, 'terminal', 'command', runtime) ?? open.loop();
    const held = await waitsFor(open, run, first, passStarts, runtime);
    if (held === 'parked') return open.look();
    if (held === 'stopped') continue;

    // A resumed list has no current item: begin with an item, not with a pass for the list itself.
    if (first) await takeUpList(open, 'terminal', null, runtime);
    const taken = takeUp(open, run, last, runtime);
    if (taken === null || (await run.settled(barrier('taken', open))) === 'lost') return open.look();
    passStarts.push(runtime.now());
    run.tell(taken.begins);
    await run.keeper?.begins(open);
    const after = await onePass(open, run, taken, hasStarted, runtime);
    const settled = await run.settled(barrier('recorded', open));
    if ('broken' in after) return after.broken;
    if (settled === 'lost') return open.look();
    hasStarted ||= after.hasBegun;
    last = after.isLost ? null : sessionAfter(last, taken.session, after);
  }
}

/** Waits for a person's answer, then until the next pass may begin. */
async function waitsFor(
  open: OpenLoop,
  run: FreshRun,
  first: boolean,
  passStarts: readonly string[],
  runtime: Runtime,
): Promise<Held> {
  const answered = hasOpenRequest(open.loop()) ? await waitForAnswer(open, run, runtime) : 'over';
  return answered === 'over' && isLive(open.loop())
    ? waitsBefore(open, run, first, passStarts, runtime)
    : answered;
}

function barrier(is: Barrier['is'], { journal }: OpenLoop): Barrier {
  return { is, upTo: journal.end() };
}

type PassResult = (AfterPass & { readonly isLost: boolean }) | { readonly broken: Loop };

async function onePass(
  open: OpenLoop,
  run: FreshRun,
  taken: TakenPass,
  /** The host has started before in this run. */
  hasStarted: boolean,
  runtime: Runtime,
): Promise<PassResult> {
  const { passMs, silenceMs } = planOf(open.loop());
  const elsewhere = new AbortController();
  const unwatch = onEnd(
    open,
    () => elsewhere.abort(),
    (loop) => mayGoOn(loop, runtime),
  );
  const hopeless = watchForHopeless();
  const sleep = watchForSleep((ms) => noteSleep(open, ms, run, runtime), runtime.now);
  const watched = (evidence: string): PassRun => {
    const meter = openMeter(open.loop());
    return {
      host: run.host,
      program: run.program,
      cwd: open.loop().project,
      env: run.env,
      watchdog: run.watchdog,
      limits: { passMs, silenceMs, hangMs: HANG_MS },
      evidence,
      signal: AbortSignal.any([run.now, elsewhere.signal, hopeless.signal]),
      onEvent: (event) => {
        hopeless.hear(event);
        const shown = [...runEventsOf(event), ...meter.hear(event)].map(run.tell);
        return shown.includes(false) ? run.drained() : null;
      },
    };
  };
  try {
    const compacted =
      taken.compaction === null
        ? null
        : await runPass(taken.compaction.pass, watched(taken.compaction.evidence));
    if (compacted !== null) countSpent(open, compacted.record, run, runtime);
    const { outcome, record } = await runPass(taken.asked, watched(taken.evidence));
    sleep.look();
    // The run that took the loop over has counted what this pass used.
    if (isOwnedElsewhere(open.look(), runtime)) return { broken: open.loop() };
    const cut = outcome.is === 'broken-off' ? (hopeless.why() ?? outcome) : outcome;
    if (cut.is === 'broken-off') {
      countSpent(open, record, run, runtime);
      await run.keeper?.brokenOff(open);
      return { broken: stopNow(open, STOPPED, runtime) };
    }
    // Nothing can be judged there. A check would fail for a reason that is not the agent's.
    if (!existsSync(open.loop().project)) {
      countSpent(open, record, run, runtime);
      return { broken: stopNow(open, FOLDER_GONE, runtime) };
    }
    const { stops } = open.loop();
    const isLost = isSessionLost(cut, taken.asked);
    const ended = isLost ? withoutSession(cut) : retryStart(cut, record, hasStarted);
    await settlePass(open, { taken, outcome: ended, record }, run, runtime);
    await run.keeper?.brokenOff(open);
    return {
      isLost,
      isJudged: open.loop().stops > stops,
      hasBegun: record.session !== null,
      isCompacted: compacted?.outcome.is === 'stopped',
    };
  } finally {
    unwatch();
    sleep.end();
  }
}

function noteSleep(open: OpenLoop, ms: number, { tell }: FreshRun, runtime: Runtime): void {
  if (!mayGoOn(open.look(), runtime)) return;
  open.write({ type: 'slept', at: runtime.now(), ms });
  open.keep();
  tell({
    is: 'warning',
    text: `the run stood still for ${duration(ms)} (the machine slept, or the run was suspended); that is not working time`,
  });
}

function mayGoOn(loop: Loop, runtime: Runtime): boolean {
  return isLive(loop) && !isOwnedElsewhere(loop, runtime);
}

/** While this process was suspended, a person may have paused the loop and resumed it in another terminal. */
function isOwnedElsewhere({ session: { owner } }: Loop, runtime: Runtime): boolean {
  return owner !== null && owner.process !== null && !isOurs(owner, runtime);
}

/** Stops in a pass or in a wait. A change that another process made to the loop meanwhile stays. */
function stopNow(open: OpenLoop, why: string, runtime: Runtime): Loop {
  const loop = open.look();
  return mayGoOn(loop, runtime) ? interruptLoop(open, 'session-end', why, runtime) : loop;
}

/**
 * Waiting half-opens an open circuit, once: an outside cause may be over by then. If one more pass makes no progress, the
 * loop ends for good.
 */
async function coolDown(open: OpenLoop, run: FreshRun, runtime: Runtime): Promise<Held> {
  const until = halfOpensAt(open.loop());
  if (until === null) return 'stopped';
  const { id } = open.loop();
  const why = `${sayStatus(open.loop())}; what is in its way may be gone by then. Ctrl-C ends the run now, dacapo resume ${id} continues it later`;
  run.tell({ is: 'waits', for: 'circuit', until, why });
  if ((await run.wait({ for: 'circuit', until })) === 'parked') return 'parked';
  const held = await holdUntil(until, open, [run.soon, run.now], runtime.now, isCircuitOpen);
  if (held !== 'over') return held;
  run.tell({ is: 'goes-on' });
  resumeLoop(
    open,
    { by: 'terminal', session: null, process: runtime.process, prompt: null, iterations: null },
    runtime,
  );
  return 'over';
}

/** Waits until the next pass may begin. It continues a wait that an earlier process began. */
async function waitsBefore(
  open: OpenLoop,
  run: FreshRun,
  first: boolean,
  passStarts: readonly string[],
  runtime: Runtime,
): Promise<Held> {
  const { status } = open.loop();
  const { pauseMs, callsPerHour } = planOf(open.loop());
  if (status.is === 'waiting' && 'until' in status && status.for !== 'approval')
    return wait(open, run, { ...status, why: first ? sayFault(open.loop()) : '' }, runtime);
  if (!first && pauseMs > 0) {
    const due = new Date(Date.parse(runtime.now()) + pauseMs).toISOString();
    const paused = await hold(open, run, 'pause', due, runtime);
    if (paused !== 'over') return paused;
  }
  const free = mayBeginAt(passStarts, callsPerHour, runtime.now());
  return free === null ? 'over' : hold(open, run, 'rate', free, runtime);
}

async function hold(
  open: OpenLoop,
  run: FreshRun,
  what: 'pause' | 'rate',
  until: string,
  runtime: Runtime,
): Promise<Held> {
  if (Date.parse(until) - Date.parse(runtime.now()) >= WORTH_A_LINE_MS) {
    open.write({ type: 'held', at: runtime.now(), for: what, until });
    open.keep();
  }
  return wait(open, run, { for: what, until, why: '' }, runtime);
}

async function wait(
  open: OpenLoop,
  run: FreshRun,
  wanted: { readonly for: WaitFor; readonly until: string; readonly why: string },
  runtime: Runtime,
): Promise<Held> {
  const { is } = open.loop().status;
  const { for: what, until, why } = wanted;
  run.tell({ is: 'waits', for: what, until, why });
  if ((await run.wait({ for: what, until })) === 'parked') return 'parked';
  // A person's resume ends the wait early. The loop stays with this process.
  const goesOn = ({ status, session: { owner } }: Loop) => status.is !== is && isOurs(owner, runtime);
  const signals = [run.soon, run.now];
  const stands = (loop: Loop) => isLive(loop) && !goesOn(loop);
  const held = await holdUntil(until, open, signals, runtime.now, stands);
  const over = held === 'over' || (isLive(open.loop()) && !signals.some(({ aborted }) => aborted));
  if (over) run.tell({ is: 'goes-on' });
  return over ? 'over' : 'stopped';
}

/** An earlier process began the wait and reported the reason. This is for the person who has just resumed the loop. */
function sayFault({ id, status, run: { faults } }: Loop): string {
  const why = faults.last?.detail ?? '';
  const isLimit = status.is === 'waiting' && status.for === 'limit';
  return isLimit ? `${why}; dacapo resume ${id} in another terminal continues at once` : why;
}

/** After a restart, a loop that works in one session resumes it; any other starts a new one. */
function lastSession(loop: Loop): SessionSoFar | null {
  const { driver, stops } = loop;
  const { owner } = loop.session;
  if (planOf(loop).context.is !== 'same' || owner === null || driver !== 'fresh' || stops === 0) return null;
  return { session: owner.session, iterations: stops, passing: 0, compactedAt: 0 };
}

function beginnings(open: OpenLoop): string[] {
  if (planOf(open.loop()).callsPerHour === null) return [];
  return open.journal.read(0).events.flatMap((event) => (event.type === 'taken' ? [event.at] : []));
}
