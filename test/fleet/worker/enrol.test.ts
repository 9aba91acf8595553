// @module-tag postgres
/** A database that goes away while a worker begins never ends the worker, whatever it was just asking. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runWorker, type WorkerEvent } from '#fleet/worker/worker.ts';
import { ENDLESS_SHIFT } from '#fleet/worker/worker-state.ts';
import { proxyTo } from '../proxy.ts';
import { openStage, type Stage } from '../stage.ts';

/** More than a worker says before it is ready. */
const TURNS = 24;

/** What the worker reports until it is ready, if its connections break once. */
async function beginWithBreak(stage: Stage, turn: number, loop: string | null) {
  const proxy = await proxyTo(stage.url);
  proxy.breakAt(turn);
  const [soon, seen] = [new AbortController(), [] as WorkerEvent['is'][]];
  const ended = await runWorker(
    {
      name: `w${turn}`,
      machine: 'm',
      version: '0.0.0',
      labels: [],
      hosts: ['claude-code'],
      capacity: 1,
      shift: ENDLESS_SHIFT,
      loop,
      accept: ['nothing/*'],
      mayOwn: true,
      folder: `${stage.root}/fleet-${turn}`,
      env: stage.env,
      lent: null,
      soon: soon.signal,
      now: new AbortController().signal,
      sink: () => undefined,
      tell: ({ is }) => {
        seen.push(is);
        if (is === 'ready') soon.abort();
      },
    },
    { ok: true, url: proxy.url, shown: 'the database' },
  );
  return { seen, ended };
}

test('connections that break at any turn of the beginning', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const loop = await stage.submit('Wait.', '--check', 'false');
  const all = await Promise.all(
    Array.from({ length: TURNS }, (_, k) => sleep(k * 10).then(() => beginWithBreak(stage, k + 1, loop))),
  );
  for (const { seen, ended } of all) {
    expect(seen).toContain('ready');
    expect(ended).toMatchObject({ ok: true });
  }
  // Some waited for the database, and the last turns came after the beginning.
  expect(all.some(({ seen }) => seen.includes('waits'))).toBe(true);
});
