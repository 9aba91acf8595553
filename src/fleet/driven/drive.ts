/**
 * Drives a loop with the driver of one machine. Its two barriers ask the worker, and a wait parks the loop.
 */
import { drive } from '#engine/driver/drive.ts';
import { openKeeper } from '#engine/driver/keep-work.ts';
import type { FreshRun } from '#engine/driver/options.ts';
import { hasEnded } from '#law/loop.ts';
import { recordPoint } from '#evidence/git/points/points.ts';
import { treeStore } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { isOwnedElsewhere } from '#store/runtime.ts';
import { ownFiles } from '#evidence/views/names.ts';
import { beginningOf, endingOf, provingTeller, withTelemetry } from '#engine/driver/telling.ts';
import { openWatchdog } from '#base/process/watchdog.ts';
import { inFleet } from '#telling/audience.ts';
import type { FromChild } from '../worker/protocol.ts';
import { openParking, openShipping, releaseAfter, settleBarrier, type WorkerDoor } from './barriers.ts';
import type { BegunHere } from './begin.ts';

/** A lease is short: a host that does not end at once is killed. */
const GRACE_MS = 300;
/** A worker that drains answers a barrier with `lost`. */
const NEVER = new AbortController().signal;

export async function driveLoop(begun: BegunHere, worker: WorkerDoor): Promise<FromChild> {
  const { open, on, permissionMode, runtime } = begun;
  const { send, stopped } = worker;
  const shipping = openShipping(begun, send);
  const parking = openParking(begun);
  const show: FreshRun['tell'] = (event) => {
    send({ is: 'tell', event });
    return true;
  };
  const { tell, traces, close } = await withTelemetry(open, runtime, show);
  shipping.apply(begun.order.loopRecord.inbox);
  tell(beginningOf(open.loop()));
  const keepPoint = (name: string) => recordNamedPoint(name, open, tell);
  const watchdog = openWatchdog(process.env);
  await drive(
    open,
    {
      ...on,
      env: process.env,
      ...traces,
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
      settled: ({ is }) => settleBarrier({ barrier: is, base: begun.base, shipping, worker, keepPoint }),
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

/** Records the work tree as it is now. Null: it could not be. */
async function recordNamedPoint(
  name: string,
  open: OpenLoop,
  tell: FreshRun['tell'],
): Promise<string | null> {
  const { project, files } = open.loop();
  const { ignored } = ownFiles({ files });
  const kept = await recordPoint({ project, store: treeStore(open), ignored, name });
  if (kept.ok) return kept.name;
  tell({ is: 'warning', text: `${kept.message} ${kept.next}` });
  return null;
}
