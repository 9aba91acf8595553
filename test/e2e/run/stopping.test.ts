// @module-tag slow
/**
 * How a run is stopped, from its own terminal and from others, and how it goes on: nothing is lost, nothing
 * counted twice.
 */
import { expect, test } from 'vitest';
import { UNATTENDED, dacapo, ofKind, startDacapo, untilSaid, type Running } from '../dacapo.ts';
import type { Reply, Turn } from '../host.ts';
import { DONE, makeGate, makeWorld, until, type World } from '../world.ts';

const lines = (count: number) => ['--check', `test "$(wc -l < poem.txt)" -ge ${count}`];
const APPEND: Reply = [{ tool: 'Bash', input: { command: 'echo line >> poem.txt' } }];

/** Each pass adds a line; this one hangs, the first time that it is tried. */
function script(hanging: number): (turn: Turn) => Reply {
  let hung = false;
  return ({ text }) => {
    if (text.includes('tool_result') || !text.includes('Da Capo')) return 'A line is there.';
    if (text.includes(`iteration ${hanging} of`) && !hung) {
      hung = true;
      return { blocks: [{ text: 'late' }], delay: 120_000 };
    }
    return APPEND;
  };
}

/** In the last pass, which hangs. Each pass starts a host: one alone is enough where counts do not matter. */
async function inTheMiddle(passes = 1): Promise<{ world: World; run: Running }> {
  const world = await makeWorld(script(passes));
  const run = startDacapo(world, [
    'run',
    'Write.',
    ...lines(passes),
    '--pause',
    '0',
    '--json',
    ...UNATTENDED,
  ]);
  // A pass is two requests: the tool call, and the words after its result.
  await until(() => world.model.requests.length === 2 * passes - 1, 'the last pass to hang', 30_000);
  return { world, run };
}

test('kill -9 in the middle of an iteration, then resume completes with exact counts', async () => {
  const { world, run } = await inTheMiddle(2);
  run.signal('SIGKILL');
  await run.ended;
  await until(() => world.sandbox.processes().length === 0, 'the host to be gone with its driver');
  expect(world.loops()[0]).toMatchObject({ status: { is: 'running' } });
  const again = await dacapo(world, 'resume', '--json');
  expect(again.code).toBe(0);
  expect(world.sandbox.read('poem.txt')).toBe('line\nline\n');
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
});

test('Ctrl-C once ends after this iteration, and resume goes on', async () => {
  const heard = makeGate();
  const world = await makeWorld(async ({ text }) => {
    if (!text.includes('Da Capo')) return 'There.';
    await heard.opened;
    return APPEND;
  });
  const run = startDacapo(world, ['run', 'Write.', ...lines(2), '--pause', '0', '--json', ...UNATTENDED]);
  await until(() => world.model.requests.length === 1, 'the agent', 30_000);
  run.signal('SIGINT');
  await untilSaid(run, 'Ctrl-C again');
  heard.open();
  const ended = await run.ended;
  expect(ended.code).toBe(7);
  expect(ofKind(ended, 'judged')).toHaveLength(1);
  expect(world.status()).toMatchObject({ status: 'paused', iteration: 2 });
  expect((await dacapo(world, 'resume', '--json')).code).toBe(0);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
});

/** Its first check lasts until the file `go` is there. */
async function inItsChecks(): Promise<{ world: World; run: Running }> {
  const world = await makeWorld(['I think so.']);
  const check = [
    '--check',
    'test -f .claude/ralph-loop.local.md || exit 1; until test -f go; do sleep 0.1; done; false',
  ];
  const run = startDacapo(world, ['run', 'Write.', ...check, '--pause', '0', '--json', ...UNATTENDED]);
  await untilSaid(run, '"checks-begin"');
  return { world, run };
}

test('Ctrl-C once during the checks lets them end: the iteration is judged, and counts', async () => {
  const { world, run } = await inItsChecks();
  run.signal('SIGINT');
  await untilSaid(run, 'Ctrl-C again');
  world.sandbox.write('go', '');
  const ended = await run.ended;
  expect(ended.code).toBe(7);
  expect(ofKind(ended, 'judged')).toMatchObject([{ verdict: 'continue' }]);
  expect(world.status()).toMatchObject({ status: 'paused', iteration: 2 });
});

test('dacapo cancel during the checks ends them at once, and nothing is judged', async () => {
  const { world, run } = await inItsChecks();
  await dacapo(world, 'cancel');
  const ended = await run.ended;
  expect(ended.code).toBe(5);
  expect(ofKind(ended, 'judged')).toEqual([]);
  expect(world.sandbox.processes()).toEqual([]);
});

