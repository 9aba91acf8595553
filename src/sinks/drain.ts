/**
 * Sends what is in the outbox until it is empty. Each target gets a bounded number of attempts. What failed is in the
 * log, and nothing else comes of it.
 */
import { nameOfTarget } from '../flags/notify-target.ts';
import { oneLine } from '../core/words/sanitize.ts';
import type { Sent } from './channels/channel.ts';
import {
  dropSpooled,
  readSpooled,
  replaceSpooled,
  spooledIn,
  type Delivery,
  type Spooled,
} from './outbox.ts';
import { keyOf } from './route.ts';

export interface Draining {
  readonly send: (delivery: Delivery, spooled: Spooled) => Promise<Sent>;
  readonly sleep: (ms: number) => Promise<void>;
  /** Ends when it is time to look for new files. */
  readonly idle: () => Promise<void>;
  readonly now: () => Date;
  readonly log: (line: string) => void;
  /** False: another process has taken over. */
  readonly isOurs: () => boolean;
}

/** The waits between attempts. A receiver that restarts is back by then. */
const RETRY_MS = [1_000, 5_000, 25_000];
/** Between looks at the clock in quiet hours: a timer would not notice that the machine slept. */
const QUIET_LOOK_MS = 20_000;
/** News that is a day late is none. */
const LATE_MS = 24 * 3_600_000;
const DETAIL = 200;

export async function drain(folder: string, draining: Draining): Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  while (draining.isOurs()) {
    for (const name of spooledIn(folder)) {
      if (underWay.has(name)) continue;
      underWay.set(
        name,
        sendFile(folder, name, draining).finally(() => underWay.delete(name)),
      );
    }
    if (underWay.size === 0) return;
    await Promise.race([...underWay.values(), draining.idle()]);
  }
}

async function sendFile(folder: string, name: string, draining: Draining): Promise<void> {
  const spooled = readSpooled(folder, name);
  let left: readonly Delivery[] = spooled?.deliveries ?? [];
  if (spooled !== null)
    await Promise.all(
      left.map(async (delivery) => {
        const outcome = await deliver(folder, name, delivery, spooled, draining);
        if (outcome === null) return;
        logOutcome(outcome, delivery, spooled, draining);
        left = left.filter((one) => one !== delivery);
        // A sender that is killed after this does not send it again.
        if (left.length > 0) replaceSpooled(folder, name, { ...spooled, deliveries: left });
      }),
    );
  if (left.length === 0 || spooled === null) dropSpooled(folder, name);
}

type DeliveryOutcome = Sent & { readonly attempts: number };

/** Null: another process has taken over, and sends it. */
async function deliver(
  folder: string,
  name: string,
  delivery: Delivery,
  spooled: Spooled,
  { send, sleep, now, isOurs }: Draining,
): Promise<DeliveryOutcome | null> {
  if (delivery.due !== null) {
    const due = Date.parse(delivery.due);
    while (now().getTime() < due && isOurs()) await sleep(Math.min(QUIET_LOOK_MS, due - now().getTime()));
    if (isOutdated(folder, name, delivery, spooled))
      return notSent('a later message of this loop replaces it');
  }
  if (now().getTime() - Date.parse(delivery.due ?? spooled.at) > LATE_MS) return notSent('it is a day old');
  for (let attempts = 1; isOurs(); attempts++) {
    const sent = await send(delivery, spooled);
    const wait = RETRY_MS[attempts - 1];
    if (sent.ok || !sent.again || wait === undefined) return { ...sent, attempts };
    await sleep(Math.max(wait, sent.afterMs ?? 0));
  }
  return null;
}

function notSent(detail: string): DeliveryOutcome {
  return { ok: false, detail, again: false, attempts: 0 };
}

/** After quiet hours, each target hears only the last word of each loop. */
function isOutdated(folder: string, name: string, { target }: Delivery, { message }: Spooled): boolean {
  return spooledIn(folder)
    .filter((other) => other > name)
    .map((other) => readSpooled(folder, other))
    .some(
      (other) =>
        other?.message.payload.loop === message.payload.loop &&
        other.deliveries.some((one) => keyOf(one.target) === keyOf(target)),
    );
}

function logOutcome(
  outcome: DeliveryOutcome,
  { target }: Delivery,
  { message }: Spooled,
  { log }: Draining,
): void {
  const { event, loop } = message.payload;
  const tries = outcome.attempts > 1 ? ` after ${outcome.attempts} attempts` : '';
  const what = outcome.ok ? 'sent' : outcome.attempts === 0 ? 'not sent' : 'failed';
  log(
    `notify event=${event} loop=${loop} target=${nameOfTarget(target)}: ${what}${tries} (${oneLine(outcome.detail, DETAIL)})`,
  );
}
