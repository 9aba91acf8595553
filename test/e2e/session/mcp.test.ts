// @module-tag slow
/**
 * The tools in the real host: the plugin starts the server, the scripted model calls it, and the stop hook
 * holds the agent.
 */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isRecord } from '#base/shape.ts';
import { context, makeWorld, newContext, notices, until, type World } from '../world.ts';
import { CLI } from '../../surfaces/cli/box.ts';
import { runClaude, type Reply } from '../host.ts';

const TOOL = 'mcp__plugin_dacapo_dacapo__';
const ALLOW = ['--allowedTools', 'mcp__plugin_dacapo_dacapo'];
const CLAIM = 'It works.\n\n<promise>COMPLETE</promise>';

function calls(tool: string, input: Record<string, unknown>): Reply {
  return [{ tool: `${TOOL}${tool}`, input }];
}

/** An id that an earlier tool call has answered with. */
function idIn(world: World, prefix: string): string {
  const seen = context(world.model.requests.at(-1));
  const [id] = seen.match(new RegExp(`\\b${prefix}-[\\w-]+`)) ?? [];
  if (id === undefined) throw new Error(`no ${prefix}-… in ${seen}`);
  return id;
}

test('the typical flow: tries to stop without proof, is held, proves, ends', async () => {
  const steps: ((taskId: string, iterationId: string) => Reply)[] = [
    () => calls('task_create', { title: 'Write done.txt', description: 'It has to say done.' }),
    (taskId) => calls('task_get', { taskId }),
    (taskId) => calls('hook_register', { taskId, hookType: 'default' }),
    (taskId) =>
      calls('iteration_start', {
        taskId,
        maxIterations: 10,
        completionPromises: ['COMPLETE', 'BLOCKED'],
        validationRules: [
          { name: 'says_done', type: 'pattern', file: 'done.txt', pattern: '^done$', flags: 'm' },
        ],
      }),
    () => 'I am finished.',
    (_taskId, iterationId) => calls('iteration_validate', { iterationId, agentOutput: CLAIM }),
    (_taskId, iterationId) => calls('iteration_next', { iterationId }),
    () => [{ tool: 'Bash', input: { command: 'echo done > done.txt' } }],
    (_taskId, iterationId) => calls('iteration_validate', { iterationId, agentOutput: CLAIM }),
    (_taskId, iterationId) => calls('iteration_complete', { iterationId, completionPromise: 'COMPLETE' }),
    (taskId) => calls('hook_clear', { taskId }),
    () => 'All done.',
  ];
  let step = 0;
  const world: World = await makeWorld(() => {
    const taskId = step < 1 ? '' : idIn(world, 'TASK');
    const iterationId = step < 4 ? '' : idIn(world, 'IT');
    return steps[step++]?.(taskId, iterationId) ?? 'Nothing more.';
  });
  const run = await world.run('Write done.txt', ALLOW);
  expect(run.code).toBe(0);
  expect(step).toBe(steps.length);
  const told = (n: number) => newContext(world.model, n);
  // Held: the stop of step 5 was answered with what is missing, by the hook.
  expect(told(5)).toContain('rule says_done: done.txt is not there');
  // Not proven yet: the promise is kept, and the rule fails.
  expect(told(6)).toContain('"completionSignal":"CONTINUE"');
  expect(told(6)).toContain('"ruleName":"says_done","passed":false');
  expect(told(7)).toContain('"iteration":3');
  expect(told(9)).toContain('"completionSignal":"COMPLETE"');
  expect(told(10)).toContain('"status":"completed"');
  expect(told(11)).toContain('"hooksCleared":1');
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 3, max_iterations: 10 });
  expect(world.loops()[0]?.session.origin).toMatchObject({ session: sessionOf(run) });
});

test('loop_start, loop_note and loop_claim: held without the claim, and ended with it', async () => {
  const world = await makeWorld([
    calls('loop_start', { prompt: 'Write done.txt', maxIterations: 5 }),
    calls('loop_note', { text: 'The folder is writable.' }),
    'I think that is all.',
    [{ tool: 'Bash', input: { command: 'echo done > done.txt' } }],
    calls('loop_claim', { summary: 'done.txt says done.' }),
    'It is done.',
  ]);
  const run = await world.run('Start it', ALLOW);
  expect(newContext(world.model, 3)).toContain('The folder is writable.');
  expect(newContext(world.model, 5)).toContain('End your turn now');
  expect(notices(run).at(-1)).toContain('completed after 2 iterations');
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
});

