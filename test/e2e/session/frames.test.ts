// @module-tag slow
/** Loops in loops and lists of items, in the real host: what the agent reads, and exact counts. */
import { expect, test } from 'vitest';
import { DONE, makeWorld, newContext, notices } from '../world.ts';

const ITEM_DONE = 'Fixed.\n\n<issue-complete>DONE</issue-complete>';

test('grind over three items, one of which ends exhausted: each in turn, and the summary names it', async () => {
  const world = await makeWorld([ITEM_DONE, 'Not yet.', 'Still not.', ITEM_DONE]);
  world.sandbox.write(
    'todo.md',
    '# To do\n\n- [ ] Fix the login\n- [ ] Fix the logout\n- [ ] Fix the menu\n',
  );
  const run = await world.run('/dacapo:ralph Fix this issue. --items todo.md --max-iterations 2');
  expect(newContext(world.model, 0)).toMatch(/This is item 1 of 3\. Work on this one alone:\s+Fix the login/);
  expect(newContext(world.model, 0)).toContain('<issue-complete>DONE</issue-complete>');
  expect(newContext(world.model, 1)).toMatch(/Item 1 of 3 \(Fix the login\) is done after 1 iteration/);
  expect(newContext(world.model, 1)).toMatch(/The task:\s+Fix this issue\.\s+This is item 2 of 3/);
  expect(newContext(world.model, 2)).toContain('iteration 2 of 2 on item 2 of 3');
  expect(newContext(world.model, 3)).toMatch(
    /Item 2 of 3 \(Fix the logout\) ended undone after 2 iterations/,
  );
  expect(newContext(world.model, 3)).toContain('Fix the menu');
  expect(world.model.requests).toHaveLength(4);
  expect(notices(run)).toContainEqual(expect.stringContaining('Item 3 of 3 begins: Fix the menu.'));
  expect(notices(run).at(-1)).toMatch(
    /stopped after 4 iterations and needs you: every item had its turn, and 1 of them is not done\. 2 of 3 items completed; not completed: Fix the logout \(max iterations reached\)/,
  );
  expect(world.status()).toMatchObject({
    status: 'escalated',
    frames: [{ mode: 'grind', inner: { complete: 2, exhaust: 1, iterations: 4 } }],
  });
});

test('items from a command, and a check that an item has to pass', async () => {
  const world = await makeWorld([
    ITEM_DONE,
    [{ tool: 'Bash', input: { command: 'touch made' } }],
    `Now. ${ITEM_DONE}`,
    `Next. ${ITEM_DONE}`,
  ]);
  world.sandbox.write('issues.jsonl', '{"id":7,"title":"Make it"}\n{"id":8,"title":"Keep it"}\n');
  await world.run('/dacapo:ralph Do it. --items-from "cat issues.jsonl" --check "test -f made"');
  expect(newContext(world.model, 0)).toContain('7: Make it');
  expect(newContext(world.model, 1)).toContain('check `test -f made` failed with exit code 1');
  expect(world.status()).toMatchObject({ status: 'completed', frames: [{ inner: { complete: 2 } }] });
});

test('an agent pushes a task into its own loop from the command line, and comes back to the outer one', async () => {
  const cli = new URL('../../../dist/cli.cjs', import.meta.url).pathname;
  const push = `node ${cli} start --nest "Write the index first" --completion-promise INDEXED`;
  const world = await makeWorld([
    [{ tool: 'Bash', input: { command: push } }],
    'I have put it in.',
    '<promise>INDEXED</promise>',
    DONE,
  ]);
  const run = await world.run('/dacapo:ralph Write the book');
  expect(newContext(world.model, 1)).toContain('The agent gets it at its next stop.');
  expect(newContext(world.model, 2)).toMatch(/An inner task comes first/);
  expect(newContext(world.model, 2)).toContain('Write the index first');
  expect(newContext(world.model, 3)).toMatch(
    /The inner task is done after 1 iteration\. Back to the task around it: iteration 1 of 50 continues/,
  );
  expect(newContext(world.model, 3)).toContain('Write the book');
  expect(world.model.requests).toHaveLength(4);
  expect(notices(run).at(-1)).toContain('completed after 1 iteration + 1 in inner tasks');
});

// How <loop-done>COMPLETE</loop-done> ends a loop is in formats.test.ts.
test("idle-loop: the document's own code block ends nothing, and the agent reads why; STUCK escalates", async () => {
  const shown = "Here's how to signal completion:\n`<loop-done>COMPLETE</loop-done>`";
  const world = await makeWorld([shown, 'I give up.\n\n<loop-done>STUCK</loop-done>']);
  const run = await world.run('/dacapo:ralph Explain the signals');
  expect(newContext(world.model, 1)).toContain('inside code, where it does not count');
  expect(notices(run).at(-1)).toContain('needs you: the agent says that it is stuck');
  expect(world.status()).toMatchObject({ status: 'escalated', iteration: 2 });
});
