// @module-tag slow
/**
 * The examples of three formats (progress.txt, idle-loop, vault) as their documents give them, in the real
 * Claude Code.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { putJwz } from '../../evidence/views/jwz.ts';
import type { Reply } from '../host.ts';
import { context, makeWorld, newContext, notices, type World } from '../world.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));

function dacapo({ sandbox }: World, ...args: string[]): string {
  return execFileSync(process.execPath, [CLI, ...args], {
    cwd: sandbox.project,
    env: sandbox.env,
    encoding: 'utf8',
  });
}

const shell = (command: string): Reply => [{ tool: 'Bash', input: { command } }];

const FOLDER = '.claude/data/ralph-loops/my-feature';
const ITEMS = ['Cuisine list loads', 'Reservations open', 'Empty cuisine buttons trigger dialog'];

/** The folder of a project of another tool: a list of three, a progress file, a prompt. */
function putLoopFolder({ sandbox }: World, limit = 15): void {
  const features = ITEMS.map((description, k) => ({ id: k + 1, description, passes: false, model: 'opus' }));
  sandbox.write(`${FOLDER}/feature_list.json`, JSON.stringify({ features }, null, 2));
  sandbox.write(
    `${FOLDER}/progress.txt`,
    `# My feature\nStatus: IN_PROGRESS\nIteration: 1\nMax Iterations: ${limit}\n\n## Notes\n`,
  );
  sandbox.write(`${FOLDER}/RALPH_PROMPT.md`, 'Read feature_list.json and work off one feature a pass.\n\n');
}

/** The agent verifies a feature, sets `passes` and notes its progress, by a tool call of its own. */
function finish(id: number): Reply {
  const program = `const fs = require("fs"); const list = JSON.parse(fs.readFileSync("${FOLDER}/feature_list.json")); list.features[${id - 1}].passes = true; fs.writeFileSync("${FOLDER}/feature_list.json", JSON.stringify(list)); fs.appendFileSync("${FOLDER}/progress.txt", "- feature ${id} is done\\n")`;
  return shell(`node -e '${program}'`);
}

const promptOf = ({ sandbox }: World) => sandbox.read(`${FOLDER}/RALPH_PROMPT.md`).replace(/\n+$/, '');
const logged = ({ sandbox }: World) =>
  sandbox
    .read(`${FOLDER}/hook.log`)
    .trimEnd()
    .split('\n')
    .map((line) =>
      line.replace(/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] /, '').replace(/Session: \S+,/, 'Session: S,'),
    );

test('progress.txt: claude "$(cat RALPH_PROMPT.md)" works off three features one by one, with progress.txt and hook.log', async () => {
  const world = await makeWorld([
    finish(1),
    'The first works.',
    finish(2),
    'The second works.',
    finish(3),
    'The third works.',
  ]);
  putLoopFolder(world);
  expect(dacapo(world, 'ready', FOLDER)).toContain(`claude "$(cat ${FOLDER}/RALPH_PROMPT.md)"`);
  const run = await world.run(promptOf(world));
  expect(context(world.model.requests[0])).toContain('Continue with Feature 1 - Cuisine list loads.');
  expect(newContext(world.model, 2)).toContain('Continue with Feature 2 - Reservations open.');
  expect(newContext(world.model, 4)).toContain('Continue with Feature 3 - Empty cuisine buttons');
  expect(world.model.requests).toHaveLength(6);
  expect(notices(run).at(-1)).toContain(
    'completed after 3 iterations: all items of .claude/data/ralph-loops/my-feature/feature_list.json pass (3)',
  );
  expect(world.sandbox.read(`${FOLDER}/progress.txt`)).toBe(
    '# My feature\nStatus: COMPLETE\nIteration: 3\nMax Iterations: 15\n\n## Notes\n- feature 1 is done\n- feature 2 is done\n- feature 3 is done\n',
  );
  expect(logged(world)).toEqual([
    'Stop hook triggered. Session: S, stop_hook_active: false',
    'Iteration: 1 / 15',
    'Features: 1/3 complete, 2 remaining',
    'CONTINUE: Starting iteration 2 for Feature 2: Reservations open',
    'Stop hook triggered. Session: S, stop_hook_active: true',
    'Iteration: 2 / 15',
    'Features: 2/3 complete, 1 remaining',
    'CONTINUE: Starting iteration 3 for Feature 3: Empty cuisine buttons trigger dialog',
    'Stop hook triggered. Session: S, stop_hook_active: true',
    'Iteration: 3 / 15',
    'Features: 3/3 complete, 0 remaining',
    'COMPLETE: All features passed',
  ]);
});