test('a claim that was recorded ends the loop at the next stop, as the agent was told', async () => {
  const world = await makeWorld([
    calls('loop_start', { prompt: 'Look whether done.txt is needed' }),
    calls('loop_claim', { summary: 'It is not needed.' }),
    'It is done.',
  ]);
  await world.run('Start it', ALLOW);
  expect(newContext(world.model, 2)).toContain('the loop ends when you stop');
  expect(world.model.requests).toHaveLength(3);
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 1 });
});

function sessionOf({ messages }: { messages: readonly unknown[] }): unknown {
  const init = messages.find((message) => isRecord(message) && message['subtype'] === 'init');
  return isRecord(init) ? init['session_id'] : undefined;
}

test('after /clear the server belongs to the new session', { tags: ['tmux'] }, async () => {
  const world = await makeWorld(({ text }) =>
    text.includes('poem two') ? calls('loop_status', {}) : 'Not yet.',
  );
  const screen = await world.open(ALLOW);
  await screen.submit('/dacapo:ralph Write poem one --max-iterations 1');
  await until(() => world.loops()[0]?.status.is === 'exhausted', 'the end of the first loop');
  await screen.submit('/clear');
  await screen.waitFor(/clear/);
  await screen.submit('/dacapo:ralph Write poem two --max-iterations 7');
  const answer = () =>
    /"loopId":"RALPH_\w+".*"maxIterations":\d+/.exec(context(world.model.requests.at(-1)))?.[0];
  expect(await until(answer, 'the answer of the tool')).toContain('"maxIterations":7');
});

/** The server alone, as `claude mcp add` or `--mcp-config` registers it: no plugin. */
const ALONE = [
  '--mcp-config',
  JSON.stringify({ mcpServers: { dacapo: { command: process.execPath, args: [CLI, 'mcp'] } } }),
  '--allowedTools',
  'mcp__dacapo,Bash',
];

function callsAlone(tool: string, input: Record<string, unknown>): Reply {
  return [{ tool: `mcp__dacapo__${tool}`, input }];
}

function dacapo({ sandbox }: World, ...args: string[]): string {
  const { project: cwd, env } = sandbox;
  return spawnSync(process.execPath, [CLI, ...args], { cwd, env, encoding: 'utf8' }).stdout;
}

test('the server without a hook: the agent is told that nothing holds it, and the loop ends with the client', async () => {
  const world = await makeWorld([
    callsAlone('loop_start', { prompt: 'Write done.txt', maxIterations: 5 }),
    callsAlone('loop_note', { text: 'The folder is writable.' }),
    'I stop here.',
  ]);
  const run = await runClaude(world.sandbox, [...ALONE, '--', 'Start it']);
  expect(run.code).toBe(0);
  // It was not held: the third answer was the last.
  expect(world.model.requests).toHaveLength(3);
  const started = newContext(world.model, 1);
  expect(started).toContain('"heldBy":"calls"');
  expect(started).toContain('No hook of Da Capo is in this client');
  expect(started).toContain('Nothing holds you when you stop: call loop_claim');
  expect(started).not.toContain('you will be asked to continue');
  expect(newContext(world.model, 2)).toContain('"text":"The folder is writable."');
  const status = dacapo(world, 'status');
  expect(status).toContain('interrupted');
  expect(status).toContain('the client that drove it is gone');
});

test('the server beside dacapo init: the hook holds the agent', async () => {
  const world = await makeWorld([
    callsAlone('loop_start', { prompt: 'Write done.txt', maxIterations: 5 }),
    'I stop here.',
    [{ tool: 'Bash', input: { command: 'echo done > done.txt' } }],
    callsAlone('loop_claim', { summary: 'done.txt says done.' }),
    'It is done.',
  ]);
  dacapo(world, 'init', '--scope', 'local');
  await runClaude(world.sandbox, [...ALONE, '--', 'Start it']);
  expect(newContext(world.model, 1)).toContain('"heldBy":"hook"');
  expect(newContext(world.model, 1)).toContain('you will be asked to continue');
  expect(world.status()).toMatchObject({ status: 'completed', iteration: 2 });
  const journal = dacapo(world, 'logs');
  expect(journal).toContain('over MCP');
  expect(journal).not.toMatch(/command line|slash command|taken over/);
});
