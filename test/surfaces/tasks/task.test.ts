/** How many tasks there may be, and how large. */
import { expect, it } from 'vitest';
import { makePlace, connect } from '../mcp/server.ts';

const LINE = {
  type: 'created',
  at: '2026-01-05T10:00:00.000Z',
  project: '/p',
  title: 'x',
  description: '',
  metadata: {},
};

it('a thousand tasks are the most', async () => {
  const place = makePlace();
  for (let n = 0; n < 1_000; n++) place.store.tasks.make(`TASK-${n}`, LINE);
  const { call, refused } = await connect(place);
  expect(await refused('task_create', { title: 'One more' })).toContain('tasks-full: There are 1000 tasks');
  // Those that are there can still be worked on.
  expect(await call('task_update', { taskId: 'TASK-7', notes: 'Half.' })).toMatchObject({ notes: 'Half.' });
});

it('32 megabytes are the most', async () => {
  const place = makePlace();
  place.store.tasks.make('TASK-large', { ...LINE, description: 'x'.repeat(32 * 1024 * 1024) });
  const { refused } = await connect(place);
  for (const [tool, input] of [
    ['task_create', { title: 'One more' }],
    ['task_update', { taskId: 'TASK-large', notes: 'x' }],
  ] as const)
    expect(await refused(tool, input)).toContain('tasks-full: There are 32 MB of tasks');
});
