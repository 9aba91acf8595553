/** The agent can't finish a loop by editing Da Capo's own files or its checks. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { homeAt } from '../../src/journal/home.ts';
import { loopIds, openLoop } from '../../src/journal/store.ts';
import { UNATTENDED, dacapo, ofKind } from './dacapo.ts';
import { DONE, context, makeWorld, newContext, notices, type World } from './world.ts';

const TEST = 'expect(add(1, 2)).toBe(3);\n';

function testFile({ sandbox }: World): string {
  mkdirSync(join(sandbox.project, 'tests'), { recursive: true });
  const path = join(sandbox.project, 'tests/add.test.js');
  writeFileSync(path, TEST);
  return path;
}

const ALL_TOOLS = ['--allowedTools', 'Bash,Edit,Write,Read'];

test('writes to a protected test, to the journal and by sed -i are refused with a clear word; the loop goes on', async () => {
  const world: World = await makeWorld(({ n }) => {
    const test = join(world.sandbox.project, 'tests/add.test.js');
    const [id = ''] = loopIds(homeAt(world.sandbox.dacapoHome));
    const journal = join(world.sandbox.dacapoHome, 'loops', id, 'journal.jsonl');
    switch (n) {
      case 0:
        return [{ tool: 'Write', input: { file_path: test, content: 'expect(1).toBe(1);\n' } }];
      case 1:
        return [{ tool: 'Edit', input: { file_path: journal, old_string: 'created', new_string: 'x' } }];
      case 2:
        return [{ tool: 'Bash', input: { command: 'sed -i s/3/0/ tests/add.test.js' } }];
      case 3:
        return [{ tool: 'Bash', input: { command: 'cat tests/add.test.js' } }];
      case 4:
        return 'Not yet.';
      default:
        return DONE;
    }
  });
  const path = testFile(world);
  const run = await world.run('/dacapo:ralph Make it pass --protect "tests/**"', ALL_TOOLS);
  expect(context(world.model.requests[0])).toContain('Protected, and not to be changed: tests/**');
  expect(newContext(world.model, 1)).toContain('tests/add.test.js is protected (--protect tests/**)');
  expect(newContext(world.model, 1)).toContain('Make the code pass the test instead of changing the test.');
  expect(newContext(world.model, 2)).toContain('belongs to its own record of your loop');
  expect(newContext(world.model, 3)).toContain('tests/add.test.js is protected');
  expect(newContext(world.model, 4)).toContain('toBe(3)');
  expect(newContext(world.model, 5)).toContain('iteration 2 of 50');
  expect(readFileSync(path, 'utf8')).toBe(TEST);
  expect(notices(run).at(-1)).toContain('completed after 2 iterations');
});

test('a protected file that was changed behind our back blocks completion until it is restored', async () => {
  const world: World = await makeWorld(({ n }) => {
    const path = join(world.sandbox.project, 'tests/add.test.js');
    if (n === 0) writeFileSync(path, 'expect(1).toBe(1);\n');
    return n === 1 ? [{ tool: 'Write', input: { file_path: path, content: TEST } }] : DONE;
  });
  const path = testFile(world);
  const run = await world.run('/dacapo:ralph Make it pass --protect "tests/**"', ALL_TOOLS);
  expect(newContext(world.model, 1)).toContain(
    'tests/add.test.js (changed): protected, and not as when the loop began',
  );
  expect(readFileSync(path, 'utf8')).toBe(TEST);
  expect(notices(run).at(-1)).toContain('completed after 2 iterations');
  const [id = ''] = loopIds(homeAt(world.sandbox.dacapoHome));
  const open = openLoop(homeAt(world.sandbox.dacapoHome), id);
  const altered = open?.journal.read(0).events.filter(({ type }) => type === 'altered');
  open?.close();
  expect(altered).toMatchObject([{ by: 'unknown', files: ['tests/add.test.js (changed)'] }]);
});

test('a subagent of the loop is refused as well', async () => {
  const world: World = await makeWorld(({ n, agentId }) => {
    const input = { file_path: join(world.sandbox.project, 'tests/add.test.js'), content: '' };
    if (agentId !== undefined) return n === 0 ? [{ tool: 'Write', input }] : 'I could not.';
    return n === 0
      ? [
          {
            tool: 'Agent',
            input: {
              description: 'Empty it',
              prompt: 'Empty the test.',
              subagent_type: 'general-purpose',
              run_in_background: false,
            },
          },
        ]
      : DONE;
  });
  const path = testFile(world);
  await world.run('/dacapo:ralph Make it pass --protect "tests/**"', [...ALL_TOOLS, 'Agent']);
  expect(context(world.model.agentRequests[1])).toContain('tests/add.test.js is protected');
  expect(readFileSync(path, 'utf8')).toBe(TEST);
  expect(world.status().status).toBe('completed');
});

test('dacapo run: a pass that changed a protected test completes nothing, and the next agent is told to put it back', async () => {
  const world: World = await makeWorld(({ n }) => {
    const path = join(world.sandbox.project, 'tests/add.test.js');
    // A pass is two requests: the tool call, and the words after its result.
    const command = n === 0 ? `echo 'expect(1).toBe(1);' > ${path}` : `printf '%s' '${TEST}' > ${path}`;
    return n % 2 === 0 ? [{ tool: 'Bash', input: { command } }] : DONE;
  });
  const path = testFile(world);
  const flags = ['--protect', 'tests/**', '--pause', '0', '--json', ...UNATTENDED];
  const run = await dacapo(world, 'run', 'Make it pass.', ...flags);
  expect(run.code).toBe(0);
  expect(ofKind(run, 'judged').map(({ verdict }) => verdict)).toEqual(['continue', 'complete']);
  expect(context(world.model.requests[0])).toContain('Protected, and not to be changed: tests/**');
  expect(context(world.model.requests[2])).toContain('tests/add.test.js (changed): protected');
  expect(readFileSync(path, 'utf8')).toBe(TEST);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
});
