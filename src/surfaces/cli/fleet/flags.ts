/** The flags of every command of a fleet. */
import { refuse } from '#base/refusal.ts';
import { statusWord } from '#fleet/record.ts';
import type { Reading } from '#input/values.ts';
import type { StatusWord } from '#law/loop.ts';

export const DATABASE_FLAG = {
  '--database URL': 'the fleet database (default: DACAPO_FLEET, or the one of the last dacapo fleet init)',
} as const;
export const EACH = { ...DATABASE_FLAG, '--json': 'print JSON, for programs' } as const;

export function readStatuses(text: string): Reading<readonly StatusWord[]> {
  const words = text.split(/[\s,]+/).filter(Boolean);
  const wrong = words.find((word) => !statusWord(word));
  if (wrong === undefined) return { ok: true, value: words.filter(statusWord) };
  const known =
    'pending, running, waiting, paused, interrupted, completed, exhausted, stuck, escalated, cancelled';
  return refuse('bad-status', `knows no status ${JSON.stringify(wrong)}.`, `Write one of ${known}.`);
}
