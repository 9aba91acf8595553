// A clock that is set back or forward between two stops: no stop is lost, and one that is delivered twice
// counts once.
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { continues, type Environment } from '../programs/program.ts';
import { attackWorld } from './world.ts';

const SHIM = resolve(import.meta.dirname, 'clock.mjs');
const HOUR = 3_600_000;

function clock(off: number): Partial<Environment> {
  return { NODE_OPTIONS: `--import=${SHIM}`, CLOCK_OFF: String(off) };
}

// A step shorter than the start of a process can't matter: the pass between two stops takes longer.
it.each([-3_000, -60_000, -25 * HOUR, 11 * 60_000, 3 * HOUR])(
  'the same words again, on a clock that is off by %i ms, are another stop',
  async (off) => {
    const world = attackWorld();
    await world.ralph('Fix it --completion-promise NEVER --max-stalls off');
    expect(continues(await world.stop('Done.'))).toBe(true);
    expect(continues(await world.stop('Done.', clock(off)))).toBe(true);
    expect(continues(await world.stop('', clock(off)))).toBe(true);
    expect(continues(await world.stop('', clock(2 * off)))).toBe(true);
    expect(world.program.passes()).toBe(4);
  },
);

it('two deliveries of one stop are one, on whatever clock both are', async () => {
  const world = attackWorld();
  await world.ralph('Fix it --completion-promise NEVER --max-stalls off --check "sleep 1; false"');
  const answers = await Promise.all([1, 2, 3].map(() => world.stop('Done.', clock(-3_000))));
  expect(answers.filter(continues)).toHaveLength(1);
  expect(world.program.passes()).toBe(1);
});
