// @module-tag slow
/**
 * `dacapo run`: a sensitive call ends the pass, the run waits without a host, and the answer carries it on.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { UNATTENDED, dacapo, ofKind, startDacapo, untilSaid, type Running } from '../dacapo.ts';
import { CLAUDE, type Reply, type Turn } from '../host.ts';
import { DONE, makeGate, makeWorld, until, type World } from '../world.ts';

const PUSH: Reply = [
  { tool: 'Bash', input: { command: 'cat note.txt; echo pushed >> pushed.txt', description: 'Push' } },
];
const ARGS = ['--approve', 'Bash(echo pushed *)', '--pause', '0', '--max-iterations', '3', '--json'];

/** Pushes at the start of each pass, and claims to be done once that is settled. */
function pushing({ text }: Turn): Reply {
  return text.includes('Da Capo') && !text.includes('stays closed') ? PUSH : DONE;
}

function begin(world: World, ...more: string[]): Running {
  return startDacapo(world, ['run', 'Push it.', ...ARGS, ...more, ...UNATTENDED]);
}

async function request({ sandbox }: World): Promise<string> {
  const folder = join(sandbox.project, '.dacapo/Pending_Approval');
  const name = await until(
    () => existsSync(folder) && readdirSync(folder).find((one) => one.endsWith('.md')),
    'the request',
    30_000,
  );
  return name.replace('.md', '');
}

function move({ sandbox }: World, id: string, to: string): void {
  const folder = join(sandbox.project, '.dacapo');
  mkdirSync(join(folder, to), { recursive: true });
  renameSync(join(folder, 'Pending_Approval', `${id}.md`), join(folder, to, `${id}.md`));
}

test('it waits without a process of the host; moving the file carries it on, and no iteration is spent', async () => {
  const world = await makeWorld(pushing);
  const run = begin(world);
  const id = await request(world);
  await untilSaid(run, '"waits"');
  expect(ofKind({ stdout: run.stdout() }, 'waits')).toMatchObject([{ for: 'approval' }]);
  expect(world.sandbox.processes().filter((pid) => pid !== run.pid)).toHaveLength(1); // its watchdog
  expect(world.sandbox.has('pushed.txt')).toBe(false);
  expect(world.status()).toMatchObject({ status: 'waiting', iteration: 1 });
  move(world, id, 'Approved');
  const ended = await run.ended;
  expect(ended.code).toBe(0);
  expect(ofKind(ended, 'goes-on')).toMatchObject([{ why: `${id} was approved by a moved file` }]);
  expect(world.sandbox.read('pushed.txt')).toBe('pushed\n');
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 1 });
});

test('a moved file opens our gate, not that of the host; a person opens both', async () => {
  // In the usual permission mode the host lets no such command through by itself.
  const push: Reply = [{ tool: 'Bash', input: { command: 'sh push.sh', description: 'Push' } }];
  const world = await makeWorld((turn) => (pushing(turn) === PUSH ? push : DONE));
  writeFileSync(join(world.sandbox.project, 'push.sh'), 'echo pushed >> pushed.txt\n');
  const run = () =>
    startDacapo(world, ['run', 'Push it.', '--approve', 'Bash(sh push.sh)', '--pause', '0', '--json']);
  const first = run();
  move(world, await request(world), 'Approved');
  expect((await first.ended).code).toBe(0);
  expect(world.sandbox.has('pushed.txt')).toBe(false);
  const second = run();
  const id = await request(world);
  expect((await dacapo(world, 'approve')).stdout).toContain(`${id} approved`);
  expect((await second.ended).code).toBe(0);
  expect(world.sandbox.read('pushed.txt')).toBe('pushed\n');
});

