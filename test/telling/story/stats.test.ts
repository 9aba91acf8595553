/** Statistics over loops that real hearings have made. */
import { describe, expect, it } from 'vitest';
import type { Count } from '#hosts/port/arrival.ts';
import { readStats } from '#engine/look/read-stats.ts';
import { statsOf } from '#telling/story/stats.ts';
import type { Tally } from '#telling/story/tally.ts';
import { DONE, Stage } from '../../engine/hearing/stage.ts';

const count = (): Promise<Count> => Promise.resolve({ used: { costUsd: 0.5, tokens: 1_200 }, note: null });

const TASK = '--check "test -f done.txt" --completion-promise COMPLETE';

async function oneCompleted(stage: Stage): Promise<void> {
  await stage.start(`Fix it. ${TASK}`);
  await stage.stop('Working.');
  await stage.stop(DONE, { from: { prompt: 'p2' } });
  stage.write('', { file: 'done.txt' });
  await stage.stop(DONE, { from: { prompt: 'p3' } });
}

describe('statistics', () => {
  it('count how loops ended, what they claimed and which gates held', async () => {
    const stage = new Stage();
    await oneCompleted(stage);
    await stage.start('Fix that. --completion-promise COMPLETE', { session: 's2', prompt: 'q1' });
    await stage.command('cancel', '', { from: { session: 's2', prompt: 'q2' } });
    await stage.start('And that.', { session: 's3', prompt: 'r1' });
    const stats = readStats(stage.project, stage.runtime());
    expect(stats).toMatchObject({
      loops: 3,
      ended: 2,
      completed: 1,
      completionRate: 0.5,
      byStatus: { completed: 1, cancelled: 1, running: 1 },
      iterations: 3,
      iterationsToDone: { least: 3, median: 3, mean: 3, most: 3 },
      claims: 2,
      claimsRefused: 1,
      gates: [{ gate: 'test -f done.txt', loops: 1, tested: 2, held: 1 }],
      models: [{ model: null, loops: 1, completed: 1, iterations: 3 }],
    });
    expect(stats.days).toMatchObject([{ loops: 3, completed: 1, iterations: 3 }]);
  });

  it('say in how many loops the cost was counted', async () => {
    const stage = new Stage();
    await stage.start('Fix it.');
    await stage.stop('Working.', { count });
    expect(readStats(null, stage.runtime())).toMatchObject({ loops: 1, counted: 0, costUsd: 0, tokens: 0 });
    await stage.start('Fix that. --max-cost 2', { session: 's2', prompt: 'q1' });
    await stage.stop('Working.', { from: { session: 's2', prompt: 'q1' }, count });
    expect(readStats(null, stage.runtime())).toMatchObject({
      loops: 2,
      counted: 1,
      costUsd: 0.5,
      tokens: 1_200,
    });
  });

  it('keep the tally of an ended loop, and count again what has grown', async () => {
    const stage = new Stage();
    await oneCompleted(stage);
    const first = readStats(null, stage.runtime());
    expect(stage.blobs().list('tally')).toEqual(['tally.json']);
    expect(readStats(null, stage.runtime())).toEqual(first);
    for (const broken of ['', '{"version":"0"}', 'null']) {
      stage.blobs().write('tally.json', broken);
      expect(readStats(null, stage.runtime())).toEqual(first);
    }
  });

  it('of no loop are zero', () => {
    expect(statsOf([])).toMatchObject({ loops: 0, completionRate: null, iterationsToDone: null, gates: [] });
  });

  it('take the median of an even number in the middle', () => {
    const done = (iterations: number): Tally => ({
      status: 'completed',
      startedAt: '2026-01-05T10:00:00.000Z',
      endedAt: '2026-01-05T11:00:00.000Z',
      iterations,
      claims: 1,
      refused: 0,
      workedMs: 1,
      waitedMs: 1,
      costUsd: iterations / 10,
      estimated: iterations > 4,
      tokens: 1,
      gates: [],
      models: [],
    });
    expect(statsOf([done(1), done(2), done(4), done(9)])).toMatchObject({
      iterationsToDone: { least: 1, median: 3, mean: 4, most: 9 },
      costUsd: 1.6,
      estimated: true,
    });
    expect(statsOf([done(1), done(2)])).toMatchObject({ estimated: false });
  });
});
