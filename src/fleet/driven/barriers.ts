/**
 * What a driven loop does at its barriers and waits: it ships what it wrote, hears what people asked of it
 * meanwhile, and parks instead of waiting. Nothing here knows a process, a folder or git.
 */
import type { DueWait } from '#engine/driver/options.ts';
import { applyAction } from '#engine/steer/actions.ts';
import { resumeLoop } from '#engine/steer/control.ts';
import { isCircuitOpen, isLive, type Loop } from '#law/loop.ts';
import type { Event, Used } from '#law/record/events.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { sayAdvice } from '#telling/advice.ts';
import { inFleet } from '#telling/audience.ts';
import type { Waiting } from '../lease.ts';
import type { followDeltas } from '../memory.ts';
import { summaryOf } from '../record.ts';
import type { Release, Shipment } from '../ship.ts';
import type { DrivenOrder, FromChild, Settle, SettledAs } from '../worker/protocol.ts';

/** Shorter waits are not in the record. */
const SHORT_WAIT_MS = 5_000;

export interface WorkerDoor {
  readonly send: (message: FromChild) => void;
  readonly settle: (asked: Settle) => Promise<SettledAs>;
  /** Aborted: the pass ends at once, and nothing of it is shipped. */
  readonly stopped: AbortSignal;
}

export interface DrivenLoop {
  readonly order: Pick<DrivenOrder, 'taken'>;
  readonly open: OpenLoop;
  /** What the loop has written since its record. */
  readonly growth: ReturnType<typeof followDeltas>;
  readonly runtime: Runtime;
}

/**
 * Goes on with a loop that another driver has left. `lost`: what a pass had used that nobody has counted yet.
 */
export function continueJournal(open: OpenLoop, tree: string, lost: Used | null, runtime: Runtime): void {
  open.write({ type: 'moved', at: runtime.now(), project: tree, machine: runtime.store.machine() });
  if (lost !== null) open.write({ type: 'spent', at: runtime.now(), used: lost });
  // It was parked until what stood in its way may be gone.
  const nobody = { session: null, process: null, prompt: null, iterations: null };
  if (isCircuitOpen(open.look())) resumeLoop(open, { by: 'terminal', ...nobody }, runtime);
}

/** Whatever made the driver leave, nobody would ever take a live loop that is released as if it had ended. */
export function releaseAfter(parked: Release, loop: Loop, isElsewhere: boolean): Release {
  if (parked.until !== null || !isLive(loop)) return parked;
  const why = isElsewhere
    ? 'its driver found it held by another process'
    : 'its driver exited before the loop had ended';
  return { until: 'later', why };
}

export type Shipping = ReturnType<typeof openShipping>;

/** What the loop wrote since the worker shipped last, and what people asked of it meanwhile. */
export function openShipping({ order, open, growth, runtime }: DrivenLoop, send: WorkerDoor['send']) {
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

interface BarrierOrder {
  readonly barrier: Settle['barrier'];
  /** The commit that the loop began with. */
  readonly base: string;
  readonly shipping: Shipping;
  readonly worker: Omit<WorkerDoor, 'send'>;
  /** Records a point of this name now. Null: it could not be. */
  readonly keepPoint: (name: string) => Promise<string | null>;
}

/** The worker ships what the loop wrote, and answers whether the loop is still its own. */
export async function settleBarrier({ barrier, base, shipping, worker, keepPoint }: BarrierOrder) {
  if (worker.stopped.aborted) return 'lost';
  const { confirm, ...shipment } = shipping.shipment();
  const point = barrier === 'taken' ? null : await pointAfter(shipment.events, keepPoint);
  const answer = await worker.settle({ is: 'settle', barrier, shipment, base, point });
  if (answer.as === 'lost') return 'lost';
  confirm();
  if (barrier === 'recorded') shipping.apply(answer.inbox);
  return answer.mostUsd === null ? 'ours' : { mostUsd: answer.mostUsd };
}

/**
 * The name of the point that has the work of the stop which was just judged; null: none was. The driver keeps
 * points of iterations alone. But a loop whose stop spends none waits, for a person or for a check, and may
 * go on elsewhere.
 */
async function pointAfter(events: readonly Event[], keepPoint: BarrierOrder['keepPoint']) {
  const last = events.findLast(({ type }) => type === 'verdict' || type === 'recorded');
  if (last?.type === 'recorded') return String(last.iteration);
  return last?.type === 'verdict' ? keepPoint(`stop-${last.n}`) : null;
}

/** A wait parks the loop: nothing is left running, and the next worker goes on from the record. */
export function openParking({ order, open, runtime }: Omit<DrivenLoop, 'growth'>) {
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
