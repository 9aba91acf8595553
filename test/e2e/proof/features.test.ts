/** A feature list is worked off one by one, in the real host. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Reply } from '../host.ts';
import { DONE, context, makeWorld, newContext, notices, type World } from '../world.ts';

const LIST = 'feature_list.json';
const ITEMS = ['Cuisine list loads', 'Reservations open', 'Empty cuisine buttons trigger dialog'];

/** A feature list as a project of another tool has it. */
function putList(world: World): void {
  const features = ITEMS.map((description, k) => ({
    id: k + 1,
    description,
    passes: false,
    steps: [`Open page ${k + 1}`, `Verify page ${k + 1}`],
    model: 'opus',
  }));
  world.sandbox.write(LIST, JSON.stringify({ features }, null, 2));
}

/** The agent marks an item as passing, by a tool call of its own. */
function flip(id: number): Reply {
  const program = `const fs = require("fs"); const list = JSON.parse(fs.readFileSync("${LIST}")); list.features[${id - 1}].passes = true; fs.writeFileSync("${LIST}", JSON.stringify(list))`;
  return [{ tool: 'Bash', input: { command: `node -e '${program}'` } }];
}

// How a list alone ends a loop, item by item, is in formats.test.ts.
test('items are worked off one by one: the model sees the next one with its steps; one that is marked as passing while the check fails is the next to repair', async () => {
  const world = await makeWorld([
    flip(1),
    'The first works.',
    [{ tool: 'Bash', input: { command: 'touch works.txt' } }],
    'Now it does.',
    flip(2),
    flip(3),
    DONE,
  ]);
  putList(world);
  const check = 'test -f works.txt || { echo page 1 is blank; exit 4; }';
  const run = await world.run(
    `/dacapo:ralph Build the page --features ${LIST} --completion-promise COMPLETE --check "${check}"`,
  );
  expect(context(world.model.requests[0])).toContain(
    '3 of 3 items in feature_list.json do not pass yet. Continue with Feature 1 - Cuisine list loads.',
  );
  // No promise was given: the item itself is the claim.
  expect(newContext(world.model, 2)).toMatch(/check `test -f works\.txt[^`]*` failed with exit code 4/);
  expect(newContext(world.model, 2)).toContain('page 1 is blank');
  expect(newContext(world.model, 2)).toContain(
    'Feature 1 - Cuisine list loads - is marked as passing in feature_list.json, but a check fails. Repair that first',
  );
  expect(newContext(world.model, 4)).toContain(
    '2 of 3 items in feature_list.json do not pass yet. Continue with Feature 2 - Reservations open. It is meant for the model opus.\n\nIts steps:\n1. Open page 2\n2. Verify page 2',
  );
  expect(newContext(world.model, 4)).toMatch(/verify that it works.*`passes` to true.*commit/);
  expect(world.model.requests).toHaveLength(7);
  expect(notices(run).at(-1)).toContain('completed after 3 iterations: ');
  expect(world.status().gates).toContainEqual(
    expect.objectContaining({ gate: 'features', holds: true, seen: 'all 3 items in feature_list.json pass' }),
  );
});

test('a list that is not there is refused at the start, before anything is paid for', async () => {
  const world = await makeWorld([DONE]);
  const run = await world.run(
    `/dacapo:ralph Build the page --features ${LIST} --completion-promise COMPLETE`,
  );
  expect(notices(run).join('\n')).toMatch(/feature_list\.json is not there/);
});

test('a list that the agent loses never completes: the session stops, and the person reads why', async () => {
  const world = await makeWorld([[{ tool: 'Bash', input: { command: `rm ${LIST}` } }], DONE]);
  putList(world);
  const run = await world.run(
    `/dacapo:ralph Build the page --features ${LIST} --completion-promise COMPLETE`,
  );
  expect(world.model.requests).toHaveLength(2);
  expect(notices(run).at(-1)).toMatch(
    /needs you: feature_list\.json is not there .*so nothing can be proven/,
  );
  expect(world.status()).toMatchObject({ status: 'escalated' });
  expect(readFileSync(join(world.sandbox.dacapoHome, 'hook.log'), 'utf8')).toContain('verdict=escalate');
});
