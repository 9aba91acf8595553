// @module-tag tmux
/**
 * `dacapo run` in tmux: a person answers in its terminal, by keys, and the terminal is theirs again
 * afterwards.
 */
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { UNATTENDED, dacapo } from '../dacapo.ts';
import { CLAUDE, flat, openScreen, type Reply, type Screen, type Turn } from '../host.ts';
import { DONE, makeWorld, until, type World } from '../world.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));
const PUSH: Reply = [{ tool: 'Bash', input: { command: 'echo pushed >> pushed.txt', description: 'Push' } }];
const RULE = ['--approve', 'Bash(echo pushed *)'];

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Pushes at the start of each pass, and claims to be done once that is settled. */
function pushing({ text }: Turn): Reply {
  return text.includes('Da Capo') && !text.includes('stays closed') ? PUSH : DONE;
}

function run(world: World, args: readonly string[], after = ''): Promise<Screen> {
  return type(world, ['run', 'Push it.', '--pause', '0', ...args, ...UNATTENDED], after);
}

/** A shell in which the run is a job, as for a person. `cat` shows whether the terminal echoes again. */
async function type(world: World, words: readonly string[], after = ''): Promise<Screen> {
  const line = [process.execPath, CLI, ...words].map((word) => `'${word}'`).join(' ') + after;
  const screen = await openScreen(world.sandbox, [], {
    program: ['bash', '-c', `set -m; ${line}; echo "exit $?"; exec cat`],
    env: { DACAPO_CLAUDE: CLAUDE },
    ready: false,
  });
  closers.push(screen.kill);
  return screen;
}

async function echoes(screen: Screen): Promise<void> {
  await screen.type('typed afterwards');
  await screen.waitFor(/typed afterwards/);
}

test('a approves: the call goes through, and the log says who answered', async () => {
  const world = await makeWorld(pushing);
  const screen = await run(world, RULE);
  await screen.waitFor(/a approve {3}x reject/, 30_000);
  expect(world.sandbox.has('pushed.txt')).toBe(false);
  await screen.press('a');
  const seen = await screen.waitFor(/exit 0/, 30_000);
  expect(seen).toMatch(/ask-\w+-1 was approved from a terminal/);
  expect(world.sandbox.read('pushed.txt')).toBe('pushed\n');
  await echoes(screen);
});

test('x rejects, with words for the agent; Esc leaves them', async () => {
  const world = await makeWorld(pushing);
  const screen = await run(world, RULE);
  await screen.waitFor(/a approve {3}x reject/, 30_000);
  await screen.press('x');
  await screen.waitFor(/Enter rejects/);
  await screen.press('Escape');
  await screen.waitFor(/a approve {3}x reject/);
  await screen.press('x');
  await screen.waitFor(/Enter rejects/);
  await screen.type('Not on a Friday.');
  await screen.press('Enter');
  await screen.waitFor(/exit 0/, 30_000);
  expect(world.sandbox.has('pushed.txt')).toBe(false);
  expect(JSON.stringify(world.model.requests)).toContain('Not on a Friday.');
});

test('typing answers a question, and a confirms the completion', async () => {
  const world = await makeWorld(({ text }) =>
    text.includes('Take the blue one') ? DONE : 'Which?\n\n<promise>ASK: Red or blue?</promise>',
  );
  const screen = await run(world, ['--approve-done']);
  await screen.waitFor(/Enter answers/, 30_000);
  await screen.type('Take the blue one');
  await screen.press('Enter');
  await screen.waitFor(/a confirm {3}x not done/, 30_000);
  await screen.press('a');
  const seen = await screen.waitFor(/exit 0/, 30_000);
  expect(flat(seen)).toMatch(/completed after 1 iteration: .*confirmed from a terminal/);
});

test('what is typed while nothing is asked does not show in the status, and is there for the shell', async () => {
  const world = await makeWorld(pushing);
  const screen = await run(world, RULE);
  await screen.waitFor(/Iteration 1|iteration 1/, 30_000);
  await screen.type('zzz typed early');
  expect(await screen.screen()).not.toContain('zzz');
  await screen.waitFor(/a approve {3}x reject/, 30_000);
  await screen.press('a');
  await screen.waitFor(/exit 0/, 30_000);
  await echoes(screen);
});

test('a run in the background leaves the terminal to others, and is not stopped for it', async () => {
  const world = await makeWorld(pushing);
  const screen = await run(world, RULE, ' & wait $!');
  await screen.waitFor(/waits up to/, 30_000);
  expect((await dacapo(world, 'approve')).code).toBe(0);
  await screen.waitFor(/exit 0/, 30_000);
  expect(world.sandbox.read('pushed.txt')).toBe('pushed\n');
});

test('Ctrl-C, SIGTERM and SIGKILL while it waits end the run, and leave the terminal as it was', async () => {
  const world = await makeWorld(pushing);
  const stops = [
    (screen: Screen) => screen.press('C-c'),
    (_: Screen, pid: number) => void process.kill(pid, 'SIGTERM'),
    (_: Screen, pid: number) => void process.kill(pid, 'SIGKILL'),
  ];
  for (const [at, stop] of stops.entries()) {
    // The request is still open: what goes on waits at once, without a host.
    const screen = at === 0 ? await run(world, RULE) : await type(world, ['resume']);
    await screen.waitFor(/a approve {3}x reject/, 30_000);
    const pid = world.loops()[0]?.session.owner?.process ?? 0;
    await stop(screen, pid);
    await screen.waitFor(/exit \d+/, 30_000);
    await until(() => world.loops()[0]?.people.requests[0]?.answer === null, 'the request to stay open');
    await echoes(screen);
  }
});
