/** Calls per hour: when the next pass may begin, given when the last ones did. */

const HOUR_MS = 3_600_000;

/** Null: now. `begun`: when passes began, oldest first. */
export function mayBeginAt(begun: readonly string[], perHour: number | null, now: string): string | null {
  if (perHour === null) return null;
  const recent = begun.filter((at) => Date.parse(now) - Date.parse(at) < HOUR_MS);
  const oldest = recent.at(-perHour);
  return oldest === undefined ? null : new Date(Date.parse(oldest) + HOUR_MS).toISOString();
}
