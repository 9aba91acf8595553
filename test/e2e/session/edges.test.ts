// @module-tag slow
/**
 * Odd ends of a loop: silence, distress, time, edits of its file, forks, and the switch that turns all of it
 * off.
 */
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DONE, context, makeWorld, newContext, notices, type World } from '../world.ts';

const VIEW = '.claude/ralph-loop.local.md';

/** As an editor would have saved it a while ago. */
function rewrite(world: World, change: (content: string) => string): void {
  const path = join(world.sandbox.project, VIEW);
  writeFileSync(path, change(world.sandbox.read(VIEW)));
  const then = Date.now() / 1000 - 2;
  utimesSync(path, then, then);
}

test('replies without a word go on like any other', async () => {
  const world = await makeWorld(({ n }) => (n < 2 ? '' : DONE));
  await world.run('/dacapo:ralph Write a poem');
  expect(world.status()).toMatchObject({ status: 'completed' });
});

test('an agent that is blocked ends the loop and its reason reaches the person', async () => {
  const world = await makeWorld(['<promise>BLOCKED: there is no password for the database</promise>']);
  const run = await world.run('/dacapo:ralph Write a poem');
  expect(world.model.requests).toHaveLength(1);
  expect(notices(run).at(-1)).toMatch(/needs you: the agent says that it is blocked: there is no password/);
  expect(world.status()).toMatchObject({ status: 'escalated' });
});

test('--timeout ends a loop that is not done', async () => {
  const world = await makeWorld([{ blocks: [{ text: 'Not yet.' }], delay: 1_100 }]);
  const run = await world.run('/dacapo:ralph Write a poem --timeout 1s');
  expect(world.model.requests).toHaveLength(1);
  expect(notices(run).at(-1)).toMatch(
    /time limit of 1 s reached after 1 iteration\. Still open: the promise/,
  );
});

test('an edit of the prompt and the limit in the state file counts from the next iteration', async () => {
  const world: World = await makeWorld(({ n }) => {
    const edit = (content: string): string =>
      content.replace('max_iterations: 9', 'max_iterations: 3').replace('a poem', 'a song');
    if (n === 0) rewrite(world, edit);
    return 'Not yet.';
  });
  await world.run('/dacapo:ralph Write a poem --max-iterations 9');
  expect(newContext(world.model, 1)).toContain('iteration 2 of 3');
  expect(newContext(world.model, 1)).toContain('Write a song');
  expect(world.model.requests).toHaveLength(3);
});

test('garbage in the state file ends the loop, lets the session go, and is kept', async () => {
  const world: World = await makeWorld(({ n }) => {
    if (n === 1) rewrite(world, (content) => content.replace(/^iteration: \d+/m, 'iteration: many'));
    return 'Not yet.';
  });
  const run = await world.run('/dacapo:ralph Write a poem');
  expect(world.model.requests).toHaveLength(2);
  expect(notices(run).at(-1)).toMatch(/aborted after 1 iteration: .*iteration is not a number.*kept in /);
});

test('a fork of the session owns nothing; a second start in a session with a live loop is refused, and says how to go on', async () => {
  const world = await makeWorld(['Not yet.'], { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '1' });
  const first = await world.run('/dacapo:ralph Write a poem');
  const asked = world.model.requests.length;
  const session = String(first.result?.['session_id']);
  const fork = await world.run('A question.', ['--resume', session, '--fork-session']);
  expect(world.model.requests).toHaveLength(asked + 1);
  expect(notices(fork)).toEqual([]);
  expect(world.status()).toMatchObject({ status: 'interrupted', session_id: session });

  const again = await world.run('/dacapo:ralph Write another poem', ['--resume', session]);
  expect(again.result?.['result']).toMatch(
    /this session has loop RALPH_\w+ already \(interrupted after 2 iterations: the host's cap .*\)\. \/dacapo:resume-ralph continues it/,
  );
  expect(world.loops()).toHaveLength(1);
});

test('DACAPO_DISABLE=1 turns the hook off', async () => {
  const world = await makeWorld(['No loop.']);
  await world.run('/dacapo:ralph Write a poem', [], { env: { DACAPO_DISABLE: '1' } });
  expect(world.model.requests).toHaveLength(1);
  expect(world.loops()).toEqual([]);
});

test('fail open: where nothing can be written no loop starts, and the model is told so', async () => {
  const world = await makeWorld(['No loop was started.']);
  rmSync(world.sandbox.dacapoHome, { recursive: true });
  writeFileSync(world.sandbox.dacapoHome, 'a file where a folder should be');
  const run = await world.run('/dacapo:ralph Write a poem');
  expect(run).toMatchObject({ code: 0, result: { is_error: false, result: 'No loop was started.' } });
  expect(context(world.model.requests[0])).toMatch(/no loop\s+was started/);
  expect(context(world.model.requests[0])).not.toContain('This is iteration');
});

test('fail open: a record that vanishes in the middle of a loop holds nobody', async () => {
  const world: World = await makeWorld(({ n }) => {
    if (n === 1) rmSync(world.sandbox.dacapoHome, { recursive: true });
    return 'Not yet.';
  });
  const run = await world.run('/dacapo:ralph Write a poem');
  expect(run).toMatchObject({ code: 0, result: { is_error: false, result: 'Not yet.' } });
  expect(world.model.requests).toHaveLength(2);
});
