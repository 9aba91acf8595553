/** A wait ends when its time is over, also by a clock that jumps. */
import { expect, it } from 'vitest';
import { holdUntil } from '#engine/driver/wait.ts';
import { Stage } from '../hearing/stage.ts';

const AT = Date.parse('2026-01-05T10:00:00.000Z');
const instant = (ms: number) => new Date(AT + ms).toISOString();
const HOUR = 3_600_000;

async function waited(clock: readonly number[]): Promise<number> {
  const stage = new Stage();
  await stage.start('Fix it.');
  const open = stage.store.open(stage.loop().id);
  if (open === null) throw new Error('there is no loop');
  let look = 0;
  const now = () => instant(clock[Math.min(look++, clock.length - 1)] ?? 0);
  const began = performance.now();
  expect(await holdUntil(instant(300), open, { signals: [], now })).toBe('over');
  open.close();
  return performance.now() - began;
}

it('takes no longer where the clock is set back', async () => {
  expect(await waited([0, -HOUR])).toBeLessThan(10_000);
});

it('is over at once where the clock is past it, as after a sleep of the machine', async () => {
  expect(await waited([0, HOUR])).toBeLessThan(10_000);
});
