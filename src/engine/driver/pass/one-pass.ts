/**
 * One pass from its first word to its settled end: the host runs under our watches, what it used is counted,
 * and its stop is heard or its fault recorded.
 */
import { existsSync } from 'node:fs';
import type { HeadlessHost, Outcome } from '#hosts/port/headless.ts';
import type { PassRecord, StreamEvent } from '#hosts/port/stream.ts';
import { planOf } from '#law/loop.ts';
import { duration } from '#law/words/phrases.ts';
import { isOwnedElsewhere, mayDrive } from '#store/runtime.ts';
import { runEventsOf } from '../../run-event.ts';
import type { Drive } from '../options.ts';
import { keepWindows } from '../reserve.ts';
import { countSpent, interruptHere, settlePass } from '../settle.ts';
import { FOLDER_GONE, STOPPED, type PassResult } from '../step.ts';
import { onEnd } from '../wait.ts';
import type { PassOrder } from './begin-pass.ts';
import { accountFor, openMeter, spentBy } from './pass-record.ts';
import { runPass, type PassRun } from './run-pass.ts';
import { isSessionLost, retryStart, withoutSession } from './session-choice.ts';
import { watchForHopeless, watchForSleep } from './watches.ts';

/** How long a host may live after its result before we end it. */
const HANG_MS = 5_000;

/**
 * `hasStarted`: this host has begun a session before. Null: the loop was stopped during the pass, or another
 * process has it.
 */
export async function onePass(
  driving: Drive,
  order: PassOrder,
  hasStarted: boolean,
): Promise<PassResult | null> {
  const { open, run, runtime } = driving;
  run.tell(order.begins);
  await run.keeper?.begins(open);
  const watches = openWatches(driving, order);
  try {
    const isCompacted = await compactBefore(driving, order, watches);
    const { outcome, record: told } = await runPass(order.asked, watches.runKept(order.evidence));
    const identified = withSession(order, told.session, run.host);
    const record = readRecord(driving, identified, told);
    run.traceSpent?.(spentBy(record));
    watches.noteSleep();
    // The run that took the loop over has counted what this pass used.
    if (isOwnedElsewhere(open.look(), runtime)) return null;
    const ended = outcome.is === 'broken-off' ? (watches.whyHopeless() ?? outcome) : outcome;
    const isStopped = await stopUnlessJudged(driving, ended, record);
    if (ended.is === 'broken-off' || isStopped) return null;
    const isLost = isSessionLost(ended, identified.asked);
    const { stops } = open.loop();
    const settles = isLost ? withoutSession(ended) : retryStart(ended, record, hasStarted);
    if (planOf(open.loop()).reserve !== undefined) keepWindows(driving, ended, record);
    await settlePass(driving, { taken: identified, outcome: settles, record });
    await run.keeper?.brokenOff(open);
    const isJudged = open.loop().stops > stops;
    return { session: identified.session, isLost, isJudged, hasBegun: record.session !== null, isCompacted };
  } finally {
    watches.end();
    // That of a session which the host has chosen is dropped where its pass is settled.
    if (open.loop().session.owner?.session !== order.from.session)
      runtime.store.sessions.drop(order.from.session);
  }
}

/** An extra pass, where it is due: it only compacts the context of the session. */
async function compactBefore(driving: Drive, { compaction }: PassOrder, watches: Watches): Promise<boolean> {
  if (compaction === null) return false;
  const { outcome, record } = await runPass(compaction.pass, watches.runKept(compaction.evidence));
  countSpent(driving, record);
  return outcome.is === 'stopped';
}

/** Interrupts the loop if the pass can't be judged. What it used counts all the same. */
async function stopUnlessJudged(driving: Drive, { is }: Outcome, record: PassRecord): Promise<boolean> {
  const { open, run } = driving;
  if (is === 'broken-off') {
    countSpent(driving, record);
    await run.keeper?.brokenOff(open);
    interruptHere(driving, STOPPED);
    return true;
  }
  // Nothing can be judged there. A check would fail for a reason that is not the agent's.
  if (existsSync(open.loop().project)) return false;
  countSpent(driving, record);
  interruptHere(driving, FOLDER_GONE);
  return true;
}

type Watches = ReturnType<typeof openWatches>;

/** What ends a pass from outside (a person, another process, a host that retries in vain), and its events. */
function openWatches(driving: Drive, order: PassOrder) {
  const { open, run, runtime } = driving;
  const { passMs, silenceMs } = planOf(open.loop());
  const { project } = open.loop();
  const elsewhere = new AbortController();
  const unwatch = onEnd(
    open,
    () => elsewhere.abort(),
    (loop) => mayDrive(loop, runtime),
  );
  const hopeless = watchForHopeless();
  const sleep = watchForSleep((ms) => noteSleep(driving, ms), runtime.now);
  const hear = (event: StreamEvent, meter: ReturnType<typeof openMeter>): Promise<void> | null => {
    hopeless.hear(event);
    if (event.is === 'init' && event.session !== null) identify(driving, order, event.session);
    const shown = [...runEventsOf(event, project), ...meter(event)].map(run.tell);
    return shown.includes(false) ? run.drained() : null;
  };
  return {
    runKept: (evidence: string): PassRun => {
      const meter = openMeter(open.loop());
      return {
        ...run,
        cwd: project,
        limits: { passMs, silenceMs, hangMs: HANG_MS },
        evidence,
        signal: AbortSignal.any([run.now, elsewhere.signal, hopeless.signal]),
        onEvent: (event) => hear(event, meter),
      };
    },
    whyHopeless: hopeless.why,
    noteSleep: () => sleep.look(),
    end: () => {
      unwatch();
      sleep.end();
    },
  };
}

function readRecord({ open, run, runtime }: Drive, order: PassOrder, told: PassRecord): PassRecord {
  const { from, began: since, earlier, asked } = order;
  const account = { session: from.session, since, earlier, model: asked.model };
  return accountFor(told, run, account, { limits: open.loop().limits, config: runtime.store.config });
}

/**
 * A host that chooses the id of its session tells it. From then on the loop has that one; the first stays
 * known until the end of the pass, for calls of sessions that nobody has told us of.
 */
function identify({ open, run, runtime }: Drive, { from }: PassOrder, session: string): void {
  const { owner, chain } = open.loop().session;
  if (run.host.can.chooseSession || owner?.session === session) return;
  if (chain === null || chain !== from.prompt) return;
  const loop = open.write({ type: 'identified', at: runtime.now(), pass: chain, session });
  runtime.store.sessions.keep(session, { loop: loop.id, process: runtime.process, project: loop.project });
  open.keep();
}

function withSession(order: PassOrder, told: string | null, host: HeadlessHost): PassOrder {
  if (host.can.chooseSession || told === null) return order;
  const { from, session } = order;
  return { ...order, from: { ...from, session: told }, session: { ...session, session: told } };
}

function noteSleep({ open, run, runtime }: Drive, ms: number): void {
  if (!mayDrive(open.look(), runtime)) return;
  open.write({ type: 'slept', at: runtime.now(), ms });
  open.keep();
  const text =
    `the run was suspended for ${duration(ms)} (sleep, or a stopped process); that is ` + 'not working time';
  run.tell({ is: 'warning', text });
}
