// @module-tag tmux
/** What a person sees of a loop: its start, its passes, its end, and the host's cap. */
import { expect, test } from 'vitest';
import { flat } from '../host.ts';
import { DONE, makeGate, makeWorld, until, written } from '../world.ts';

test('a start that is refused says what was meant, and one key brings the words back; start, continuation and completion as a person sees them, with no error anywhere', async () => {
  const quoted = 'At the end I will say:\n\n> <promise>COMPLETE</promise>';
  const world = await makeWorld(['I have begun.', quoted, DONE]);
  const screen = await world.open();
  await screen.submit('/dacapo:ralph Write a poem about the sea --max-iteration');
  await screen.waitFor(
    /--max-iteration is not a flag of this command; the nearest one is --max-iterations\./,
  );
  expect(world.loops()).toEqual([]);
  await screen.press('Up');
  await screen.waitFor(/❯\s\/dacapo:ralph Write a poem about the sea --max-iteration\s*$/m);
  await screen.submit('s 5');
  await screen.waitFor(
    /loop RALPH_\d{8}_\w{6} started\. Done when: <promise>COMPLETE<\/promise>\. Limits: at most 5 iterations/,
  );
  const end = flat(await screen.waitFor(/⎿ Stop says: Da Capo: loop RALPH_\w+ completed after 3 iterations/));
  const promise = 'the promise <promise>COMPLETE</promise> has not been given';
  expect(end).toContain(`⎿ Stop says: Da Capo: iteration 2 of 5; ${promise}. ●`);
  expect(end).toContain(`⎿ Stop says: Da Capo: iteration 3 of 5; ${promise} in the way that counts. ●`);
  expect(end).toContain('Da Capo: iteration 3 of 5 begins. The task is not proven done yet.');
  expect(end).toMatch(/inside a quote, where it does not count/);
  expect(end).not.toMatch(/error|\.\./i);
  await screen.submit('/dacapo:ralph-status');
  await screen.waitFor(/No active Ralph loop in this session\./);
  expect(world.model.requests).toHaveLength(3);
});

test("the host's cap strikes: the person is told how to go on, and the loop is not shown as running", async () => {
  const world = await makeWorld(({ n }) => (n < 4 ? 'Not yet.' : DONE), {
    CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '2',
  });
  const screen = await world.open();
  await screen.submit('/dacapo:ralph Write a poem about the sea');
  await screen.waitFor(/overriding and ending turn/);
  const struck = await screen.waitFor(
    /cap of 2 stops in a row without a tool call may end the turn here: \/dacapo:resume-ralph then continues it\./,
  );
  expect(struck.match(/may end the turn/g)).toHaveLength(1);
  expect(world.status()).toMatchObject({
    status: 'interrupted',
    reason: expect.stringContaining('cap of 2 stops'),
  });
  await screen.submit('/dacapo:ralph-status');
  await screen.waitFor(
    /interrupted after 3 iterations: the host's cap of 2 stops in a row without a tool call ended the turn\./,
  );
  await screen.submit('/dacapo:resume-ralph');
  await screen.waitFor(/loop RALPH_\w+ continues: iteration 4 of 50\./);
  await screen.waitFor(/completed after 5 iterations/);
});

test('/cancel-ralph typed during a text-only loop takes effect at the next stop, without a model call', async () => {
  const gate = makeGate();
  const world = await makeWorld(async ({ n }) => {
    if (n === 1) await gate.opened;
    return `Pass ${n + 1}.`;
  });
  const screen = await world.open();
  await screen.submit('/dacapo:ralph Write a poem about the sea');
  await until(() => world.model.requests.length === 2, 'the second pass');
  await screen.submit('/dacapo:cancel-ralph');
  await written(world, '"enqueue"', '/dacapo:cancel-ralph');
  gate.open();
  await screen.waitFor(/Da Capo: what you typed comes first/);
  await screen.waitFor(/Da Capo: loop RALPH_\w+ cancelled after 1 iteration \(from the session\)\./);
  expect(world.model.requests).toHaveLength(2);
  expect(world.status()).toMatchObject({ status: 'cancelled' });
  expect(world.sandbox.has('.claude/ralph-loop.local.md')).toBe(false);
});
