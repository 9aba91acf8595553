/** Ids in the shapes that agents know: `TASK-abc12345`, `IT-1735567890-abc123`, `HOOK-…`, `CP-…`. */

const SHORT = 6;
const LONG = 10;

export type Prefix = 'TASK' | 'IT' | 'HOOK' | 'CP';

/** `random`: from 0 up to, not including, 1. */
export function newId(prefix: Prefix, now: string, random: () => number = Math.random): string {
  const letters = (count: number) =>
    Array.from({ length: count }, () => Math.floor(random() * 36).toString(36)).join('');
  if (prefix === 'TASK') return `TASK-${letters(LONG)}`;
  return `${prefix}-${Math.floor(Date.parse(now) / 1000)}-${letters(SHORT)}`;
}
