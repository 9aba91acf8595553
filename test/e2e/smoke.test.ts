import { afterEach, expect, it } from 'vitest';
import { makeSandbox, openScreen, replies, runClaude, startModel } from './host.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function world(...list: Parameters<typeof replies>) {
  const model = await startModel(replies(...list));
  closers.push(model.close);
  const sandbox = makeSandbox(model);
  closers.push(sandbox.close);
  return { model, sandbox };
}

it('claude -p answers from the scripted model', async () => {
  const { model, sandbox } = await world([
    [{ tool: 'Bash', input: { command: 'echo from the shell' } }],
    'Hello from the script.',
  ]);
  const run = await runClaude(sandbox, ['hello']);
  expect(run).toMatchObject({
    code: 0,
    timedOut: false,
    result: { result: 'Hello from the script.', is_error: false },
  });
  expect(model.requests.map((turn) => turn.n)).toEqual([0, 1]);
  expect(model.requests[0]?.text).toContain('hello');
  expect(model.requests[1]?.text).toContain('from the shell');
});

it('a run that does not end is killed and says so', async () => {
  const { sandbox } = await world([{ blocks: [{ text: 'too late' }], delay: 60_000 }]);
  expect(await runClaude(sandbox, ['hello'], { timeout: 1500 })).toMatchObject({
    timedOut: true,
    result: undefined,
  });
});

it('the interactive screen shows a reply', { tags: ['tmux'] }, async () => {
  const { model, sandbox } = await world(['Hello on the screen.', 'And again.']);
  const screen = await openScreen(sandbox);
  closers.push(screen.close);
  await screen.submit('hello there');
  await screen.waitFor(/Hello on the screen\./);
  await screen.submit('once more');
  await screen.waitFor(/And again\./);
  expect(model.requests).toHaveLength(2);
});
