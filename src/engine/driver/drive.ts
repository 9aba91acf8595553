/**
 * The fresh driver: runs one pass of the host after the other, judges each by the same rules and writes the
 * same journal as in a session. All its state is in the journal: killed at any point, it continues from
 * there.
 */
import { existsSync } from 'node:fs';
import { isCircuitOpen, hasEnded, isLive, type Loop } from '#law/loop.ts';
import { planOf } from '#law/record/plan.ts';
import { duration } from '#law/words/phrases.ts';
import { interruptLoop, pauseLoop } from '../steer/control.ts';
import { takeUpList } from '../asked/items.ts';
import type { HeadlessHost, Pass } from '#hosts/port/headless.ts';
import { isOurs, type Runtime } from '#store/runtime.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { stopIfPlanted } from './planted.ts';
import { countLost, countSpent, lookAgain, settlePass } from './settle.ts';
import type { Barrier, Drive, FreshRun } from './options.ts';
import { takeTurns } from './fallback.ts';
import { coolDown, onEnd, waitOn, waitsBefore } from './wait.ts';
import { accountFor, openMeter } from './pass/pass-record.ts';
import { runPass, type PassRun } from './pass/run-pass.ts';
import { isSessionLost, retryStart, sessionAfter, withoutSession } from './pass/session-choice.ts';
import type { AfterPass, SessionSoFar } from './pass/session-choice.ts';
import { runEventsOf } from '../run-event.ts';
import { takeUp, type TakenPass } from './pass/begin-pass.ts';
import { watchForHopeless, watchForSleep } from './pass/watches.ts';

/** How long a host may live after its result before we end it. */
const HANG_MS = 5_000;

const STOPPED = 'stopped in the terminal';
const FOLDER_GONE = 'the project folder is gone';

/** Runs passes until the loop ends, is stopped, or belongs to another process. Returns its last state. */
export async function drive(open: OpenLoop, begun: FreshRun, runtime: Runtime): Promise<Loop> {
  let run = begun;
  let driving: Drive = { open, run, runtime };
  let last: SessionSoFar | null = lastSession(open.loop(), run.host.name);
  const passStarts = beginnings(open);
  await countLost(driving);
  waitOn(driving);
  let cooled = false;
  let hasStarted = false;
  for (let first = true; ; first = false) {
    const loop = open.look();
    if (isCircuitOpen(loop) && !first && !cooled && !run.soon.aborted) {
      cooled = (await coolDown(driving)) === 'over';
      if (cooled) continue;
      return open.look();
    }
    // After progress, a new standstill gets its own wait.
    if (loop.circuit.times <= 1 && !loop.circuit.half) cooled = false;
    if (hasEnded(loop) || (!first && !mayGoOn(loop, runtime))) return loop;
    if (run.now.aborted) return stopNow(driving, STOPPED);
    if (!existsSync(loop.project)) return stopNow(driving, FOLDER_GONE);
    if (run.soon.aborted) return pauseLoop(open, 'terminal', 'command', runtime) ?? open.loop();
    const turned = takeTurns(driving);
    if (turned !== null) {
      run = turned;
      driving = { open, run, runtime };
      last = null;
      hasStarted = false;
    }
    const held = await waitsBefore(driving, first, passStarts);
    if (held === 'parked') return open.look();
    if (held === 'stopped') continue;
    if (open.loop().session.awaits !== null) {
      await lookAgain(driving);
      if ((await settled(driving, 'recorded')) === 'lost') return open.look();
      continue;
    }

    // A resumed list has no current item: begin with an item, not with a pass for the list itself.
    if (first) await takeUpList(open, 'terminal', null, runtime);
    if (stopIfPlanted(driving)) return open.loop();
    const taken = takeUp(open, run, last, runtime);
    const admitted = taken === null ? 'lost' : await settled(driving, 'taken');
    if (taken === null || admitted === 'lost') return open.look();
    passStarts.push(runtime.now());
    run.tell(taken.begins);
    await run.keeper?.begins(open);
    const asked = admitted === 'ours' ? taken.asked : within(admitted.mostUsd, taken.asked);
    const after = await onePass(driving, { ...taken, asked }, hasStarted);
    const now = await settled(driving, 'recorded');
    if ('broken' in after) return after.broken;
    if (now === 'lost') return open.look();
    hasStarted ||= after.hasBegun;
    last = after.isLost ? null : sessionAfter(last, after.session, after);
  }
}

function settled({ open, run }: Drive, is: Barrier['is']) {
  return run.settled({ is, upTo: open.journal.end() });
}

function within(mostUsd: number, pass: Pass): Pass {
  return { ...pass, budgetUsd: Math.min(mostUsd, pass.budgetUsd ?? Infinity) };
}

type PassResult =
  | (AfterPass & { readonly session: SessionSoFar; readonly isLost: boolean })
  | { readonly broken: Loop };

