// @module-tag tmux
/** A session that ended or failed, and how its loop goes on. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { dacapo } from '../dacapo.ts';
import type { Script } from '../host.ts';
import { DONE, context, makeWorld, until } from '../world.ts';

test('claude --resume: the loop of that session waits for the word of the person, as after Esc, and says so', async () => {
  const session = randomUUID();
  const world = await makeWorld(({ n }) => {
    if (n === 1) return { blocks: [{ text: 'never seen' }], delay: 60_000 };
    return n < 3 ? 'Not yet.' : DONE;
  });
  const first = await world.open(['--session-id', session]);
  await first.submit('/dacapo:ralph Write a poem about the sea --max-iterations 9');
  await until(() => world.model.requests.length === 2, 'the second pass');
  await first.close();
  await until(() => world.status().status === 'interrupted', 'the interruption');

  const second = await world.open(['--resume', session]);
  await second.waitFor(
    /is interrupted after 1 iteration: the session ended\. \/dacapo:resume-ralph continues it/,
  );
  await second.submit('/dacapo:resume-ralph');
  await second.waitFor(/loop RALPH_\w+ continues: iteration 2 of 9\./);
  await second.waitFor(/completed after 3 iterations/);
  expect(context(world.model.requests[2])).toContain('This is iteration 2 of 9');
});

const failing =
  (status: number, type: string): Script =>
  ({ n }) =>
    n === 1
      ? { status, body: { type: 'error', error: { type, message: 'scripted' } } }
      : n < 3
        ? 'Not yet.'
        : DONE;

test('the model answers 529: the loop is interrupted, with the class of the error, and goes on with the next prompt', async () => {
  const world = await makeWorld(failing(529, 'overloaded_error'), { CLAUDE_CODE_MAX_RETRIES: '0' });
  const screen = await world.open();
  await screen.submit('/dacapo:ralph Write a poem about the sea --max-iterations 9');
  await screen.waitFor(/API Error: 529/);
  await until(() => world.status().status === 'interrupted', 'the interruption');
  expect(world.status().reason).toContain('after 1 iteration: the host reported an error (server_error');
  await screen.submit('/dacapo:ralph-status');
  await screen.waitFor(
    /loop RALPH_\w+ interrupted after 1 iteration: the host reported an error[^]*Your next prompt continues it/,
  );
  await screen.submit('Go on, please.');
  await screen.waitFor(/It continues with this prompt: iteration 2 of 9\./);
  await screen.waitFor(/completed after 3 iterations/);
});

test('the model answers 401: no retry can fix that, so the loop asks for its person, and resumes', async () => {
  const world = await makeWorld(failing(401, 'authentication_error'), { CLAUDE_CODE_MAX_RETRIES: '0' });
  const screen = await world.open();
  await screen.submit('/dacapo:ralph Write a poem about the sea --max-iterations 9 --view vault');
  await screen.waitFor(/API Error: 401/);
  await until(() => world.status().status === 'escalated', 'the end');
  expect(world.status().reason).toMatch(/after 1 iteration and needs you: .*auth: authentication_failed: /);
  const explained = await dacapo(world, 'explain');
  expect(explained.stdout).toMatch(/requests\/fault-\d+\.json[^]*Next: log in/);
  await screen.submit('What is this?');
  await screen.waitFor(/needs you[^]*Log in[^]*\/dacapo:resume-ralph/);
  await screen.submit('/dacapo:resume-ralph');
  await screen.waitFor(/loop RALPH_\w+ continues: iteration 2 of 9\./);
  await screen.waitFor(/completed after 2 iterations/);
});
