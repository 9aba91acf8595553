// @module-tag slow
/**
 * Two keepers in one session: the loop, and Claude Code's own `/goal`, which judges each stop with a model of
 * its own.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { dacapo } from '../dacapo.ts';
import { DONE, makeWorld, newContext, notices } from '../world.ts';

const TIMEOUT = { timeout: 90_000 };
const GOAL = 'A poem is written';

const judged = (ok: boolean) => JSON.stringify({ ok, reason: ok ? 'The poem is there.' : 'No poem yet.' });

/**
 * The first run is cut off with the goal active; the host takes the goal up again when the session is
 * resumed.
 */
async function armGoal(world: Awaited<ReturnType<typeof makeWorld>>): Promise<string> {
  const session = randomUUID();
  await world.run(`/goal ${GOAL}`, ['--session-id', session, '--max-turns', '1']);
  expect(world.model.goalRequests).toHaveLength(0);
  return session;
}

test(
  'both judge each stop, the agent reads both, and the session ends when both are done',
  TIMEOUT,
  async () => {
    const seen: string[] = [];
    const world = await makeWorld(async ({ n, judgesGoal }) => {
      if (judgesGoal) return judged(n === 3);
      if (n === 0) return [{ tool: 'Bash', input: { command: 'true' } }];
      if (n === 2) seen.push(...(await looks()));
      return n === 3 ? DONE : `Verse ${n}.`;
    });
    const looks = async () => [
      (await dacapo(world, 'status')).stdout,
      (await dacapo(world, 'status', '--json')).stdout,
      (await dacapo(world, 'doctor')).stdout,
    ];
    const session = await armGoal(world);
    const run = await world.run('/dacapo:ralph Write a poem', ['--resume', session]);

    expect(seen[0]).toMatch(/goal +"A poem is written", of the host itself/);
    expect(JSON.parse(seen[1] ?? '')).toMatchObject([{ goal: GOAL }]);
    expect(seen[2]).toContain(`shares its session with a goal of the host: "${GOAL}"`);
    expect(newContext(world.model, 2)).toContain(`[${GOAL}]: No poem yet.`);
    expect(newContext(world.model, 2)).toContain('Da Capo: iteration 2');
    // The loop is done at the third stop. The goal holds the session for one more, which is not the loop's.
    expect(notices(run).at(-1)).toContain('completed after 3 iterations');
    expect(world.status()).toMatchObject({ status: 'completed', iteration: 3 });
    expect(world.model.goalRequests).toHaveLength(4);
    expect(world.model.requests).toHaveLength(5);
    expect(run.result).toMatchObject({ subtype: 'success' });
    expect(JSON.parse((await dacapo(world, 'status', '--json')).stdout)[0]).not.toHaveProperty('goal');
  },
);

test('a goal that is met leaves the loop as it is', TIMEOUT, async () => {
  const world = await makeWorld(({ n, judgesGoal }) => {
    if (judgesGoal) return judged(true);
    if (n === 0) return [{ tool: 'Bash', input: { command: 'true' } }];
    return n === 3 ? DONE : `Verse ${n}.`;
  });
  const session = await armGoal(world);
  await world.run('/dacapo:ralph Write a poem', ['--resume', session]);
  expect(world.model.goalRequests).toHaveLength(1);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 3 });
});

test.each([
  ['8', 9, 'success'],
  // As `dacapo start` sets it: then only --max-turns, /goal clear or a person ends it.
  ['0', 20, 'error_max_turns'],
])(
  'a goal that is never met, with a cap of %s: %i judgements, %s',
  TIMEOUT,
  async (cap, judgements, subtype) => {
    const world = await makeWorld(({ judgesGoal }) => (judgesGoal ? judged(false) : 'A verse.'));
    const env = { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: cap };
    const run = await world.run(`/goal ${GOAL}`, ['--max-turns', '20'], { env });
    expect(world.model.goalRequests).toHaveLength(judgements);
    expect(run.result).toMatchObject({ subtype });
  },
);

test(
  'a tool that the person takes away as well is away, beside the one that Da Capo takes',
  TIMEOUT,
  async () => {
    const world = await makeWorld(['Hello.']);
    const both = ['--disallowedTools', 'WebSearch', '--verbose', '--disallowedTools', 'WebFetch'];
    const { messages } = await world.run('Say hello', both);
    const tools = messages.find(({ subtype }) => subtype === 'init')?.['tools'];
    expect(tools).toContain('Bash');
    expect(tools).not.toContain('WebSearch');
    expect(tools).not.toContain('WebFetch');
  },
);
