/** Which targets get a notice, and when. Pure. */
import { targetOf, type Target } from '../flags/notify-target.ts';
import type { NoticeKind } from '../core/notices.ts';
import type { Delivery } from './outbox.ts';
import type { ConfiguredTarget, QuietHours } from '../flags/user-config/notify-fields.ts';
import type { UserConfig } from '../flags/user-config/user-config.ts';

/** `own`: the targets that the loop names itself. One that can't be read is left out: the start has refused it. */
export function route(is: NoticeKind, own: readonly string[], config: UserConfig, now: Date): Delivery[] {
  const quiet = quietFor(is, config, now);
  const told = targetsOf(own, config.notify)
    .filter(({ events }) => (events ?? config.events).includes(is))
    .map((one) => ({ target: one.target, due: one.quiet ? quiet : null }));
  // Named twice, told once.
  return [...new Map(told.map((delivery) => [keyOf(delivery.target), delivery])).values()];
}

/** Those of the user's config, and those that a loop names itself. */
export function targetsOf(
  own: readonly string[],
  configured: readonly ConfiguredTarget[],
): readonly ConfiguredTarget[] {
  return [...configured, ...own.flatMap(ownTarget)];
}

function ownTarget(text: string): ConfiguredTarget[] {
  const read = targetOf(text);
  return read.ok ? [{ target: read.value, events: null, quiet: true }] : [];
}

function quietFor(is: NoticeKind, { quietHours, quietExcept }: UserConfig, now: Date): string | null {
  if (quietHours === null || quietExcept.includes(is)) return null;
  return quietUntil(quietHours, now)?.toISOString() ?? null;
}

/** The same for the same target. */
export function keyOf(target: Target): string {
  return JSON.stringify(target);
}

/** When the quiet hours around `now` end; null: it is not quiet. */
export function quietUntil({ from, to }: QuietHours, now: Date): Date | null {
  const minute = now.getHours() * 60 + now.getMinutes();
  const isQuiet = from < to ? from <= minute && minute < to : minute >= from || minute < to;
  if (!isQuiet) return null;
  const end = new Date(now);
  // Set as a local time, so that a change of the clocks in the night moves the end with it.
  end.setHours(Math.floor(to / 60), to % 60, 0, 0);
  if (minute >= to) end.setDate(end.getDate() + 1);
  return end;
}
