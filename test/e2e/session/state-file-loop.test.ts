// @module-tag slow
/** A loop of `/ralph --mode hook` in the real Claude Code, as its state file and its commands show it. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { DONE, context, makeWorld, newContext, notices, type World } from '../world.ts';

const VIEW = '.claude/ralph-loop.local.md';
const SCHEMA = new URL('../../../schema/ralph-loop.schema.json', import.meta.url);

const PROMPT = 'Write "a poem": --- about YAML';

/** One loop from its start to its end, which four of the criteria look at. */
async function runLoop() {
  const seen: string[] = [];
  const world: World = await makeWorld(({ n }) => {
    seen.push(world.sandbox.read(VIEW));
    return n < 1 ? 'I think that is enough.' : DONE;
  });
  const run = await world.run(`/dacapo:ralph --mode hook --max-iterations 7 ${PROMPT}`);
  return { run, seen, model: world.model, status: world.status(), viewIsLeft: world.sandbox.has(VIEW) };
}

let loop: ReturnType<typeof runLoop> | undefined;
function wholeLoop(): ReturnType<typeof runLoop> {
  loop ??= runLoop().catch((error: unknown) => {
    // For a test that is tried again.
    loop = undefined;
    throw error;
  });
  return loop;
}

test('/ralph --mode hook activates the stop hook', async () => {
  const { run, model, status } = await wholeLoop();
  expect(notices(run)[0]).toMatch(/loop RALPH_\d{8}_\w{6} started\. Done when: <promise>COMPLETE<\/promise>/);
  expect(model.requests).toHaveLength(2);
  expect(status).toMatchObject({ status: 'completed', iteration: 2, driver: 'hook' });
});

test('when the agent attempts to exit, the hook goes on and gives the prompt again', async () => {
  const given = newContext((await wholeLoop()).model, 1);
  expect(given).toContain('iteration 2 of 7');
  expect(given).toContain(PROMPT);
  expect(given).toContain('<promise>COMPLETE</promise>');
});

test('the state file of a live loop has valid YAML front matter and the prompt as its body', async () => {
  const { run, seen, status, viewIsLeft } = await wholeLoop();
  const sessionId = run.result?.['session_id'];
  expect(seen).toHaveLength(2);
  const ajv = new Ajv2020({ validateFormats: false, allowUnionTypes: true });
  const isValid = ajv.compile(JSON.parse(readFileSync(SCHEMA, 'utf8')));
  for (const [index, content] of seen.entries()) {
    const [, front, body] = /^---\n([^]*?)\n---\n([^]*)$/.exec(content) ?? [];
    const fields: unknown = parse(front ?? '');
    if (!isValid(fields)) throw new Error(ajv.errorsText(isValid.errors));
    expect(fields).toMatchObject({
      iteration: index + 1,
      max_iterations: 7,
      completion_promise: 'COMPLETE',
      session_id: sessionId,
      loop_id: status.id,
      status: 'running',
    });
    expect(body).toBe(PROMPT);
  }
  expect(viewIsLeft).toBe(false);
});

test('<promise>COMPLETE</promise> ends the loop cleanly', async () => {
  const { run, model, viewIsLeft } = await wholeLoop();
  expect(run).toMatchObject({
    code: 0,
    result: { is_error: false, terminal_reason: 'completed', result: DONE },
  });
  expect(notices(run).at(-1)).toContain('completed after 2 iterations');
  expect(model.requests).toHaveLength(2);
  expect(viewIsLeft).toBe(false);
});

test('at max_iterations the loop stops with a message', async () => {
  const world = await makeWorld(['Not yet.']);
  const run = await world.run('/dacapo:ralph Write a poem --max-iterations 2');
  expect(world.model.requests).toHaveLength(2);
  expect(notices(run).at(-1)).toMatch(/max iterations reached \(2 iterations\)\. Still open: the promise/);
  expect(world.status()).toMatchObject({ status: 'exhausted', iteration: 2 });
  expect(world.sandbox.has(VIEW)).toBe(false);
});

test('/cancel-ralph deletes the state file of an active loop and says how far it came', async () => {
  const world = await makeWorld(['Not yet.'], { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '1' });
  const first = await world.run('/dacapo:ralph Write a poem');
  expect(world.sandbox.has(VIEW)).toBe(true);
  const asked = world.model.requests.length;
  const cancel = await world.run('/dacapo:cancel-ralph', ['--resume', String(first.result?.['session_id'])]);
  expect(cancel.result?.['result']).toMatch(/cancelled after 2 iterations/);
  expect(world.sandbox.has(VIEW)).toBe(false);
  expect(world.model.requests).toHaveLength(asked);
  expect(world.status()).toMatchObject({ status: 'cancelled' });
});

test('without a loop /cancel-ralph says "No active Ralph loop" and asks no model', async () => {
  const world = await makeWorld(['never asked for']);
  const run = await world.run('/dacapo:cancel-ralph');
  expect(run).toMatchObject({ code: 0, result: { is_error: false } });
  expect(run.result?.['result']).toContain('No active Ralph loop');
  expect(context(world.model.requests[0])).toBe('');
});
