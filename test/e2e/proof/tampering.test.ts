// @module-tag slow
/** The agent can't finish a loop by editing Da Capo's own files or its checks. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Block } from '#surfaces/demo/model.ts';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import { UNATTENDED, dacapo, ofKind, startDacapo } from '../dacapo.ts';
import type { Reply } from '../host.ts';
import { DONE, PLUGIN, context, makeWorld, newContext, notices, type World } from '../world.ts';

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
    const store = fileStore(homeAt(world.sandbox.dacapoHome));
    const journal = join(store.place(store.loops()[0]?.id), 'journal.jsonl');
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
  expect(context(world.model.requests[0])).toContain('Do not change these protected files: tests/**');
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
  const store = fileStore(homeAt(world.sandbox.dacapoHome));
  const open = store.open(store.loops()[0]?.id ?? '');
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

describe('in the passes of dacapo run', () => {
  const FLAGS = ['--protect', 'tests/**', '--pause', '0', '--json'];

  /** Its first pass tries to change the test with each of these, one after the other. */
  async function tempted(...attempts: [Block, ...Block[]]): Promise<World> {
    const [first, ...others] = attempts.map((attempt): Reply => [attempt]);
    const world = await makeWorld([first ?? '', ...others, 'Not yet.', DONE]);
    testFile(world);
    return world;
  }
  const emptied: Block = { tool: 'Write', input: { file_path: 'tests/add.test.js', content: '' } };
  const refusals = (world: World) =>
    world.model.requests.map((turn) => /Da Capo refuses this: .*? is protected/.exec(turn.text)?.[0] ?? null);

  test('a protected test is refused with the word of a session, the loop goes on and completes', async () => {
    const world = await tempted(
      emptied,
      { tool: 'Edit', input: { file_path: 'tests/add.test.js', old_string: '3', new_string: '0' } },
      { tool: 'Bash', input: { command: 'sed -i s/3/0/ tests/add.test.js' } },
      { tool: 'Bash', input: { command: 'echo {} > "$DACAPO_HOME/trust.json"' } },
      { tool: 'Bash', input: { command: 'cat tests/add.test.js' } },
    );
    const run = await dacapo(world, 'run', 'Make it pass.', ...FLAGS, ...UNATTENDED);
    expect(run.code).toBe(0);
    const refused = 'Da Capo refuses this: tests/add.test.js is protected';
    expect(refusals(world)).toEqual([null, refused, refused, refused, null, null, null]);
    expect(newContext(world.model, 1)).toContain(
      'Make the code pass the test instead of changing the test. If the test is wrong',
    );
    expect(newContext(world.model, 4)).toContain('belongs to its own record of your loop');
    expect(newContext(world.model, 5)).toContain('toBe(3)');
    expect(ofKind(run, 'judged').map(({ verdict }) => verdict)).toEqual(['continue', 'complete']);
    // A refusal is no lack of permissions.
    expect(ofKind(run, 'warning').map(({ text }) => text)).not.toContainEqual(
      expect.stringContaining('denied'),
    );
    expect(world.sandbox.read('tests/add.test.js')).toBe(TEST);
    expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
  });

  test('an item that waits is not taken from the list, and gets its turn', async () => {
    const itemDone = 'Fixed.\n\n<issue-complete>DONE</issue-complete>';
    const world = await makeWorld([
      [{ tool: 'Write', input: { file_path: 'todo.md', content: '- [x] alpha\n- [x] beta\n' } }],
      [{ tool: 'Bash', input: { command: 'echo "- [ ] gamma" >> todo.md' } }],
      itemDone,
    ]);
    world.sandbox.write('todo.md', '- [ ] alpha\n- [ ] beta\n');
    const args = ['--items', 'todo.md', '--pause', '0', '--json', ...UNATTENDED];
    const run = await dacapo(world, 'run', 'Fix it.', ...args);
    expect(run.code).toBe(0);
    expect(newContext(world.model, 1)).toContain('todo.md lists the items of your loop');
    expect(world.sandbox.read('todo.md')).toBe('- [ ] alpha\n- [ ] beta\n- [ ] gamma\n');
    expect(world.loops()[0]?.frame.inner).toMatchObject({ complete: 3 });
  });

  test("with the plugin as well, and a person's own settings, it is refused once, and the driver alone judges", async () => {
    const world = await tempted(emptied);
    const settings = { env: { MINE: 'yes' }, hooks: { PreToolUse: [witness(world)] } };
    const extra = ['--plugin-dir', PLUGIN, '--settings', JSON.stringify(settings)];
    const run = await dacapo(world, 'run', 'Make it pass.', ...FLAGS, ...UNATTENDED, ...extra);
    expect(run.code).toBe(0);
    const log = readFileSync(join(world.sandbox.dacapoHome, 'hook.log'), 'utf8');
    expect(log.match(/refused protected/g)).toHaveLength(1);
    expect(world.loops()[0]?.stops).toBe(2);
    expect(world.sandbox.read('witness.txt')).toBe('yes\n');
    expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
  });

  test('DACAPO_DISABLE=1 switches the guard off, and what it let through shows at the stop', async () => {
    const world = await tempted(emptied);
    const args = ['run', 'Make it pass.', '--max-iterations', '2', ...FLAGS, ...UNATTENDED];
    const run = await startDacapo(world, args, { DACAPO_DISABLE: '1' }).ended;
    expect(run.code).toBe(3);
    expect(refusals(world).filter(Boolean)).toEqual([]);
    expect(world.sandbox.read('tests/add.test.js')).toBe('');
  });
});

/** A hook of the person's, which writes down that it ran, and with which settings. */
function witness({ sandbox }: World): object {
  const command = `echo "$MINE" >> ${join(sandbox.project, 'witness.txt')}`;
  return { matcher: 'Write', hooks: [{ type: 'command', command }] };
}

test('dacapo run: what slipped past the guard completes nothing, and the next agent is told to put it back', async () => {
  const world: World = await makeWorld(({ n }) => {
    const file_path = join(world.sandbox.project, 'tests/add.test.js');
    // A pass is two requests: the tool call, and the words after its result. A script is not looked into.
    if (n === 0) return [{ tool: 'Bash', input: { command: 'sh ./slip.sh' } }];
    return n === 2 ? [{ tool: 'Write', input: { file_path, content: TEST } }] : DONE;
  });
  const path = testFile(world);
  world.sandbox.write('slip.sh', "echo 'expect(1).toBe(1);' > tests/add.test.js\n");
  const flags = ['--protect', 'tests/**', '--pause', '0', '--json', ...UNATTENDED];
  const run = await dacapo(world, 'run', 'Make it pass.', ...flags);
  expect(run.code).toBe(0);
  expect(ofKind(run, 'judged').map(({ verdict }) => verdict)).toEqual(['continue', 'complete']);
  expect(context(world.model.requests[0])).toContain('Do not change these protected files: tests/**');
  expect(context(world.model.requests[2])).toContain('tests/add.test.js (changed): protected');
  expect(readFileSync(path, 'utf8')).toBe(TEST);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
});
