/** Drives a loop with the driver of one machine. Its two barriers ask the worker, and a wait parks the loop. */
import { drive, isOwnedElsewhere } from '../../fresh/drive.ts';
import { openKeeper } from '../../fresh/keep-work.ts';
import type { FreshRun } from '../../fresh/options.ts';
import { hasEnded, isLive, type Loop } from '../../core/loop.ts';
import type { Event } from '../../core/record/events.ts';
import { recordPoint } from '../../git/points/points.ts';
import { treeStore } from '../../store/evidence.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { ownFiles } from '../../views/names.ts';
import { beginningOf, endingOf, provingTeller, withTelemetry } from '../../fresh/telling.ts';
import { openWatchdog } from '../../process/watchdog.ts';
import { perform } from '../../operations/steer/hand.ts';
import { fleetWords } from '../../text/commands.ts';
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

export async function driveLoop(begun: BegunHere, { send, settle, stopped }: Worker): Promise<FromChild> {
  const { order, open, on, permissionMode, base, growth, runtime } = begun;
  const stopsAtStart = open.loop().stops;
  const wasStuck = order.taken.waits_for === 'circuit';
  let from = order.taken.events;
  let applied = 0;
  let release: Release = { until: null };
  const shipment = (): Shipment & { readonly confirm: () => void } => ({
    ...growth(),
    from,
    summary: summaryOf(open, runtime),
    applied,
  });
  const apply = (inbox: readonly Waiting[]) => {
    for (const { k, act } of inbox) {
      if (k <= applied) continue;
      applied = k;
      const done = perform(open.loop().id, act, runtime);
      if (done.ok) continue;
      const words = `${done.message} ${fleetWords(done.next)}`;
      open.write({ type: 'refused', at: runtime.now(), act: act.is, words });
      send({ is: 'tell', event: { is: 'warning', text: words } });
    }
    open.look();
  };
  const show: FreshRun['tell'] = (event) => {
    send({ is: 'tell', event });
    return true;
  };
  const { tell, close } = await withTelemetry(open.loop(), runtime, show);
  apply(order.brought.inbox);
  tell(beginningOf(open.loop()));
  const watchdog = openWatchdog(process.env);
  await drive(
    open,
    {
      ...on,
      env: process.env,
      watchdog,
      permissionMode,
      now: stopped,
      soon: NEVER,
      tell,
      drained: async () => undefined,
      chance: Math.random,
      graceMs: GRACE_MS,
      keeper: openKeeper(tell, runtime),
      settled: async ({ is: barrier }) => {
        if (stopped.aborted) return 'lost';
        const { confirm, ...shipped } = shipment();
        const point = barrier === 'taken' ? null : await pointAfter(shipped.events, open, tell);
        const answer = await settle({ is: 'settle', barrier, shipment: shipped, base, point });
        if (answer.as === 'lost') return 'lost';
        from += shipped.events.length;
        confirm();
        if (barrier === 'recorded') apply(answer.inbox);
        return answer.mostUsd === null ? 'ours' : { mostUsd: answer.mostUsd };
      },
      wait: async (wait) => {
        const left = Date.parse(wait.until) - Date.parse(runtime.now());
        if (left < SHORT_WAIT_MS) return 'here';
        // Half-opened, it made no progress: it stays stuck.
        const isOver = wait.for === 'circuit' && wasStuck && open.loop().stops - stopsAtStart <= 1;
        if (!isOver) release = wait;
        return 'parked';
      },
    },
    { ...runtime, proving: provingTeller(tell) },
  );
  watchdog.close();
  await close();
  if (release.until === null && hasEnded(open.loop())) tell(endingOf(open.loop(), runtime.now()));
  const { confirm: _, ...shipped } = shipment();
  // Whatever made the driver leave, nobody would ever take a loop that is let go as if it had ended.
  if (release.until === null && isLive(open.loop()))
    release = { until: 'later', why: whyLeft(open.loop(), runtime) };
  return { is: 'done', shipment: shipped, release };
}

function whyLeft(loop: Loop, runtime: Runtime): string {
  return isOwnedElsewhere(loop, runtime)
    ? 'its driver found it in the hands of another process'
    : 'its driver left before it had ended';
}

/**
 * The name of the point that has the work of the stop which was just judged; null: none was. The driver keeps points of
 * iterations alone. But a loop whose stop spends none waits, for a person or for a check, and may go on elsewhere.
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
