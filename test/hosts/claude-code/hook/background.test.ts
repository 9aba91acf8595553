import { describe, expect, it } from 'vitest';
import { wakeUpsOf } from '#hosts/claude-code/hook/session-events.ts';

const due = (schedule: string, now: Date): string | undefined =>
  wakeUpsOf([{ id: 'a', schedule, recurring: false, prompt: 'x' }], now)[0]?.due;

describe('when a wake-up is due', () => {
  const evening = new Date(2026, 11, 31, 23, 50);

  it('is the moment that the schedule names, in local time', () => {
    expect(due('55 23 31 12 *', evening)).toBe(new Date(2026, 11, 31, 23, 55).toISOString());
    expect(due('5 0 1 1 *', evening)).toBe(new Date(2027, 0, 1, 0, 5).toISOString());
    // A moment ago: the host is late.
    expect(due('45 23 31 12 *', evening)).toBe(new Date(2026, 11, 31, 23, 45).toISOString());
  });

  it('is unknown where the schedule names more than one moment, or recurs', () => {
    for (const schedule of ['*/5 * * * *', '0 9 * * 1-5', '0 9 1 * *', '', 'soon'])
      expect(due(schedule, evening)).toBeUndefined();
    expect(wakeUpsOf([{ id: 'a', schedule: '0 9 1 1 *', recurring: true }], evening)[0]?.due).toBeUndefined();
  });
});
