/**
 * Drives a loop with the driver of one machine. Its two barriers ask the worker, and a wait parks the loop.
 */
import { drive } from '#engine/driver/drive.ts';
import { openKeeper } from '#engine/driver/keep-work.ts';
import type { DueWait, FreshRun } from '#engine/driver/options.ts';
import { hasEnded, isLive, type Loop } from '#law/loop.ts';
import type { Event } from '#law/record/events.ts';
import { recordPoint } from '#evidence/git/points/points.ts';
import { treeStore } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { isOwnedElsewhere } from '#store/runtime.ts';
import { ownFiles } from '#evidence/views/names.ts';
import { beginningOf, endingOf, provingTeller, withTelemetry } from '#engine/driver/telling.ts';
import { openWatchdog } from '#base/process/watchdog.ts';
import { applyAction } from '#engine/steer/actions.ts';
import { sayAdvice } from '#telling/advice.ts';
import { inFleet } from '#telling/audience.ts';
import type { Waiting } from '../lease.ts';
import type { Release, Shipment } from '../ship.ts';
import { summaryOf } from '../record.ts';
import type { FromChild, Settle, SettledAs } from '../worker/protocol.ts';
import type { BegunHere } from './begin.ts';

/** Shorter waits are not in the record. */
const SHORT_WAIT_MS = 5_000;
/** A lease is short: a host that does not end at once is killed. */
const GRACE_MS = 300;
/** A worker that drains answers a barrier with `lost`. */
const NEVER = new AbortController().signal;

interface Worker {
  readonly send: (message: FromChild) => void;
  readonly settle: (asked: Settle) => Promise<SettledAs>;
  /** Aborted: the pass ends at once, and nothing of it is shipped. */
  readonly stopped: AbortSignal;
}

export async function driveLoop(begun: BegunHere, worker: Worker): Promise<FromChild> {
  const { open, on, permissionMode, runtime } = begun;
  const { send, stopped } = worker;
  const shipping = openShipping(begun, send);
  const parking = openParking(begun);
  const show: FreshRun['tell'] = (event) => {
    send({ is: 'tell', event });
    return true;
  };
  const { tell, tracesPass, close } = await withTelemetry(open, runtime, show);
  shipping.apply(begun.order.loopRecord.inbox);
  tell(beginningOf(open.loop()));
  const watchdog = openWatchdog(process.env);
  await drive(
    open,
    {
      ...on,
      env: process.env,
      passEnv: tracesPass,
      watchdog,
      permissionMode,
      now: stopped,
      soon: NEVER,
      tell,
      drained: async () => undefined,
      chance: Math.random,
      graceMs: GRACE_MS,
      audience: inFleet,
      keeper: openKeeper(tell, runtime),
      settled: ({ is }) => settleBarrier(is, begun, shipping, { ...worker, tell }),
      wait: async (wait) => parking.park(wait),
    },
    { ...runtime, proving: provingTeller(tell) },
  );
  watchdog.close();
  await close();
  const parked = parking.release();
  if (parked.until === null && hasEnded(open.loop())) tell(endingOf(open.loop(), runtime.now(), inFleet));
  const { confirm: _, ...shipment } = shipping.shipment();
  const release = releaseAfter(parked, open.loop(), isOwnedElsewhere(open.loop(), runtime));
  return { is: 'done', shipment, release };
}

/** Whatever made the driver leave, nobody would ever take a live loop that is released as if it had ended. */
export function releaseAfter(parked: Release, loop: Loop, isElsewhere: boolean): Release {
  if (parked.until !== null || !isLive(loop)) return parked;
  const why = isElsewhere
    ? 'its driver found it held by another process'
    : 'its driver exited before the loop had ended';
  return { until: 'later', why };
}

type Shipping = ReturnType<typeof openShipping>;

/** What the loop wrote since the worker shipped last, and what people asked of it meanwhile. */
function openShipping({ order, open, growth, runtime }: BegunHere, send: Worker['send']) {
  let from = order.taken.events;
  let applied = 0;
  const refuseInJournal = (act: string, words: string): void => {
    open.write({ type: 'refused', at: runtime.now(), act, words });
    send({ is: 'tell', event: { is: 'warning', text: words } });
  };
  return {
    shipment: (): Shipment & { readonly confirm: () => void } => {
      const { confirm, ...grown } = growth();
      const shipment = { ...grown, from, summary: summaryOf(open, runtime), applied };
      const shipped = () => {
        from += grown.events.length;
        confirm();
      };
      return { ...shipment, confirm: shipped };
    },
    /** In their order, and each once. */
    apply: (inbox: readonly Waiting[]): void => {
      for (const { k, act } of inbox) {
        if (k <= applied) continue;
        applied = k;
        const done = applyAction(open.loop().id, act, runtime);
        if (!done.ok) refuseInJournal(act.is, `${done.message} ${sayAdvice(done.next, inFleet)}`);
      }
      open.look();
    },
  };
}

/** The worker ships what the loop wrote, and answers whether the loop is still its own. */
async function settleBarrier(
  barrier: Settle['barrier'],
  { open, base }: BegunHere,
  shipping: Shipping,
  { settle, stopped, tell }: Worker & Pick<FreshRun, 'tell'>,
) {
  if (stopped.aborted) return 'lost';
  const { confirm, ...shipment } = shipping.shipment();
  const point = barrier === 'taken' ? null : await pointAfter(shipment.events, open, tell);
  const answer = await settle({ is: 'settle', barrier, shipment, base, point });
  if (answer.as === 'lost') return 'lost';
  confirm();
  if (barrier === 'recorded') shipping.apply(answer.inbox);
  return answer.mostUsd === null ? 'ours' : { mostUsd: answer.mostUsd };
}

/** A wait parks the loop: nothing is left running, and the next worker goes on from the record. */
function openParking({ order, open, runtime }: BegunHere) {
  const { stops: stopsAtStart, status } = open.loop();
  // The loop was taken because the database found this wait to be over.
  const parkedUntil = status.is === 'waiting' && 'until' in status ? status.until : null;
  const isOverFor = (wait: DueWait) =>
    wait.until === parkedUntil && wait.for === order.taken.waits_for && order.taken.trouble === null;
  const wasStuck = order.taken.waits_for === 'circuit';
  let release: Release = { until: null };
  return {
    release: (): Release => release,
    park: (wait: DueWait): 'here' | 'parked' | 'over' => {
      if (isOverFor(wait)) return 'over';
      const left = Date.parse(wait.until) - Date.parse(runtime.now());
      if (left < SHORT_WAIT_MS) return 'here';
      // Half-opened, it made no progress: it stays stuck.
      const isOver = wait.for === 'circuit' && wasStuck && open.loop().stops - stopsAtStart <= 1;
      if (!isOver) release = { ...wait, leftMs: left };
      return 'parked';
    },
  };
}

/**
 * The name of the point that has the work of the stop which was just judged; null: none was. The driver keeps
 * points of iterations alone. But a loop whose stop spends none waits, for a person or for a check, and may
 * go on elsewhere.
 */
async function pointAfter(events: readonly Event[], open: OpenLoop, tell: FreshRun['tell']) {
  const last = events.findLast(({ type }) => type === 'verdict' || type === 'recorded');
  if (last?.type === 'recorded') return String(last.iteration);
  if (last?.type !== 'verdict') return null;
  const { project, files } = open.loop();
  const { ignored } = ownFiles({ files });
  const kept = await recordPoint({ project, store: treeStore(open), ignored, name: `stop-${last.n}` });
  if (kept.ok) return kept.name;
  tell({ is: 'warning', text: `${kept.message} ${kept.next}` });
  return null;
}
