// @module-tag postgres
/** A worker whose clock is wrong: waits last as long as they should. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasEnded, openStage } from '../stage.ts';

const CLOCK = join(import.meta.dirname, '../../attacks/clock.mjs');
const MINUTES_5 = 300_000;

test.concurrent(
  'a wait that one worker began is over for the next one, whose clock is behind',
  { timeout: 90_000 },
  async ({ onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const id = await stage.submit(
      'Add.\ndo: echo x >> x.txt',
      '--check',
      'test $(wc -l < x.txt) -ge 2',
      '--pause',
      '8s',
    );
    const first = await stage.worker('w1');
    await stage.until(id, ({ waits }) => waits?.for === 'pause');
    first.process.kill('SIGTERM');
    await first.ended;
    const skewed = { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_OFF: String(-MINUTES_5) };
    const second = await stage.worker('w2', [], skewed);
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 2 });
    expect(second.lines.filter(({ is }) => is === 'takes')).toHaveLength(1);
  },
);

test.concurrent.for([
  ['behind', -MINUTES_5],
  ['ahead', MINUTES_5],
] as const)(
  'five minutes %s: a pause is one wait',
  { timeout: 90_000 },
  async ([, off], { onTestFinished: atEnd }) => {
    const stage = await openStage({ atEnd });
    const id = await stage.submit(
      'Add.\ndo: echo x >> x.txt',
      '--check',
      'test $(wc -l < x.txt) -ge 2',
      '--pause',
      '8s',
    );
    const skewed = { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_OFF: String(off) };
    const worker = await stage.worker('w1', [], skewed);
    await stage.until(id, ({ waits }) => waits?.for === 'pause');
    const began = Date.now();
    expect(await stage.until(id, hasEnded)).toMatchObject({ status: 'completed', iteration: 2 });
    expect(Date.now() - began).toBeGreaterThan(6_000);
    expect(worker.lines.filter(({ is }) => is === 'takes')).toHaveLength(2);
  },
);
