/** Who holds the agent of a loop that was started over MCP: the hook, where it spoke, or nobody. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { CLI } from '../cli/box.ts';
import { connect, makePlace, type Place } from './server.ts';

const HOOK = resolve(import.meta.dirname, '../../../plugin/dist/hook.cjs');
const SESSION = '11111111-1111-4111-8111-111111111111';

const inSession = ({ project }: Place) => ({ CLAUDE_CODE_SESSION_ID: SESSION, CLAUDE_PROJECT_DIR: project });

function run({ project, home }: Place, args: string[], input = '', env: Record<string, string> = {}): string {
  return spawnSync(process.execPath, args, {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: home, DACAPO_HOME: home, ...env },
    input,
    encoding: 'utf8',
  }).stdout;
}

/** As the host does before a call. */
function tellHook(place: Place, tool: string): void {
  const event = { session_id: SESSION, cwd: place.project, hook_event_name: 'PreToolUse', tool_name: tool };
  expect(run(place, [HOOK], JSON.stringify({ ...event, tool_input: {} }), inSession(place))).toBe('');
}

it('the hook spoke right before the call: it holds the agent', async () => {
  const place = makePlace();
  const { call } = await connect(place, '2026-07-28', inSession(place));
  tellHook(place, 'mcp__any_name__loop_start');
  const started = await call('loop_start', { prompt: 'Add the login' });
  expect(started).toMatchObject({ heldBy: 'hook', warnings: [] });
  expect(started['brief']).toContain('you will be asked to continue');
  expect(await call('loop_status')).toMatchObject({ heldBy: 'hook' });
});

it.each(['mcp__dacapo__loop_status', 'mcp__other__start', 'Bash'])('%s starts nothing', async (tool) => {
  const place = makePlace();
  const { call } = await connect(place, '2026-07-28', inSession(place));
  tellHook(place, tool);
  expect(await call('loop_start', { prompt: 'Add the login' })).toMatchObject({ heldBy: 'calls' });
});

it('a sign counts for one call: a session whose hook is gone since is told so', async () => {
  const place = makePlace();
  const { call } = await connect(place, '2026-07-28', inSession(place));
  tellHook(place, 'mcp__dacapo__loop_start');
  const { loopId } = await call('loop_start', { prompt: 'Add the login' });
  run(place, [CLI, 'cancel', String(loopId)]);
  expect(await call('loop_start', { prompt: 'Add the form' })).toMatchObject({ heldBy: 'calls' });
});

it.each(['a session without a hook', 'a client without sessions'])(
  '%s: its calls are judged',
  async (client) => {
    const place = makePlace();
    const env = client === 'a session without a hook' ? inSession(place) : {};
    const first = await connect(place, '2026-07-28', env);
    const { loopId, ...started } = await first.call('loop_start', { prompt: 'Add the login' });
    expect(started).toMatchObject({ heldBy: 'calls', warnings: [expect.stringContaining('dacapo init')] });
    expect(started['brief']).toContain('Nothing holds you when you stop: call loop_claim');
    expect(started['brief']).not.toMatch(/this session|asked to continue|<promise>/);
    expect(started['brief']).toContain('call loop_block; to ask one something, call loop_ask');
    const status = () => run(place, [CLI, 'status', String(loopId)]);
    expect(status()).toContain('running');

    await first.client.close();
    expect(status()).toMatch(/interrupted after 0 iterations: the client that drove it is gone/);
    expect(status()).toContain('the next call about it continues it');

    // The next server goes on with it.
    const second = await connect(place, '2025-11-25', env);
    const which = client === 'a session without a hook' ? {} : { loopId };
    expect(await second.call('loop_claim', { summary: 'It works.', ...which })).toMatchObject({
      decision: 'complete',
      status: 'completed',
    });
    const journal = run(place, [CLI, 'logs', String(loopId)]);
    expect(journal).toContain('by the agent itself, over MCP');
    expect(journal).not.toMatch(/command line|slash command|dead process/);
  },
);

it('without the hook, a refused claim names the tool to call, and an inner task ends by its first claim', async () => {
  const place = makePlace();
  writeFileSync(join(place.project, 'tasks.md'), '- [ ] one\n');
  const { call } = await connect(place, '2026-07-28', inSession(place));
  await call('loop_start', { prompt: 'Add the login', features: 'tasks.md', completionPromise: 'DONE' });
  const claim = async (): Promise<unknown> => (await call('loop_claim', { summary: 'It works.' }))['next'];
  const goOn = 'Continue with the task, then call loop_claim again: nothing holds you when you stop.';
  expect(await claim()).toBe(`Still missing:\n- 1 of 1 items in tasks.md does not pass yet\n\n${goOn}`);

  await call('loop_start', { prompt: 'Add the form', nest: true });
  expect(await claim()).toBe(
    `The inner task is done after 1 iteration. Back to the task around it: iteration 2 of 50 continues.\n\n${goOn}`,
  );

  await call('loop_ask', { question: 'Which colour?' });
  expect(await claim()).toContain('ask loop_status for the answer later');
});
