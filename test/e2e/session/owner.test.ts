// @module-tag slow
/** A loop belongs to one session and one process: nobody else is trapped, and nothing dead revives. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Script } from '../host.ts';
import { DONE, context, makeGate, makeWorld, notices, until } from '../world.ts';

test('another session in the same folder is not trapped', async () => {
  const gate = makeGate();
  const world = await makeWorld(async (turn) => {
    if (context(turn).includes('a question of another session')) return 'The answer.';
    await gate.opened;
    return context(turn).includes('iteration 2') ? DONE : 'Not yet.';
  });
  const looping = world.start('/dacapo:ralph Write a poem');
  await until(() => world.loops()[0]?.files.view, 'a live loop with its view');
  const other = await world.run('a question of another session');
  expect(other).toMatchObject({ code: 0, result: { result: 'The answer.' } });
  expect(notices(other)).toEqual([]);
  expect(world.status()).toMatchObject({ status: 'running', iteration: 1 });
  gate.open();
  await looping.done;
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
});

test('two loops in one project at once, each ended by its own promise only', async () => {
  const counts = { ALPHA: 0, BETA: 0 };
  const begun = { ALPHA: makeGate(), BETA: makeGate() };
  const script: Script = async (turn) => {
    const own = context(turn).includes('the alpha task') ? 'ALPHA' : 'BETA';
    const other = own === 'ALPHA' ? 'BETA' : 'ALPHA';
    counts[own]++;
    begun[own].open();
    // A busy machine starts a host so late that the other loop would be over by then.
    await begun[other].opened;
    return `<promise>${counts[own] < 2 ? other : own}</promise>`;
  };
  const world = await makeWorld(script);
  const alpha = world.start('/dacapo:ralph the alpha task --completion-promise ALPHA');
  await until(() => world.loops()[0]?.files.view, 'the first loop');
  const beta = await world.run('/dacapo:ralph the beta task --completion-promise BETA');
  const first = await alpha.done;
  expect(counts).toEqual({ ALPHA: 2, BETA: 2 });
  expect(world.loops().map(({ status }) => status.is)).toEqual(['completed', 'completed']);
  const views = world.loops().map(({ files: { view } }) => view ?? '');
  expect(views).toContain('.claude/ralph-loop.local.md');
  expect(new Set(views).size).toBe(2);
  for (const view of views) expect(world.sandbox.has(view)).toBe(false);
  for (const run of [first, beta]) expect(notices(run).at(-1)).toContain('completed after 2 iterations');
});

async function killedMidLoop(flags: string) {
  const world = await makeWorld((turn) => {
    if (context(turn).includes('what a person asks later')) return 'The answer.';
    return turn.n === 1 ? { blocks: [{ text: 'too late' }], delay: 60_000 } : 'Not yet.';
  });
  const host = world.start(`/dacapo:ralph Write a poem ${flags}`);
  await until(() => world.model.requests.length === 2, 'the second pass');
  host.kill('SIGKILL');
  const run = await host.done;
  return { world, session: String(run.messages[0]?.['session_id']) };
}

test('resumed later than --stale-after, a dead loop does not revive', async () => {
  const { world, session } = await killedMidLoop('--stale-after 1s');
  await sleep(1_200);
  const asked = world.model.requests.length;
  const run = await world.run('what a person asks later', ['--resume', session]);
  expect(run.result).toMatchObject({ result: 'The answer.' });
  expect(world.model.requests).toHaveLength(asked + 1);
  expect(context(world.model.requests.at(-1))).not.toContain('iteration 3');
  expect(world.status().status).not.toBe('running');
});

test('a host killed mid-loop traps no new session; resumed in time, the loop goes on where it was', async () => {
  const { world, session } = await killedMidLoop('--max-iterations 3');
  const other = await world.run('what a person asks later');
  expect(other.result).toMatchObject({ result: 'The answer.' });
  expect(notices(other)).toEqual([]);
  expect(world.status()).toMatchObject({ iteration: 2 });

  const run = await world.run('what a person asks later', ['--resume', session]);
  expect(notices(run)[0]).toMatch(
    /was interrupted after 1 iteration: the process of its session is gone\. It continues with this prompt: iteration 2 of 3\./,
  );
  expect(context(world.model.requests[3])).toContain('This is iteration 2 of 3');
  expect(world.status()).toMatchObject({ status: 'exhausted', iteration: 3 });
});
