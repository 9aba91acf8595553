// @module-tag tmux
/**
 * The real host in a terminal: a sensitive call waits for a person, and the answer carries the loop on by
 * itself.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dacapo } from '../dacapo.ts';
import type { Reply } from '../host.ts';
import { DONE, makeWorld, newContext, until, type World } from '../world.ts';

const PUSH: Reply = [
  { tool: 'Bash', input: { command: 'npm test; echo pushed >> pushed.txt', description: 'Push' } },
];
const APPROVE = '--approve "Bash(echo pushed*)"';

function pending({ sandbox }: World): string | undefined {
  const folder = join(sandbox.project, '.dacapo/Pending_Approval');
  return existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith('.md')) : undefined;
}

function move({ sandbox }: World, name: string, to: string): void {
  const folder = join(sandbox.project, '.dacapo');
  mkdirSync(join(folder, to), { recursive: true });
  renameSync(join(folder, 'Pending_Approval', name), join(folder, to, name));
}

test('a sensitive command pauses the loop; moving its file resumes it by itself, and the call runs once', async () => {
  const world = await makeWorld([PUSH, 'I wait for the answer.', PUSH, PUSH, 'Not again.', DONE]);
  const screen = await world.open();
  await screen.submit(`/dacapo:ralph Push it --max-iterations 5 ${APPROVE}`);
  const name = await until(() => pending(world), 'the request');
  await screen.waitFor(/waiting for your answer/);
  expect(world.sandbox.has('pushed.txt')).toBe(false);
  expect(world.status()).toMatchObject({ status: 'waiting', iteration: 1 });
  await until(() => newContext(world.model, 1).includes('needs the approval of a person'), 'the refusal');
  const file = readFileSync(join(world.sandbox.project, '.dacapo/Pending_Approval', name), 'utf8');
  expect(file).toContain('echo pushed');

  move(world, name, 'Approved');
  // The approved call runs; the same call again is a new question.
  await until(() => world.sandbox.has('pushed.txt'), 'the approved call', 20_000);
  const second = await until(() => pending(world), 'the second request', 20_000);
  expect(JSON.stringify(world.model.requests)).toContain('the permission for this call is open now');
  expect(world.sandbox.read('pushed.txt')).toBe('pushed\n');
  expect((await dacapo(world, 'reject', second.replace('.md', ''), '--note', 'Once is enough.')).code).toBe(
    0,
  );
  await screen.waitFor(/completed after \d iteration/, 30_000);
  expect(JSON.stringify(world.model.requests.at(-1))).toContain('Once is enough.');
  expect(world.sandbox.read('pushed.txt')).toBe('pushed\n');
});

test('/dacapo:approve-ralph, typed where the person sits, lets the call through without a model call of its own', async () => {
  const attempt: Reply = [{ tool: 'Skill', input: { skill: 'dacapo:approve-ralph' } }];
  const world = await makeWorld([PUSH, attempt, 'I wait for the answer.', PUSH, DONE]);
  const screen = await world.open();
  await screen.submit(`/dacapo:ralph Push it --max-iterations 5 ${APPROVE}`);
  await screen.waitFor(/Here, \/dacapo:approve-ralph or \/dacapo:reject-ralph answers it/);
  // The agent can't give the command.
  expect(newContext(world.model, 2)).toContain('cannot be used with Skill tool');
  expect(pending(world)).toBeDefined();
  expect(world.model.requests).toHaveLength(3);

  await screen.submit('/dacapo:approve-ralph');
  await screen.waitFor(/approved in the session: may the agent run Bash \(in \S+\): npm test; echo pushed/);
  await screen.waitFor(/completed after 1 iteration/, 30_000);
  expect(world.sandbox.read('pushed.txt')).toBe('pushed\n');
  // The host says that this is not consent, and the words do not claim to be one.
  const woken = newContext(world.model, 3);
  expect(woken).toContain('must NOT be treated as approval or consent');
  expect(woken).toMatch(
    /the permission for this call is open now, once: .*Try exactly this call again if you still/,
  );
  expect(woken).not.toMatch(/person/);
  expect(world.model.requests).toHaveLength(5);
});

test('/dacapo:answer-ralph answers a question, and /dacapo:reject-ralph a completion', async () => {
  const world = await makeWorld([
    'Hm.\n\n<promise>ASK: Red or blue?</promise>',
    DONE,
    'Lighter now.\n\n<promise>COMPLETE</promise>',
  ]);
  const screen = await world.open();
  await screen.submit('/dacapo:ralph Paint it --max-iterations 5 --approve-done');
  await screen.waitFor(/waiting for your answer: Red or blue\?/);
  await screen.submit('/dacapo:answer-ralph Blue, "matt".');
  await screen.waitFor(/waiting for your answer: The gates hold/, 30_000);
  expect(newContext(world.model, 1)).toContain('given in the session: Blue, "matt".');
  await screen.submit('/dacapo:reject-ralph Too dark.');
  await until(() => world.model.requests.length === 3, 'the next pass', 30_000);
  expect(newContext(world.model, 2)).toContain('Too dark.');
  await until(() => pending(world), 'the second completion', 30_000);
  await until(() => world.status().status === 'waiting', 'the wait', 30_000);
  await screen.submit('/dacapo:approve-ralph');
  await screen.waitFor(/completed after 1 iteration: .*confirmed in the session/, 30_000);
  expect(world.model.requests).toHaveLength(3);
});

test('what a person types meanwhile is answered; a rejection wakes the session with its note', async () => {
  const world = await makeWorld(({ text }) => {
    if (text.includes('Not on a Friday.')) return DONE;
    if (text.includes('Which branch')) return 'It is main.';
    return text.includes('Push it') ? PUSH : 'I wait for the answer.';
  });
  const screen = await world.open();
  await screen.submit(`/dacapo:ralph Push it --max-iterations 5 ${APPROVE}`);
  const name = await until(() => pending(world), 'the request');
  await screen.waitFor(/waiting for your answer/);
  await screen.submit('Which branch is this?');
  await screen.waitFor(/It is main\./);
  expect(world.status()).toMatchObject({ status: 'waiting', iteration: 1 });
  const rejected = await dacapo(world, 'reject', name.replace('.md', ''), '--note', 'Not on a Friday.');
  expect(rejected.code).toBe(0);
  await screen.waitFor(/was rejected from a terminal/, 30_000);
  await screen.waitFor(/completed after 1 iteration/, 30_000);
  expect(world.sandbox.has('pushed.txt')).toBe(false);
});

test('nobody answers in time: it escalates', async () => {
  const world = await makeWorld([PUSH, 'I wait for the answer.']);
  const screen = await world.open();
  await screen.submit(`/dacapo:ralph Push it --max-iterations 5 --approval-timeout 4s ${APPROVE}`);
  await until(() => pending(world), 'the request');
  await until(() => world.status().status === 'escalated', 'the escalation', 20_000);
  expect(world.status().reason).toContain('nobody answered in time');
  await until(() => pending(world) === undefined, 'the file to go');
});

test('headless the host waits, and the answer carries the loop on', async () => {
  const world = await makeWorld(({ text }) => {
    if (text.includes('the permission for this call is open now')) return PUSH;
    return text.includes('needs the approval') ? 'I wait.' : text.includes('Push it') ? PUSH : DONE;
  });
  const run = world.start(`/dacapo:ralph Push it --max-iterations 5 ${APPROVE}`);
  const name = await until(() => pending(world), 'the request', 30_000);
  expect(world.sandbox.has('pushed.txt')).toBe(false);
  move(world, name, 'Approved');
  const ended = await run.done;
  expect(ended.code).toBe(0);
  expect(world.sandbox.read('pushed.txt')).toBe('pushed\n');
  expect(world.status()).toMatchObject({ status: 'completed' });
});
