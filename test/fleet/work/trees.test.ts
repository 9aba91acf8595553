// @module-tag postgres
/** The work trees of loops that ended while this worker did not drive them. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hasEnded, openStage, passesNow } from '../stage.ts';

test(
  'a worker removes the trees of loops that ended without it, but none with work that nobody else has',
  { timeout: 120_000 },
  async () => {
    const stage = await openStage();
    const work = 'Add.\ndo: echo x >> x.txt';
    const asking = ['--check', 'test -e x.txt', '--approve-done', '--pause', '0s'];
    const submit = (...flags: string[]) => stage.submit(work, ...asking, ...flags);
    const cancelled = await submit('--commit');
    const [elsewhere, touched, paused] = [await submit(), await submit(), await submit()];
    const parked = [cancelled, elsewhere, touched, paused];
    const first = await stage.worker('w1', ['--capacity', '5']);
    for (const id of parked) await stage.until(id, ({ waits }) => waits?.for === 'approval');
    const cut = await stage.submit('Add.\ndo: echo x > x.txt; sleep 60', '--check', 'false');
    while (passesNow(stage.passes()).length === 0) await sleep(20);
    await sleep(500);
    await stage.fleet('cancel', cut);
    const tree = (id: string) => join(stage.root, 'dacapo', 'fleet', 'workers', 'w1', 'trees', id);
    const unbegun = await submit('--setup', 'touch set-up; sleep 60');
    while (!existsSync(join(tree(unbegun), 'set-up'))) await sleep(20);
    await stage.fleet('cancel', unbegun);
    first.process.kill('SIGTERM');
    await first.ended;

    const left = () => [...parked, cut, unbegun].filter((id) => existsSync(tree(id)));
    expect(left()).toEqual([...parked, cut, unbegun]);
    await stage.fleet('cancel', cancelled);
    await stage.fleet('cancel', touched);
    await stage.fleet('pause', paused);
    writeFileSync(join(tree(touched), 'mine.txt'), 'By hand.\n');
    const { requests } = await stage.status(elsewhere);
    await stage.fleet('answer', requests[0]?.id ?? '', '--reject');
    await stage.fleet('amend', elsewhere, '--max-iterations', '2');
    const second = await stage.worker('w2');
    await stage.until(elsewhere, (loop) => loop.requests[0]?.id.endsWith('-2') === true);
    await second.die();
    const [again] = (await stage.status(elsewhere)).requests;
    await stage.fleet('answer', again?.id ?? '', '--approve');
    expect(await stage.until(elsewhere, hasEnded)).toMatchObject({ status: 'completed' });

    await stage.worker('w1');
    while (left().length > 3) await sleep(50);
    await sleep(500);
    expect(left()).toEqual([touched, paused, cut]);
    expect(existsSync(`${tree(cancelled)}.ready`)).toBe(false);
  },
);
