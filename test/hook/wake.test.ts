// The bundled waker as the host runs it: beside the hook that judges the stop, in a process of its own.
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openRequestsOf } from '../../src/core/waiting/requests.ts';
import { homeAt } from '../../src/store/file/home.ts';
import { fileStore } from '../../src/store/file/store.ts';
import { HOOK, beginHook, makeProgram, type Program } from './program.ts';

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
  const claim = { process: process.pid, started: at, latch: false, words: '', prompt: null };
  open?.write({ type: 'stop', at, n: 1, session: owner?.session ?? '', ...claim });
  open?.write({ type: 'cancelled', at, by: 'terminal', prompt: null });
  open?.close();
  // Nobody ever answers that stop.
  expect(hook.loop()).toMatchObject({ status: { is: 'cancelled' }, open: { n: 1 } });
  expect(await waker(hook)(hook.stopped())).toMatchObject({ exit: 0, stdout: '', stderr: '' });
});