async function onePass(driving: Drive, asked: TakenPass, hasStarted: boolean): Promise<PassResult> {
  const { open, run, runtime } = driving;
  const { passMs, silenceMs } = planOf(open.loop());
  const { project } = open.loop();
  const elsewhere = new AbortController();
  const stands = (loop: Loop) => mayGoOn(loop, runtime);
  const unwatch = onEnd(open, () => elsewhere.abort(), stands);
  const hopeless = watchForHopeless();
  const sleep = watchForSleep((ms) => noteSleep(driving, ms), runtime.now);
  const watched = (evidence: string): PassRun => {
    const meter = openMeter(open.loop());
    return {
      ...run,
      cwd: project,
      limits: { passMs, silenceMs, hangMs: HANG_MS },
      evidence,
      signal: AbortSignal.any([run.now, elsewhere.signal, hopeless.signal]),
      onEvent: (event) => {
        hopeless.hear(event);
        if (event.is === 'init' && event.session !== null) identify(driving, asked, event.session);
        const shown = [...runEventsOf(event, project), ...meter(event)].map(run.tell);
        return shown.includes(false) ? run.drained() : null;
      },
    };
  };
  try {
    const { compaction } = asked;
    const compacted = compaction && (await runPass(compaction.pass, watched(compaction.evidence)));
    if (compacted !== null) countSpent(driving, compacted.record);
    const { outcome, ...passed } = await runPass(asked.asked, watched(asked.evidence));
    const taken = identifiedPass(asked, passed.record.session, run.host);
    const { began: since, earlier } = asked;
    const account = { session: taken.from.session, since, earlier, model: asked.asked.model };
    const record = accountFor(passed.record, run, account, open.loop(), runtime.store);
    sleep.look();
    // The run that took the loop over has counted what this pass used.
    if (isOwnedElsewhere(open.look(), runtime)) return { broken: open.loop() };
    const cut = outcome.is === 'broken-off' ? (hopeless.why() ?? outcome) : outcome;
    if (cut.is === 'broken-off') {
      countSpent(driving, record);
      await run.keeper?.brokenOff(open);
      return { broken: stopNow(driving, STOPPED) };
    }
    // Nothing can be judged there. A check would fail for a reason that is not the agent's.
    if (!existsSync(open.loop().project)) {
      countSpent(driving, record);
      return { broken: stopNow(driving, FOLDER_GONE) };
    }
    const { stops } = open.loop();
    const isLost = isSessionLost(cut, taken.asked);
    const ended = isLost ? withoutSession(cut) : retryStart(cut, record, hasStarted);
    await settlePass(driving, { taken, outcome: ended, record });
    await run.keeper?.brokenOff(open);
    return {
      session: taken.session,
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

/**
 * A host that chooses the id of its session tells it before its agent does anything. From then on the loop
 * has that one.
 */
function identify({ open, run, runtime }: Drive, { from }: TakenPass, session: string): void {
  const { owner, chain } = open.loop().session;
  if (run.host.can.chooseSession || owner?.session === session) return;
  if (chain === null || chain !== from.prompt) return;
  const loop = open.write({ type: 'identified', at: runtime.now(), pass: chain, session });
  runtime.store.sessions.drop(from.session);
  runtime.store.sessions.keep(session, { loop: loop.id, process: runtime.process, project: loop.project });
  open.keep();
}

function identifiedPass(taken: TakenPass, told: string | null, host: HeadlessHost): TakenPass {
  if (host.can.chooseSession || told === null) return taken;
  const { from, session } = taken;
  return { ...taken, from: { ...from, session: told }, session: { ...session, session: told } };
}

function noteSleep({ open, run, runtime }: Drive, ms: number): void {
  if (!mayGoOn(open.look(), runtime)) return;
  open.write({ type: 'slept', at: runtime.now(), ms });
  open.keep();
  const text =
    `the run stood still for ${duration(ms)} (the machine slept, or the run was suspended); that is ` +
    'not working time';
  run.tell({ is: 'warning', text });
}

function mayGoOn(loop: Loop, runtime: Runtime): boolean {
  return isLive(loop) && !isOwnedElsewhere(loop, runtime);
}

/** While this process was suspended, a person may have paused the loop and resumed it in another terminal. */
export function isOwnedElsewhere({ session: { owner } }: Loop, runtime: Runtime): boolean {
  return owner !== null && owner.process !== null && !isOurs(owner, runtime);
}

/** Stops in a pass or in a wait. A change that another process made to the loop meanwhile stays. */
function stopNow({ open, runtime }: Drive, why: string): Loop {
  const loop = open.look();
  return mayGoOn(loop, runtime) ? interruptLoop(open, 'session-end', why, runtime) : loop;
}

/**
 * After a restart, a loop that works in one session resumes it, unless it changes hosts; any other starts a
 * new one.
 */
function lastSession(loop: Loop, on: string): SessionSoFar | null {
  const { driver, stops, session, host } = loop;
  const { owner } = session;
  const isOne = host === on && driver === 'fresh' && planOf(loop).context.is === 'same';
  if (!isOne || owner === null || stops === 0) return null;
  return { session: owner.session, iterations: stops, passing: 0, compactedAt: 0 };
}

function beginnings(open: OpenLoop): string[] {
  if (planOf(open.loop()).callsPerHour === null) return [];
  return open.journal.read(0).events.flatMap((event) => (event.type === 'taken' ? [event.at] : []));
}
