/** When the quiet hours end, in the local time of this machine. Pure but for the time zone. */
import type { QuietHours } from '../flags/user-config/quiet-hours.ts';

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