test.each([
  ['Ctrl-C twice', ['SIGINT', 'SIGINT']],
  ['SIGTERM', ['SIGTERM']],
] as const)('%s ends now, with nothing left running, and resume goes on', async (_name, signals) => {
  const { world, run } = await inTheMiddle();
  for (const signal of signals) {
    run.signal(signal);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const ended = await run.ended;
  expect(ended.code).toBe(7);
  expect(world.sandbox.processes()).toEqual([]);
  expect(world.status()).toMatchObject({ status: 'interrupted', iteration: 1 });
  expect((await dacapo(world, 'resume', '--json')).code).toBe(0);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 1 });
});

test('SIGTERM during the checks ends them at once: interrupted, and the iteration counts for nothing', async () => {
  const { world, run } = await inItsChecks();
  run.signal('SIGTERM');
  const ended = await run.ended;
  expect(ended.code).toBe(7);
  expect(ofKind(ended, 'judged')).toEqual([]);
  expect(world.sandbox.processes()).toEqual([]);
  expect(world.status()).toMatchObject({ status: 'interrupted', iteration: 1 });
});

test('SIGTERM in a pause leaves the same as in an iteration: interrupted', async () => {
  const world = await makeWorld(['I think so.']);
  const run = startDacapo(world, ['run', 'Write.', ...lines(2), '--pause', '60s', '--json', ...UNATTENDED]);
  await untilSaid(run, '"waits"');
  run.signal('SIGTERM');
  const ended = await run.ended;
  expect(ended.code).toBe(7);
  expect(ofKind(ended, 'ends')).toMatchObject([{ status: 'interrupted', iterations: 1 }]);
  expect(world.status()).toMatchObject({ status: 'interrupted', iteration: 2 });
});

test.each([
  ['cancel', 5, 'cancelled'],
  ['pause', 7, 'paused'],
] as const)('dacapo %s from elsewhere is honoured within a second', async (command, code, status) => {
  const { world, run } = await inTheMiddle();
  const asked = Date.now();
  await dacapo(world, command);
  await untilSaid(run, '"ends"');
  const took = Date.now() - asked;
  expect((await run.ended).code).toBe(code);
  expect(world.status()).toMatchObject({ status });
  expect(world.sandbox.processes()).toEqual([]);
  // The host needs its moment to end gently.
  expect(took).toBeLessThan(8_000);
});

test('a second run of the same loop is refused with who holds it; a dead holder is recognised', async () => {
  const { world, run } = await inTheMiddle();
  const second = await dacapo(world, 'run', '--loop', world.loops()[0]?.id ?? '');
  expect(second.code).toBe(1);
  expect(second.stderr).toContain(`is held by process ${run.pid}`);
  run.signal('SIGKILL');
  await run.ended;
  expect((await dacapo(world, 'run', '--json')).code).toBe(0);
});

test('Ctrl-C once while it waits ends it at once, and it says so', async () => {
  const world = await makeWorld(['Thinking.', DONE]);
  const run = startDacapo(world, ['run', 'Do it.', '--pause', '10m', '--json', ...UNATTENDED]);
  await untilSaid(run, '"waits"');
  run.signal('SIGINT');
  await untilSaid(run, 'waiting no longer');
  expect(await run.ended).toMatchObject({ code: 7 });
  expect(world.status()).toMatchObject({ status: 'paused', iteration: 2 });
});

test('from a session to the fresh driver and back: one loop, one count', async () => {
  const world = await makeWorld(({ text, n }) => {
    if (n >= 4) return DONE;
    return text.includes('tool_result') ? 'Nothing yet.' : 'Still nothing.';
  });
  // The session ends by its own bound, in the middle of the loop.
  await world.run('/dacapo:ralph Write a poem.', ['--max-turns', '2']);
  const [begun] = world.loops();
  expect(begun).toMatchObject({ driver: 'hook', status: { is: 'interrupted' } });
  const counted = begun?.frame.passes ?? 0;
  const run = startDacapo(world, ['run', '--loop', begun?.id ?? '', '--pause', '0', '--json', ...UNATTENDED]);
  await untilSaid(run, '"judged"');
  run.signal('SIGINT');
  await run.ended;
  const [taken] = world.loops();
  expect(taken).toMatchObject({ driver: 'fresh', status: { is: 'paused' } });
  expect(taken?.frame.passes).toBeGreaterThan(counted);
  const back = await world.run(`/dacapo:resume-ralph ${begun?.id ?? ''}`);
  expect(back.code).toBe(0);
  expect(world.status()).toMatchObject({ id: begun?.id, status: 'completed', driver: 'hook' });
});