test('progress.txt: at the limit the progress file says REACHED_LIMIT, and the log how many features remain', async () => {
  const world = await makeWorld(['Working.', finish(1), 'The first works.']);
  putLoopFolder(world, 2);
  dacapo(world, 'adopt', FOLDER);
  const run = await world.run(promptOf(world));
  expect(notices(run).at(-1)).toContain('max iterations reached (2 iterations)');
  expect(world.sandbox.read(`${FOLDER}/progress.txt`)).toContain(
    'Status: REACHED_LIMIT\nIteration: 2\nMax Iterations: 2\n',
  );
  expect(logged(world).at(-1)).toBe('REACHED_LIMIT: Max iterations (2) reached with 2 features remaining');
});

test('vault: the state file of its example goes on at its iteration, ends with the moved file, and is in the history', async () => {
  const world = await makeWorld([
    'Processing invoice 3...',
    shell('mkdir -p Done && mv Needs_Action/INVOICE_client.md Done/'),
    'Paid, and moved.',
  ]);
  const { sandbox } = world;
  const state = {
    loop_id: 'RALPH_20260119_abc123',
    prompt: 'Process all invoices...',
    max_iterations: 10,
    completion_promise: 'TASK_COMPLETE',
    current_iteration: 3,
    status: 'running',
    started_at: '2026-01-19T10:00:00Z',
    iterations: [
      {
        number: 1,
        timestamp: '2026-01-19T10:00:05Z',
        output_preview: 'Processing invoice 1...',
        completed: false,
      },
    ],
    errors: [],
    paused_for_approval: false,
    watch_file: 'Needs_Action/INVOICE_client.md',
    done_folder: 'Done/',
  };
  const file = 'AI_Employee_Vault/Ralph_State/RALPH_20260119_abc123.json';
  sandbox.write(file, JSON.stringify(state, null, 2));
  sandbox.write('Needs_Action/INVOICE_client.md', '# Invoice\n');
  dacapo(world, 'adopt', file);
  const run = await world.run('Process all invoices...');
  expect(newContext(world.model, 1)).toContain('iteration 4 of 10');
  expect(notices(run).at(-1)).toContain('completed after 4 iterations: one of its gates holds');
  expect(sandbox.has(file)).toBe(false);
  const ended: unknown = JSON.parse(
    sandbox.read('AI_Employee_Vault/Ralph_History/RALPH_20260119_abc123.json'),
  );
  expect(ended).toMatchObject({
    ...state,
    current_iteration: 4,
    status: 'completed',
    started_at: expect.any(String),
    iterations: [
      state.iterations[0],
      { number: 3, output_preview: 'Processing invoice 3...', completed: false },
      { number: 4, output_preview: 'Paid, and moved.', completed: true },
    ],
  });
});

test('idle-loop: a state in the topic loop:current goes on there frame by frame, and ends there as DONE', async () => {
  const world = await makeWorld([
    'Not yet.',
    'The parser is fixed.\n\n<issue-complete>DONE</issue-complete>',
    'All of them pass.\n\n<loop-done>COMPLETE</loop-done>',
  ]);
  const { sandbox } = world;
  sandbox.env['PATH'] = `${putJwz(join(sandbox.root, 'bin'))}:${sandbox.env['PATH'] ?? ''}`;
  const jwz = (...args: string[]) =>
    execFileSync(join(sandbox.root, 'bin', 'jwz'), args, { cwd: sandbox.project, encoding: 'utf8' });
  sandbox.write('prompt.txt', 'Make all tests pass.\n');
  sandbox.write('issue.txt', 'Fix the parser.\n');
  const stack = [
    { id: 'loop-1', mode: 'loop', iter: 2, max: 10, prompt_file: 'prompt.txt' },
    { id: 'issue-1', mode: 'issue', iter: 4, max: 10, prompt_file: 'issue.txt' },
  ];
  const updated = new Date().toISOString().replace(/\.\d+Z$/, '+00:00');
  const state = { schema: 1, event: 'STATE', run_id: 'loop-1', updated_at: updated, stack };
  jwz('post', 'loop:current', '-m', JSON.stringify(state));
  dacapo(world, 'adopt', 'loop:current');
  const run = await world.run('Fix the parser.');
  expect(newContext(world.model, 1)).toContain('iteration 5 of 10');
  expect(newContext(world.model, 2)).toContain('Make all tests pass.');
  expect(notices(run).at(-1)).toContain('completed after 2 iterations + 5 in inner tasks');
  const messages = (
    JSON.parse(jwz('read', 'loop:current', '--json', '--limit', '50')) as { body: string }[]
  ).map(({ body }) => JSON.parse(body) as { event: string; reason?: string; stack: { iter: number }[] });
  expect(messages[0]).toMatchObject({ event: 'DONE', reason: 'COMPLETE', stack: [] });
  const shown = messages.map((message) => message.stack.map(({ iter }) => iter).join());
  expect(shown).toEqual(['', '2', '2,5', ...shown.slice(3)]);
  expect(shown).toContain('2,4');
  expect(sandbox.has('.claude/idle-loop.local.md')).toBe(false);
});
