/**
 * Sends what is in the outbox until it is empty. Each target gets a bounded number of attempts. What failed
 * is in the log, and nothing else comes of it.
 */
import { nameOfTarget, type Target } from '#input/config/notify-target.ts';
import { oneLine } from '#base/words/sanitize.ts';
import type { SendResult } from './message.ts';
import { dropSpooled, readSpooled, replaceSpooled, spooledIn, type SpooledNotice } from './outbox.ts';

export interface Draining {
  readonly send: (target: Target, spooled: SpooledNotice) => Promise<SendResult>;
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
const LATE_MS = 24 * 3_600_000;
const MAX_DETAIL_CHARS = 200;

export async function drain(folder: string, draining: Draining): Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  while (draining.isOurs()) {
    for (const name of spooledIn(folder).filter((one) => !underWay.has(one))) {
      const sending = sendFile(folder, name, draining);
      underWay.set(
        name,
        sending.finally(() => underWay.delete(name)),
      );
    }
    if (underWay.size === 0) return;
    await Promise.race([...underWay.values(), draining.idle()]);
  }
}

async function sendFile(folder: string, name: string, draining: Draining): Promise<void> {
  const spooled = readSpooled(folder, name);
  if (spooled === null) return dropSpooled(folder, name);
  let left = spooled.targets;
  const sendTo = async (target: Target): Promise<void> => {
    const outcome = await deliver(target, spooled, draining);
    if (outcome === null) return;
    logOutcome(outcome, target, spooled, draining);
    left = left.filter((one) => one !== target);
    // A sender that is killed after this does not send it again.
    if (left.length > 0) replaceSpooled(folder, name, { ...spooled, targets: left });
  };
  await Promise.all(left.map(sendTo));
  if (left.length === 0) dropSpooled(folder, name);
}

/** Null: another process has taken over, and sends it. */
async function deliver(target: Target, spooled: SpooledNotice, { send, sleep, now, isOurs }: Draining) {
  if (now().getTime() - Date.parse(spooled.at) > LATE_MS)
    return { ok: false, detail: 'it is a day old', attempts: 0 };
  for (let attempts = 1; isOurs(); attempts++) {
    const sent = await send(target, spooled);
    const wait = RETRY_MS[attempts - 1];
    if (sent.ok || !sent.again || wait === undefined) return { ...sent, attempts };
    await sleep(Math.max(wait, sent.afterMs ?? 0));
  }
  return null;
}

type Delivered = NonNullable<Awaited<ReturnType<typeof deliver>>>;

function logOutcome(outcome: Delivered, target: Target, { message }: SpooledNotice, { log }: Draining): void {
  const { event, loop } = message.payload;
  const tries = outcome.attempts > 1 ? ` after ${outcome.attempts} attempts` : '';
  const what = outcome.ok ? 'sent' : outcome.attempts === 0 ? 'not sent' : 'failed';
  log(
    `notify event=${event} loop=${loop} target=${nameOfTarget(target)}: ${what}${tries} ` +
      `(${oneLine(outcome.detail, MAX_DETAIL_CHARS)})`,
  );
}