test('in the sandbox of the recipe, the call is asked for as well', { tags: ['bubblewrap'] }, async () => {
  const world = await makeWorld(pushing);
  const script = join(world.sandbox.project, 'claude-in-a-sandbox.sh');
  copyFileSync(join(import.meta.dirname, '../../../examples/claude-in-a-sandbox.sh'), script);
  // Not below the test's own folder, which may be in a /dev that the sandbox does not have.
  const bin = mkdtempSync('/var/tmp/dc-bin-');
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  symlinkSync(CLAUDE, join(bin, 'claude'));
  const PATH = `${bin}:${world.sandbox.env['PATH']}`;
  const env = { DACAPO_CLAUDE: script, PATH, IS_SANDBOX: '1' };
  const run = startDacapo(world, ['run', 'Push it.', ...ARGS, ...UNATTENDED], env);
  const id = await request(world);
  await untilSaid(run, '"waits"');
  expect(world.sandbox.has('pushed.txt')).toBe(false);
  expect((await dacapo(world, 'approve')).stdout).toContain(`${id} approved`);
  expect((await run.ended).code).toBe(0);
  expect(world.sandbox.read('pushed.txt')).toBe('pushed\n');
});

test('kill -9 while it waits: the next run waits on; approved while nothing runs, the next one makes the call, once', async () => {
  const world = await makeWorld(pushing);
  const run = begin(world);
  const id = await request(world);
  await untilSaid(run, '"waits"');
  run.signal('SIGKILL');
  await run.ended;
  const again = startDacapo(world, ['resume', '--json']);
  await untilSaid(again, '"waits"');
  expect(world.sandbox.has('pushed.txt')).toBe(false);
  again.signal('SIGKILL');
  await again.ended;
  move(world, id, 'Approved');
  expect((await dacapo(world, 'resume', '--json')).code).toBe(0);
  expect(world.sandbox.read('pushed.txt')).toBe('pushed\n');
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 1 });
});

test('a rejection reaches the agent with its note, and the loop goes on', async () => {
  const world = await makeWorld(pushing);
  const run = begin(world);
  const id = await request(world);
  expect((await dacapo(world, 'reject', id, '--note', 'Not before the release.')).code).toBe(0);
  expect((await run.ended).code).toBe(0);
  expect(world.sandbox.has('pushed.txt')).toBe(false);
  expect(JSON.stringify(world.model.requests)).toContain('Not before the release.');
});

test('nobody answers: it escalates', async () => {
  const world = await makeWorld(pushing);
  const ended = await begin(world, '--approval-timeout', '2s').ended;
  expect(ended.code).toBe(4);
  expect(world.status()).toMatchObject({ status: 'escalated' });
  expect(world.status().reason).toMatch(
    /nobody answered in time: Bash \(in \S+\): cat note.txt; echo pushed/,
  );
  expect(existsSync(join(world.sandbox.project, '.dacapo/Pending_Approval'))).toBe(true);
  expect(readdirSync(join(world.sandbox.project, '.dacapo/Pending_Approval'))).toEqual([]);
});

test('a question waits for its answer, and the completion for a person', async () => {
  const world = await makeWorld(({ text }) =>
    text.includes('Take the blue one') ? DONE : 'Which?\n\n<promise>ASK: Red or blue?</promise>',
  );
  const run = startDacapo(world, [
    'run',
    'Choose.',
    '--approve-done',
    '--pause',
    '0',
    '--json',
    ...UNATTENDED,
  ]);
  const question = await request(world);
  const listed = await dacapo(world, 'approvals', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id: question, kind: 'question', what: 'Red or blue?' }]);
  expect((await dacapo(world, 'answer', question, 'Take the blue one')).code).toBe(0);
  const completion = await request(world);
  expect((await dacapo(world, 'approve', completion)).code).toBe(0);
  expect((await run.ended).code).toBe(0);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 1 });
});

test('dacapo steer puts a word into the next iteration, and every new agent after it knows the word', async () => {
  const told: string[] = [];
  const steered = makeGate();
  const world = await makeWorld(async ({ text }) => {
    await steered.opened;
    const [line] = /.*Mind the edge cases\./.exec(text) ?? [];
    if (line !== undefined) told.push(line);
    return told.length >= 2 ? DONE : 'Working.';
  });
  const run = startDacapo(world, ['run', 'Work.', '--pause', '0', '--json', ...UNATTENDED]);
  await untilSaid(run, '"iteration-begins"');
  const { id } = await until(() => world.loops()[0], 'the loop');
  expect((await dacapo(world, 'steer', id, 'Mind the edge cases.')).code).toBe(0);
  steered.open();
  expect((await run.ended).code).toBe(0);
  const again = expect.stringMatching(/^- in iteration \d: A person says: Mind the edge cases\.$/);
  expect(told).toEqual(['A person says: Mind the edge cases.', again]);
});
