/**
 * A host that tells its servers no session: the sign that our hook leaves before a call says whose call it
 * is.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { CLI } from '../cli/box.ts';
import { connect, makePlace, type Place } from './server.ts';

const HOOK = resolve(import.meta.dirname, '../../../plugin/dist/hook.cjs');

function run({ project, home }: Place, args: string[], input = ''): string {
  const env = { PATH: process.env['PATH'], HOME: home, DACAPO_HOME: home };
  return spawnSync(process.execPath, args, { cwd: project, env, input, encoding: 'utf8' }).stdout;
}

function tellHook(place: Place, session: string, event: object): string {
  const transcript = `${place.home}/.codex/sessions/2026/11/17/rollout-2026-11-17T10-00-00-${session}.jsonl`;
  const from = { session_id: session, turn_id: 'one', cwd: place.project, transcript_path: transcript };
  return run(place, [HOOK], JSON.stringify({ ...from, ...event }));
}

/** As Codex does it. */
function aboutToCall(place: Place, session: string, tool: string, input: object): void {
  const call = { tool_name: `mcp__any_name__${tool}`, tool_input: input };
  expect(tellHook(place, session, { hook_event_name: 'PreToolUse', ...call })).toBe('');
}

/** A loop in a session of Codex, by its prompt. */
function startIn(place: Place, session: string): string {
  const prompt = `Work in ${session}`;
  run(place, [CLI, 'ready', '--host', 'codex', prompt, '--check', 'false']);
  tellHook(place, session, { hook_event_name: 'UserPromptSubmit', prompt });
  return place.store.sessions.find(session)?.loop ?? '';
}

it('an agent speaks for the loop of its session, with and without its id', async () => {
  const place = makePlace();
  const loopId = startIn(place, 'session-1');
  const { call } = await connect(place);
  aboutToCall(place, 'session-1', 'loop_note', { text: 'The tests are slow.', loopId });
  expect(await call('loop_note', { loopId, text: 'The tests are slow.' })).toMatchObject({
    loopId,
    notes: [{ iteration: 1, text: 'The tests are slow.' }],
  });
  aboutToCall(place, 'session-1', 'loop_claim', { summary: 'It works.' });
  expect(await call('loop_claim', { summary: 'It works.' })).toMatchObject({
    loopId,
    decision: 'continue',
    heldBy: 'hook',
  });
  aboutToCall(place, 'session-1', 'loop_block', { reason: 'I need a key.' });
  expect(await call('loop_block', { reason: 'I need a key.' })).toMatchObject({ decision: 'escalate' });
});

it('a sign counts for one call, and for no other words', async () => {
  const place = makePlace();
  const loopId = startIn(place, 'session-1');
  const { call, refused } = await connect(place);
  expect(await refused('loop_note', { loopId, text: 'One.' })).toContain('another-session');
  aboutToCall(place, 'session-1', 'loop_note', { loopId, text: 'One.' });
  expect(await refused('loop_note', { loopId, text: 'Two.' })).toContain('another-session');
  expect(await refused('loop_block', { loopId, reason: 'One.' })).toContain('another-session');
  await call('loop_note', { loopId, text: 'One.' });
  expect(await refused('loop_note', { loopId, text: 'One.' })).toContain('another-session');
});

it('of two sessions that say the same, each speaks for its own loop, or is asked which it means', async () => {
  const place = makePlace();
  const sessions = ['session-1', 'session-2'];
  const [first = '', second = ''] = sessions.map((session) => startIn(place, session));
  expect(first).not.toBe(second);
  const { call, refused } = await connect(place);
  const same = { text: 'The same.' };
  for (const session of sessions) aboutToCall(place, session, 'loop_note', same);
  expect(await refused('loop_note', same)).toContain('Give its loopId.');
  aboutToCall(place, 'session-2', 'loop_note', same);
  expect(await call('loop_note', same)).toMatchObject({ loopId: second });
  aboutToCall(place, 'session-1', 'loop_note', { ...same, loopId: second });
  expect(await refused('loop_note', { ...same, loopId: second })).toContain('another-session');
});

it('a call that the hook refused leaves no sign', async () => {
  const place = makePlace();
  const prompt = 'Work in session-1';
  const approve = ['--approve', 'mcp__any_name__loop_note'];
  run(place, [CLI, 'ready', '--host', 'codex', prompt, '--check', 'false', ...approve]);
  tellHook(place, 'session-1', { hook_event_name: 'UserPromptSubmit', prompt });
  const call = { tool_name: 'mcp__any_name__loop_note', tool_input: { text: 'One.' } };
  expect(tellHook(place, 'session-1', { hook_event_name: 'PreToolUse', ...call })).toContain('deny');
  const { refused } = await connect(place);
  expect(await refused('loop_note', { text: 'One.' })).toContain('which-loop');
});

it('without a sign it reads how a loop of the project stands, and no messages of another session', async () => {
  const place = makePlace();
  const loopId = startIn(place, 'session-1');
  const { call, client } = await connect(place);
  expect(JSON.stringify(await call('loop_status', { loopId }))).not.toContain('Work in session-1');
  const { resources } = await client.listResources();
  expect(JSON.stringify(resources)).toContain(loopId);
  expect(JSON.stringify(resources)).not.toContain('Work in session-1');
  const read = (kind: string) => client.readResource({ uri: `dacapo://loops/${loopId}/${kind}` });
  expect(JSON.stringify(await read('state'))).not.toContain('Work in session-1');
  for (const kind of ['journal', 'report'])
    await expect(read(kind)).rejects.toThrow('messages of another session');
});

it('nor anything of a loop in another project', async () => {
  const place = makePlace();
  const loopId = startIn(place, 'session-1');
  const elsewhere = { ...place, project: makePlace().project };
  const { refused } = await connect(elsewhere);
  expect(await refused('loop_status', { loopId })).toContain('another-project');
});
