// The bundled waker as the host runs it: beside the hook that judges the stop, in a process of its own.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openRequestsOf } from '#law/waiting/requests.ts';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { HOOK, beginHook, makeProgram, type Program, type Run } from './program.ts';

const WAKE = join(dirname(HOOK), 'wake.cjs');
const QUESTION = '<promise>ASK: Red or blue?</promise>';
const opened: Program[] = [];
afterEach(() => {
  for (const hook of opened.splice(0)) hook.close();
});

function program(): Program {
  const hook = makeProgram();
  opened.push(hook);
  return hook;
}

/** It first looks when its input ends, so a test decides what has happened by then. */
function waker({ project: cwd, env }: Program) {
  const { child, ended } = beginHook(process.execPath, [WAKE], null, { cwd, env });
  return (payload: unknown) => {
    child.stdin?.end(JSON.stringify(payload));
    return ended;
  };
}

function answer(hook: Program, note: string): void {
  const open = fileStore(homeAt(hook.home)).open(hook.loop().id);
  const [request] = openRequestsOf(hook.loop());
  if (open === null || request === undefined) throw new Error('nothing is asked');
  const at = new Date().toISOString();
  open.write({ type: 'answered', at, id: request.id, answer: 'text', note, by: 'terminal' });
  open.close();
}

test('an answer that comes before the waker first looks wakes the session, once', async () => {
  const hook = program();
  await hook.start('Paint it.');
  // The hook may be registered twice (plugin and `init`).
  const wakers = [waker(hook), waker(hook)];
  const stopped = hook.stopped(QUESTION);
  expect(await hook.run(stopped)).toMatchObject({ exit: 0 });
  expect(hook.loop().status).toMatchObject({ is: 'waiting', for: 'approval' });
  answer(hook, 'Blue, please.');
  expect(hook.loop().status.is).toBe('running');
  const runs = await Promise.all(wakers.map((wake) => wake(stopped)));
  const [woke, silent] = runs.toSorted((a, b) => Number(b.exit) - Number(a.exit));
  expect(woke).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining('Blue, please.') });
  expect(silent).toMatchObject({ exit: 0, stdout: '', stderr: '' });
});

test('the answer to another stop is none to this one: a waker that comes late goes at once', async () => {
  const hook = program();
  await hook.start('Paint it.');
  const wake = waker(hook);
  const first = hook.stopped('One.');
  await hook.run(first);
  await hook.run(hook.stopped(QUESTION));
  expect(hook.loop().status.is).toBe('waiting');
  expect(await wake(first)).toMatchObject({ exit: 0, stdout: '', stderr: '' });
});

test('a stop that goes on wakes nobody', async () => {
  const hook = program();
  await hook.start('Paint it.');
  const wake = waker(hook);
  const stopped = hook.stopped();
  await hook.run(stopped);
  expect(await wake(stopped)).toMatchObject({ exit: 0, stdout: '', stderr: '' });
});

test('a loop that was cancelled while its stop was being judged keeps no headless host waiting', async () => {
  const hook = program();
  await hook.start('Paint it.');
  const {
    id,
    session: { owner },
  } = hook.loop();
  const open = fileStore(homeAt(hook.home)).open(id);
  const at = new Date().toISOString();
  const claim = { process: process.pid, started: at, continuedByHook: false, words: '', prompt: null };
  open?.write({ type: 'stop', at, n: 1, session: owner?.session ?? '', ...claim });
  open?.write({ type: 'cancelled', at, by: 'terminal', prompt: null });
  open?.close();
  // Nobody ever answers that stop.
  expect(hook.loop()).toMatchObject({ status: { is: 'cancelled' }, open: { n: 1 } });
  expect(await waker(hook)(hook.stopped())).toMatchObject({ exit: 0, stdout: '', stderr: '' });
});

/** The check ends with the code in this file, and says how often it ran. */
const CHECK = "--check 'echo >> ../runs; exit $(cat ../code)' --completion-promise COMPLETE";
const CLAIM = 'All done.\n\n<promise>COMPLETE</promise>';

