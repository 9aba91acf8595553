/** The context is compacted and the loop neither forgets its task nor stands still. */
import { expect, test } from 'vitest';
import { DONE, context, makeWorld } from '../world.ts';

const TASK = 'Write the very long poem';
const BRIEF =
  /SessionStart hook additional context: Da Capo runs this session in a loop[^]*Write the very long poem/;

test('the host compacts in the middle of a pass: the brief is given again and the loop goes on', async () => {
  const noise = [{ tool: 'Bash', input: { command: `node -e "console.log('word '.repeat(5000))"` } }];
  const world = await makeWorld(({ n }) => (n < 6 ? noise : n < 7 ? 'Not yet.' : DONE), {
    CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000',
    CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '40',
  });
  const run = await world.run(`/dacapo:ralph ${TASK}`);
  expect(run.messages.filter(({ subtype }) => subtype === 'compact_boundary')).toHaveLength(1);
  const after = world.model.requests.find((turn) => /This session is being continued/.test(context(turn)));
  expect(context(after)).toMatch(BRIEF);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
});

test('/compact between two runs of a session: the brief is given again', async () => {
  const world = await makeWorld(({ n }) => (n < 2 ? 'Not yet.' : DONE), {
    CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '1',
  });
  const first = await world.run(`/dacapo:ralph ${TASK}`);
  const session = ['--resume', String(first.result?.['session_id'])];
  const compacted = await world.run('/compact', session);
  expect(compacted.messages.some(({ subtype }) => subtype === 'compact_boundary')).toBe(true);
  await world.run('/dacapo:resume-ralph', session);
  expect(context(world.model.requests[2])).toMatch(
    /Da Capo runs this session in a loop[^]*Write the very long poem/,
  );
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 3 });
});
