// @module-tag tmux
/** People come first: what a person does in the middle of a loop. */
import { expect, test } from 'vitest';
import { startDacapo } from '../dacapo.ts';
import type { Script } from '../host.ts';
import { DONE, context, makeGate, makeWorld, until, written } from '../world.ts';

/**
 * The second pass hangs until the person interrupts it; a question is answered; then all is done in three
 * passes.
 */
const hangs: Script = ({ n, text }) => {
  if (text.includes('a question of my own')) return 'The answer to your question.';
  if (n === 1) return { blocks: [{ text: 'never seen' }], delay: 60_000 };
  return n < 4 ? 'Not yet.' : DONE;
};

async function interrupted() {
  const world = await makeWorld(hangs);
  const screen = await world.open();
  await screen.submit('/dacapo:ralph Write a poem about the sea --max-iterations 9');
  await until(() => world.model.requests.length === 2, 'the second pass');
  await screen.press('Escape');
  await screen.waitFor(/Interrupted/);
  return { world, screen };
}

test('Esc and a prompt of one’s own: the loop stands still, is paused, says so, and is carried on by nobody but the person', async () => {
  const { world, screen } = await interrupted();
  await screen.submit('/dacapo:ralph-status');
  await screen.waitFor(/loop RALPH_\w+ stands still: iteration 2 of \d+ was interrupted/);
  expect(world.model.requests).toHaveLength(2);

  await screen.submit('a question of my own');
  await screen.waitFor(/loop RALPH_\w+ is paused after 1 iteration: you typed a prompt of your own\./);
  const paused = await screen.waitFor(/The answer to your question\.\n/);
  expect(paused).toMatch(/\/dacapo:resume-ralph continues it, \/dacapo:cancel-ralph ends it\./);
  await screen.waitFor(/done \d+:\d+/);
  expect(world.model.requests).toHaveLength(3);

  await screen.submit('/dacapo:ralph-status');
  await screen.waitFor(/loop RALPH_\w+ paused after 1 iteration[^]*promise COMPLETE: does not hold yet/);
  expect(world.model.requests).toHaveLength(3);

  await screen.submit('/dacapo:resume-ralph');
  await screen.waitFor(/loop RALPH_\w+ continues: iteration 2 of 9\./);
  await screen.waitFor(/completed after 3 iterations/);
  expect(context(world.model.requests[3])).toContain('This is iteration 2 of 9');
});

test('after Esc, dacapo status and list show the loop as interrupted, and its record stays as it is', async () => {
  const { world } = await interrupted();
  const look = async (...args: string[]) => (await startDacapo(world, args).ended).stdout;
  // The host tells a moment later that it is idle.
  await expect.poll(() => look('status'), { timeout: 10_000 }).toContain(' interrupted ');
  const shown = await look('status');
  expect(shown).toMatch(/^RALPH_\w+ {2}interrupted {2}Write a poem/);
  expect(shown).toMatch(
    /idle +nothing runs in that session, as after Esc; \S+resume-ralph there continues it/,
  );
  expect(await look('list')).toMatch(/^RALPH_\w+ +interrupted /m);
  expect(JSON.parse(await look('status', '--json'))).toMatchObject([{ status: 'interrupted', idle: true }]);
  expect(JSON.parse(await look('list', '--json'))).toMatchObject([{ status: 'interrupted' }]);
  expect(world.loops()[0]?.status.is).toBe('running');
});

test('a loop at work is shown as running, and as no other', async () => {
  const world = await makeWorld(hangs);
  const screen = await world.open();
  await screen.submit('/dacapo:ralph Write a poem about the sea --max-iterations 9');
  await until(() => world.model.requests.length === 2, 'the second pass');
  const { stdout } = await startDacapo(world, ['status']).ended;
  expect(stdout).toMatch(/^RALPH_\w+ {2}running /);
  expect(stdout).not.toContain('idle');
});

test('/clear moves the loop along, paused, and says so; it goes on when the person says so', async () => {
  const { world, screen } = await interrupted();
  const before = world.loops()[0]?.session.owner?.session;
  await screen.submit('/clear');
  await screen.waitFor(/loop RALPH_\w+ is paused after 1 iteration: the session was cleared\./);
  expect(world.loops()[0]?.session.owner?.session).not.toBe(before);
  await screen.submit('a question of my own');
  await screen.waitFor(/The answer to your question\./);
  await screen.waitFor(/done \d+:\d+/);
  expect(world.status()).toMatchObject({ status: 'paused', iteration: 2 });
  await screen.submit('/dacapo:resume-ralph');
  await screen.waitFor(/completed after 3 iterations/);
  expect(context(world.model.requests[3])).toContain('Write a poem about the sea');
});

test('plain text typed during a loop is answered first, and then the loop goes on by itself', async () => {
  const gate = makeGate();
  const world = await makeWorld(async ({ n, text }) => {
    if (text.includes('what rhymes with sea')) return 'Tea rhymes with sea.';
    await gate.opened;
    return n === 0 ? 'The first pass.' : DONE;
  });
  const screen = await world.open();
  await screen.submit('/dacapo:ralph Write a poem about the sea');
  await until(() => world.model.requests.length === 1, 'the first pass');
  await screen.submit('By the way, what rhymes with sea?');
  await written(world, '"enqueue"', 'what rhymes with sea');
  gate.open();
  const end = await screen.waitFor(/completed after 2 iterations/);
  expect(end).toMatch(
    /what you typed comes first[^]*Tea rhymes with sea[^]*Stop says: Da Capo: iteration 2 of 50/,
  );
  expect(world.model.requests).toHaveLength(3);
});
