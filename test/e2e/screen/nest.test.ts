// @module-tag tmux
/**
 * A person puts a task inside a loop that runs: typed in the middle of a pass, it comes next, and the loop
 * goes on.
 */
import { expect, test } from 'vitest';
import { context, makeGate, makeWorld, until, written } from '../world.ts';

test('/ralph … --nest typed during a pass: the inner task is done first, then the outer one goes on', async () => {
  const gate = makeGate();
  const world = await makeWorld(async ({ n }) => {
    if (n === 0) await gate.opened;
    return (
      ['Not yet.', '<promise>RHYMES</promise>', 'All done.\n\n<promise>COMPLETE</promise>'][n] ?? 'Too far.'
    );
  });
  const screen = await world.open();
  await screen.submit('/dacapo:ralph Write a poem about the sea');
  await until(() => world.model.requests.length === 1, 'the first pass');
  await screen.submit('/dacapo:ralph Find rhymes first --nest --completion-promise RHYMES');
  await written(world, '"enqueue"', 'Find rhymes first');
  gate.open();
  await screen.waitFor(/has an inner task now/);
  await screen.waitFor(/The inner task is done after 1 iteration/);
  await screen.waitFor(/completed after 1 iteration \+ 1 in inner tasks/);
  expect(context(world.model.requests[1])).toContain('Find rhymes first');
  expect(context(world.model.requests[2])).toMatch(/Back to the task around it: iteration 1 of 50 continues/);
  expect(world.model.requests).toHaveLength(3);
  const [loop] = world.loops();
  expect(loop).toMatchObject({ around: [], frame: { passes: 1, inner: { complete: 1 } } });
});
