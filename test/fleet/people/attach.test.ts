// @module-tag postgres
/** What the agent of a loop does now, seen from any machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CLI } from '../../surfaces/cli/box.ts';
import { findAddress } from '#fleet/database/address.ts';
import { openDatabase } from '#fleet/database/database.ts';
import { leaseNextLoop } from '#fleet/lease.ts';
import { followNews, openNews } from '#fleet/look/news.ts';
import type { RunEvent } from '#engine/run-event.ts';
import { hasEnded, openStage, type Stage } from '../stage.ts';

function attach(stage: Stage, id: string) {
  const child = spawn(process.execPath, [CLI, 'fleet', 'attach', id, '--json'], {
    env: stage.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: RunEvent[] = [];
  const input = createInterface({ input: child.stdout });
  input.on('line', (line) => lines.push(JSON.parse(line) as RunEvent));
  const hear = async (is: RunEvent['is']) => {
    while (!lines.some((line) => line.is === is)) await once(input, 'line');
  };
  return { child, lines, hear, ended: once(child, 'exit') };
}

test('attach shows the agent at work, and leaves the loop alone', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  const gate = join(stage.root, 'gate');
  const id = await stage.submit(
    `Work.\nsays: I am at it.\ndo: while ! test -e ${gate}; do sleep 0.1; done; echo x > x.txt`,
    '--check',
    'test -e x.txt',
  );
  await stage.worker('w1');
  const first = attach(stage, id);
  await first.hear('says');
  expect(first.lines[0]).toMatchObject({ is: 'begins', loop: id, at: expect.any(String) });
  expect(first.lines.find(({ is }) => is === 'says')).toMatchObject({ text: 'I am at it.' });
  first.child.kill('SIGINT');
  expect(await first.ended).toEqual([0, null]);
  expect(await stage.status(id)).toMatchObject({ status: 'running', worker: 'w1' });

  const second = attach(stage, id.slice(-8));
  await second.hear('says');
  writeFileSync(gate, '');
  expect(await second.ended).toEqual([0, null]);
  const told = second.lines.map(({ is }) => is);
  expect(told).toEqual(expect.arrayContaining(['iteration-begins', 'says', 'check-ended', 'judged', 'ends']));
  expect(told.at(-1)).toBe('ends');
  expect(hasEnded(await stage.status(id))).toBe(true);
  const unknown = await stage.run('fleet', 'attach', 'NO_SUCH', '--json');
  expect(unknown.code).toBe(1);
});

test('only the last lines of a loop are kept, and none of what a tool printed', async () => {
  const stage = await openStage();
  const address = findAddress(stage.url, {}, stage.root);
  if (!address.ok) throw new Error(address.message);
  const database = await openDatabase(address);
  onTestFinished(() => database.close());
  const id = await stage.submit('Work.', '--check', 'true');
  const taken = await leaseNextLoop(database, {
    name: 'w1',
    labels: [],
    hosts: ['claude-code'],
    accept: [],
    leaseSeconds: 10,
    loop: null,
  });
  if (taken === null) throw new Error('there is no loop');
  const write = async (count: number) => {
    const news = openNews(database);
    const at = new Date().toISOString();
    for (let k = 1; k < count; k++) news.tell(taken, { is: 'says', at, text: `${k} ${'x'.repeat(9_000)}\0` });
    news.tell(taken, { is: 'tool-ended', at, id: '1', failed: true, text: 'printed', lines: 1 });
    await news.close();
  };
  await write(450);
  await write(2);
  // Who has not taken the loop says nothing about it.
  const stranger = openNews(database);
  stranger.tell({ id, key: 'x' }, { is: 'says', at: new Date().toISOString(), text: 'stranger' });
  await stranger.close();
  const lines = await followNews(database)([id, 'B']);
  expect(lines).toHaveLength(202);
  expect(lines.at(-1)).toMatchObject({ loop: id, line: { is: 'tool-ended', text: '' } });
  expect(JSON.stringify(lines.slice(0, 10)).length).toBeLessThan(30_000);
});