async function notYet(recheck: string): Promise<{ hook: Program; ended: Promise<Run> }> {
  const hook = program();
  code(hook, 75);
  await hook.start(`Ship it. ${CHECK} --recheck ${recheck}`);
  const wake = waker(hook);
  const stopped = hook.stopped(CLAIM);
  const letThrough = await hook.run(stopped);
  expect(letThrough.stdout).toContain('which says \\"not yet\\". The next look is at');
  expect(hook.loop().status).toMatchObject({ is: 'waiting', for: 'check' });
  return { hook, ended: wake(stopped) };
}

function code({ root }: Program, exit: number): void {
  writeFileSync(join(root, 'code'), String(exit));
}

function write(hook: Program, act: (open: OpenLoop, at: string) => void): void {
  const open = fileStore(homeAt(hook.home)).open(hook.loop().id);
  if (open === null) throw new Error('there is no loop');
  act(open, new Date().toISOString());
  open.close();
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('a check that said "not yet" fails: the session is woken with what is missing, and one pass is spent', async () => {
  const { hook, ended } = await notYet('1s');
  // It has looked once more without a word.
  await until(() => (hook.loop().session.awaits?.looks ?? 0) > 1);
  code(hook, 1);
  const run = await ended;
  expect(run).toMatchObject({ exit: 2, stdout: '' });
  expect(run.stderr).toContain('failed with exit code 1');
  expect(hook.loop()).toMatchObject({ status: { is: 'running' }, session: { awaits: null } });
  expect(hook.loop().frame.passes).toBe(1);
});

test('it passes: the loop is complete, and the session is told', async () => {
  const { hook, ended } = await notYet('1s');
  code(hook, 0);
  const run = await ended;
  expect(run.stderr).toMatch(/completed after 1 iteration.*Tell the person so in one line/s);
  expect(hook.loop().status).toEqual({ is: 'completed' });
});

test('dacapo resume looks at once, and a word for the agent wakes it', async () => {
  const { hook, ended } = await notYet('1h');
  write(hook, (open, at) => open.write({ type: 'held', at, for: 'check', until: at }));
  await until(() => hook.loop().session.awaits?.looks === 2);
  write(hook, (open, at) => open.write({ type: 'steered', at, by: 'terminal', words: 'Look at main.' }));
  expect((await ended).stderr).toContain('A person says: Look at main.');
  expect(hook.loop()).toMatchObject({ status: { is: 'running' }, session: { awaits: null } });
});

test("a word for the agent that comes before the waker's first look wakes the session", async () => {
  const hook = program();
  code(hook, 75);
  await hook.start(`Ship it. ${CHECK} --recheck 1h`);
  const wake = waker(hook);
  const stopped = hook.stopped(CLAIM);
  await hook.run(stopped);
  write(hook, (open, at) => open.write({ type: 'steered', at, by: 'terminal', words: 'Look at main.' }));
  expect(hook.loop().status.is).toBe('running');
  expect(await wake(stopped)).toMatchObject({ exit: 2, stderr: expect.stringContaining('Look at main.') });
});

test('a cancelled loop wakes nobody; what a person types meanwhile is answered, and the next stop looks again', async () => {
  const { hook, ended } = await notYet('1h');
  await hook.run(hook.payload('UserPromptSubmit', { prompt: 'Which branch?', prompt_id: 'prompt-2' }));
  expect(await ended).toMatchObject({ exit: 0, stderr: '' });
  await hook.run(hook.stopped('It is main.', { prompt_id: 'prompt-2' }));
  expect(hook.loop()).toMatchObject({ status: { for: 'check' }, session: { awaits: { looks: 2 } } });
  const wake = waker(hook);
  write(hook, (open, at) => open.write({ type: 'cancelled', at, by: 'terminal', prompt: null }));
  expect(await wake(hook.stopped())).toMatchObject({ exit: 0, stderr: '' });
});
