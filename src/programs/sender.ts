/**
 * The program that sends notifications: `sender.cjs HOME`. It is detached from the process that started
 * it, and the only one for its outbox. It ends when the outbox is empty.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOfHost } from '#hosts/tables/names.ts';
import { sendNotice } from '#engine/notices/channels/send.ts';
import { drain } from '#engine/notices/drain.ts';
import { OUTBOX, spooledIn, takeLock } from '#engine/notices/outbox.ts';
import { isAlive } from '#store/runtime.ts';
import { homeAt, logTo } from '#store/file/home.ts';

const home = homeAt(process.argv[2] ?? '');
const folder = join(home.dir, OUTBOX);
const TOUCH_MS = 2_000;
/** How often we look for new messages: rarely, once it is clear that we only wait for a receiver. */
const SENDER_POLL_MS = { first: 200, later: 2_000, after: 30_000 };
const now = () => new Date();
const log = logTo(home.log, () => now().toISOString());

/** Without the variables of a host: a command of the user's is not a command of an agent. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfHost(name)));

async function main(): Promise<void> {
  // A message may be written just before we give up the lock. Its writer saw the lock and started nobody.
  while (spooledIn(folder).length > 0) {
    const lock = takeLock(folder, isAlive);
    if (lock === null) return;
    const timer = setInterval(lock.touch, TOUCH_MS);
    try {
      await drain(folder, {
        send: (target, { message, secret }) =>
          sendNotice(target, { message, secret, env, platform: process.platform, now }),
        sleep: (ms) => sleep(ms, undefined),
        idle: () =>
          sleep(
            process.uptime() * 1_000 < SENDER_POLL_MS.after ? SENDER_POLL_MS.first : SENDER_POLL_MS.later,
            undefined,
          ),
        now,
        log,
        isOurs: lock.isOurs,
      });
    } finally {
      clearInterval(timer);
      lock.drop();
    }
  }
}

void main().catch((error: unknown) => log(`notify: the sender failed: ${String(error)}`));
