/** Whether other loops work in the files of a loop that begins. */
import { beforeEach, expect, test } from 'vitest';
import { sayNeighbours } from '#engine/begin/run.ts';
import { Stage } from './hearing/stage.ts';
import { makeReady } from './ready.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

const own = () => ({ id: 'RALPH_1', project: stage.project });

test('one that is at work in the same folder is named, with what keeps them apart', async () => {
  const { id } = await stage.start('Fix. --name docs');
  expect(sayNeighbours(own(), stage.runtime())).toEqual([
    `"docs" (${id}) is at work in the same files. dacapo run --worktree keeps what loops do apart.`,
  ]);
  await stage.start('Fix more.', { session: 's2', process: 200, prompt: 'p2' });
  expect(sayNeighbours(own(), stage.runtime())[0]).toMatch(/^RALPH_\w+, "docs" \(RALPH_\w+\) are at work/);
});

test('itself, one elsewhere, one that stands still and one that nobody has taken up are none', async () => {
  const { id } = await stage.start('Fix.');
  expect(sayNeighbours({ ...own(), id }, stage.runtime())).toEqual([]);
  expect(sayNeighbours({ ...own(), project: '/elsewhere' }, stage.runtime())).toEqual([]);
  stage.dead.add(stage.sender.process ?? 0);
  await makeReady(stage, 'Later.');
  expect(sayNeighbours(own(), stage.runtime())).toEqual([]);
});
