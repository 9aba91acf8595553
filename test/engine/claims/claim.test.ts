/** What an agent says by a tool, judged as its stop would be. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { declare, endPass, type AgentStatement } from '#engine/claims/claim.ts';
import type { Judgement } from '#engine/claims/judgement.ts';
import type { Refusal } from '#base/refusal.ts';
import { parseStart } from '#input/arguments.ts';
import { withLoop } from '#engine/look/loops.ts';
import { pauseLoop, resumeLoop } from '#engine/steer/control.ts';
import { startForTool } from '#engine/agent/start-for-tool.ts';
import type { ProofListener, Runtime } from '#store/runtime.ts';
import { memoryStore } from '#store/memory/store.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { HOUR, Stage, toAgent } from '../hearing/stage.ts';

const STORES = [
  ['in files', () => new Stage()],
  ['in memory', () => new Stage(memoryStore(null, temporaryFolder))],
] as const;

async function started(stage: Stage, line: string, session: string | null = null): Promise<string> {
  const request = parseStart(line);
  if (!request.ok) throw new Error(request.message);
  const order = { request, project: stage.project, host: 'claude-code', session };
  const answer = await startForTool(order, stage.runtime());
  if (!answer.ok) throw new Error(answer.message);
  return answer.loop.id;
}

function judged(answer: Judgement | Refusal): Judgement {
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer;
}

function code(answer: Judgement | Refusal): string {
  return answer.ok ? 'judged' : answer.code;
}

function speech(loop: string, over: Partial<AgentStatement> = {}): AgentStatement {
  return { loop, session: null, mode: 'record', ...over };
}

/** Everything that the store keeps of a loop, apart from git's objects. */
function kept(stage: Stage, id: string): string[] {
  return readdirSync(stage.dir(id), { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('git'))
    .map((name) => (name.includes('.') ? `${name} ${readFileSync(join(stage.dir(id), name), 'utf8')}` : name))
    .sort();
}

describe.each(STORES)('a loop that a program drives, %s', (_, make) => {
  it('completes by a claim when its check passes, and not before', async () => {
    const stage = make();
    const id = await started(stage, 'Fix it. --check "test -f done.txt" --max-iterations 5');
    const first = judged(await claim({ ...speech(id), summary: 'All done.' }, stage.runtime()));
    expect(first).toMatchObject({ decision: 'continue', recorded: 'stop', loop: { iteration: 2 } });
    expect(first.gates).toMatchObject([{ gate: 'check', wanted: 'test -f done.txt', holds: false }]);
    expect(first.missing).toEqual(['check `test -f done.txt` failed with exit code 1']);
    stage.write('', { file: 'done.txt' });
    const second = judged(await claim({ ...speech(id), summary: 'Now it is.' }, stage.runtime()));
    expect(second).toMatchObject({ decision: 'complete', missing: [], loop: { status: 'completed' } });
    expect(stage.loop(id).session.said).toBeNull();
    expect(code(await claim({ ...speech(id), summary: 'Again.' }, stage.runtime()))).toBe('ended');
  });

  it('satisfies the promise by a claim, whatever the summary says', async () => {
    const stage = make();
    const id = await started(stage, 'Fix it. --completion-promise "ALL GREEN"');
    stage.write('', { file: 'work' });
    const summary = 'I wrote `<promise>BLOCKED</promise>` into the docs.\n```\nnever closed';
    expect(judged(await claim({ ...speech(id), summary }, stage.runtime())).decision).toBe('complete');
  });

  it('is escalated by the agent that is blocked', async () => {
    const stage = make();
    const id = await started(stage, 'Fix it.');
    const answer = judged(await block({ ...speech(id), reason: 'No key\nfor the API.' }, stage.runtime()));
    expect(answer).toMatchObject({ decision: 'escalate', loop: { status: 'escalated' } });
    expect(stage.loop(id).status).toEqual({
      is: 'escalated',
      why: { is: 'blocked', words: 'No key for the API.' },
    });
  });

  it('ends a pass by a message, whose tags count, and is exhausted at its limit', async () => {
    const stage = make();
    const id = await started(stage, 'Fix it. --max-iterations 2');
    const first = judged(await endPass({ ...speech(id), message: 'Half.' }, stage.runtime()));
    expect(first).toMatchObject({ decision: 'continue', loop: { iteration: 2 } });
    const second = judged(await endPass({ ...speech(id), message: 'More.' }, stage.runtime()));
    expect(second).toMatchObject({ decision: 'exhaust', loop: { status: 'exhausted' } });
    const other = await started(stage, 'Fix that.');
    stage.write('', { file: 'work' });
    const message = 'Done.\n\n<promise>COMPLETE</promise>';
    expect(judged(await endPass({ ...speech(other), message }, stage.runtime())).decision).toBe('complete');
  });

  it('judges the same words of two callers once, and different words one after the other', async () => {
    const stage = make();
    const id = await started(stage, 'Fix it. --check "sleep 0.3; false"');
    const runtime = stage.runtime({ process: process.pid });
    const say = (summary: string) => claim({ ...speech(id), summary }, runtime);
    const both = await Promise.all([say('Done.'), say('Done.')]);
    expect(both.map((answer) => judged(answer).decision)).toEqual(['continue', 'continue']);
    expect(stage.loop(id).stops).toBe(1);
    expect(stage.passes(id)).toBe(1);
    await Promise.all([say('One.'), say('Two.')]);
    expect(stage.passes(id)).toBe(3);
  });

  it('is found without the entry of its session', async () => {
    const stage = make();
    const id = await started(stage, 'Fix it.');
    stage.store.sessions.drop(stage.loop(id).session.owner?.session ?? '');
    expect(judged(await endPass({ ...speech(id), message: 'Half.' }, stage.runtime())).decision).toBe(
      'continue',
    );
    stage.write('', { file: 'work' });
    await claim({ ...speech(id), summary: 'Done.' }, stage.runtime());
    expect(stage.status(id)).toBe('completed');
    expect(stage.store.sessions.all()).toEqual([]);
  });

  it('is not stale, however long its pass took', async () => {
    const stage = make();
    const id = await started(stage, 'Fix it. --stale-after 1h');
    stage.wait(3 * HOUR);
    const answer = judged(await endPass({ ...speech(id), message: 'Half.' }, stage.runtime()));
    expect(answer.decision).toBe('continue');
  });

  it('is refused what it can not do, and nothing changes', async () => {
    const stage = make();
    const id = await started(stage, 'Fix it.');
    const events = stage.loop(id).events;
    const say = (over: Partial<AgentStatement>, summary = 'Done.') =>
      claim({ ...speech(id, over), summary }, stage.runtime());
    expect(code(await say({ loop: 'RALPH_20260101_none' }))).toBe('no-loop');
    expect(code(await say({ loop: '../../etc' }))).toBe('no-loop');
    expect(code(await say({}, ' \n'))).toBe('empty');
    expect(code(await say({}, 'x'.repeat(200_001)))).toBe('too-long');
    expect(code(await say({ signal: AbortSignal.abort() }))).toBe('broken-off');
    expect(stage.loop(id).events).toBe(events);
  });

  it('breaks off its checks when the caller does, and spends nothing', async () => {
    const stage = make();
    const id = await started(stage, 'Fix it. --check "test -f started || exit 1; sleep 30"');
    stage.write('', { file: 'started' });
    const controller = new AbortController();
    const seen: string[] = [];
    const progress: ProofListener = (what, outcome) => {
      seen.push(`${what}: ${outcome?.is ?? 'begins'}`);
      controller.abort();
    };
    const order = { ...speech(id, { signal: controller.signal, progress }), summary: 'Done.' };
    expect(code(await claim(order, stage.runtime()))).toBe('broken-off');
    expect(seen[0]).toMatch(/begins$/);
    expect(stage.passes(id)).toBe(0);
    expect(stage.loop(id)).toMatchObject({ open: null, session: { said: null }, status: { is: 'running' } });
  });
});

function claim({ summary, ...said }: AgentStatement & { readonly summary: string }, runtime: Runtime) {
  return declare({ ...said, what: 'done', words: summary }, runtime);
}

function block({ reason, ...said }: AgentStatement & { readonly reason: string }, runtime: Runtime) {
  return declare({ ...said, what: 'blocked', words: reason }, runtime);
}

describe('a rehearsal', () => {
  it('says what a stop would show, and writes nothing', async () => {
    const stage = new Stage();
    const id = await started(stage, 'Fix it. --check "echo wrong; test -f done.txt"');
    const before = kept(stage, id);
    const rehearse = async () =>
      judged(await claim({ ...speech(id, { mode: 'rehearse' }), summary: 'Done.' }, stage.runtime()));
    const open = await rehearse();
    expect(open).toMatchObject({ decision: 'continue', recorded: 'no', loop: { iteration: 1 } });
    expect(open.gates[0]).toMatchObject({ holds: false, output: 'wrong' });
    expect(open.gates[0]).not.toHaveProperty('evidence');
    expect(open.toAgent).toContain('From its output:\n```\nwrong\n```');
    stage.write('', { file: 'done.txt' });
    expect(await rehearse()).toMatchObject({ decision: 'complete', loop: { status: 'running' } });
    expect(kept(stage, id)).toEqual(before);
  });

  it('sees a changed protected file without recording it', async () => {
    const stage = new Stage();
    stage.write('one', { file: 'spec.txt' });
    const id = await started(stage, 'Fix it. --protect spec.txt');
    stage.write('two', { file: 'spec.txt' });
    const before = kept(stage, id);
    const order = { ...speech(id, { mode: 'rehearse' }), summary: 'Done.' };
    expect(judged(await claim(order, stage.runtime())).missing[0]).toContain('spec.txt');
    expect(kept(stage, id)).toEqual(before);
  });
});

it('goes on after a pause when a person resumes it', async () => {
  const stage = new Stage();
  const id = await started(stage, 'Fix it.');
  const runtime = stage.runtime();
  withLoop(id, runtime, (open) => pauseLoop(open, 'terminal', 'command', runtime));
  const order = { ...speech(id), message: 'Half.' };
  expect(code(await endPass(order, stage.runtime()))).toBe('not-running');
  const resumption = {
    by: 'terminal',
    session: null,
    process: null,
    prompt: null,
    iterations: null,
  } as const;
  const loop = withLoop(id, runtime, (open) => resumeLoop(open, resumption, runtime));
  expect(loop).toMatchObject({ status: { is: 'running' }, session: { awaited: false } });
  expect(judged(await endPass(order, stage.runtime())).decision).toBe('continue');
});

describe('a question', () => {
  const message = 'I need a word.\n\n<promise>ASK: which port?</promise>';

  it('is asked by a pass that ends, and not by a rehearsal', async () => {
    const stage = new Stage();
    const id = await started(stage, 'Fix it.');
    const before = kept(stage, id);
    const rehearsed = judged(
      await endPass({ ...speech(id, { mode: 'rehearse' }), message }, stage.runtime()),
    );
    expect(rehearsed).toMatchObject({ decision: 'allow', asks: 'question', recorded: 'no' });
    expect(kept(stage, id)).toEqual(before);
    expect(judged(await endPass({ ...speech(id), message }, stage.runtime())).asks).toBe('question');
    expect(stage.loop(id).people.requests).toMatchObject([{ what: { text: 'which port?' } }]);
  });
});

describe('passes that show the same', () => {
  it('are a stall if the work tree has not changed, and none if it has', async () => {
    const stage = new Stage();
    const id = await started(stage, 'Fix it. --check "test -f done" --max-stalls 3');
    const pass = async () =>
      judged(await endPass({ ...speech(id), message: 'Half.' }, stage.runtime())).decision;
    expect([await pass(), await pass()]).toEqual(['continue', 'continue']);
    stage.write('', { file: 'work' });
    expect([await pass(), await pass(), await pass()]).toEqual(['continue', 'continue', 'exhaust']);
    expect(stage.status(id)).toBe('stuck');
  });
});

describe('a claim without work', () => {
  it('is accepted, since nobody sees the tool calls; the ending says that nothing was changed', async () => {
    const stage = new Stage();
    execFileSync('git', ['init', '-q', stage.project]);
    stage.write('text', { file: 'a.txt' });
    const id = await started(stage, 'Fix it.');
    const order = { ...speech(id), summary: 'Done.' };
    expect(judged(await claim(order, stage.runtime()))).toMatchObject({ decision: 'complete' });
    expect(stage.loop(id).status).toEqual({ is: 'completed', unchanged: true });
  });

  it('is questioned once where a check alone says that it is done', async () => {
    const stage = new Stage();
    execFileSync('git', ['init', '-q', stage.project]);
    const id = await started(stage, 'Fix it. --check "test -e .git/done"');
    const done = async () => judged(await endPass({ ...speech(id), message: 'Fixed.' }, stage.runtime()));
    await done();
    stage.write('', { file: '.git/done' });
    const first = await done();
    expect(first.decision).toBe('continue');
    expect(first.missing[0]).toContain('nothing in the work tree has changed');
    expect((await done()).decision).toBe('complete');
    expect(stage.loop(id).status).toEqual({ is: 'completed', unchanged: true });
  });

  it('is not questioned when the work tree shows work', async () => {
    const stage = new Stage();
    execFileSync('git', ['init', '-q', stage.project]);
    const id = await started(stage, 'Fix it.');
    stage.write('text', { file: 'a.txt' });
    expect(judged(await claim({ ...speech(id), summary: 'Done.' }, stage.runtime())).decision).toBe(
      'complete',
    );
  });
});

describe('a loop in the session of a host', () => {
  const own = { session: 's1' } as const;

  it('has its promise gate satisfied by the claim, and its stop hook judges', async () => {
    const stage = new Stage();
    const { id } = await stage.start('Fix it. --check "test -f done.txt" --completion-promise COMPLETE');
    const order = { ...speech(id, own), summary: 'Done.' };
    const early = judged(await claim(order, stage.runtime()));
    expect(early).toMatchObject({ decision: 'continue', recorded: 'no' });
    expect(stage.loop(id)).toMatchObject({ session: { said: null }, stops: 0 });
    stage.write('', { file: 'done.txt' });
    const now = judged(await claim(order, stage.runtime()));
    expect(now).toMatchObject({ decision: 'complete', recorded: 'said', loop: { status: 'running' } });
    expect(stage.passes(id)).toBe(0);
    await stage.stop('I am finished.');
    expect(stage.status(id)).toBe('completed');
  });

  it('is judged again at the stop: work that broke the check after the claim is not done', async () => {
    const stage = new Stage();
    const { id } = await stage.start('Fix it. --check "test ! -f broken" --completion-promise COMPLETE');
    judged(await claim({ ...speech(id, own), summary: 'Done.' }, stage.runtime()));
    stage.write('', { file: 'broken' });
    expect(toAgent(await stage.stop('I am finished.'))).toContain('check `test ! -f broken` failed');
    expect(stage.loop(id).session.said).toBeNull();
    stage.write('', { file: 'more' });
    expect(toAgent(await stage.stop('And now?', { from: { prompt: 'p2' } }))).toContain('promise');
  });

  it('is not done by the claim of an earlier pass or from before a resume', async () => {
    const stage = new Stage();
    const { id } = await stage.start('Fix it.');
    const say = async () => judged(await claim({ ...speech(id, own), summary: 'Done.' }, stage.runtime()));
    expect((await say()).recorded).toBe('said');
    await stage.prompt('Something else.', { prompt: 'q1' });
    await stage.command('resume', '', { from: { prompt: 'p2' } });
    expect(stage.loop(id)).toMatchObject({ session: { said: null }, status: { is: 'running' } });
    await say();
    const { events } = stage.loop(id);
    stage.append({
      type: 'taken',
      at: stage.now(),
      n: events + 1,
      session: 's9',
      pass: 'pass',
      process: 1,
      model: null,
    });
    expect(stage.loop(id)).toMatchObject({ session: { said: null }, driver: 'fresh' });
  });

  it('is escalated at its stop after the agent said that it is blocked', async () => {
    const stage = new Stage();
    const { id } = await stage.start('Fix it.');
    const answer = judged(await block({ ...speech(id, own), reason: 'No key.' }, stage.runtime()));
    expect(answer).toMatchObject({ decision: 'escalate', recorded: 'said', loop: { status: 'running' } });
    await stage.stop('I can not go on.');
    expect(stage.loop(id).status).toEqual({ is: 'escalated', why: { is: 'blocked', words: 'No key.' } });
  });

  it('hears nobody but its own agent, and no pass ends by a tool', async () => {
    const stage = new Stage();
    const { id } = await stage.start('Fix it.');
    const events = stage.loop(id).events;
    const say = (over: Partial<AgentStatement>) =>
      claim({ ...speech(id, over), summary: 'Done.' }, stage.runtime());
    expect(code(await say({}))).toBe('another-session');
    expect(code(await say({ session: 's2' }))).toBe('another-session');
    expect(code(await say({ session: 's2', mode: 'rehearse' }))).toBe('another-session');
    expect(code(await endPass({ ...speech(id, own), message: 'Half.' }, stage.runtime()))).toBe(
      'host-driven',
    );
    expect(stage.loop(id).events).toBe(events);
  });

  it('is held by the stop hook after a start by a tool', async () => {
    const stage = new Stage();
    const id = await started(stage, 'Fix it.', 's1');
    expect(existsSync(stage.path())).toBe(true);
    expect((await stage.stop('Enough.')).is).toBe('continue');
    judged(await claim({ ...speech(id, own), summary: 'Done.' }, stage.runtime()));
    await stage.stop('Finished.', { from: { prompt: 'p2' } });
    expect(stage.status(id)).toBe('completed');
  });
});

/** The library hears in a process that lives on: its environment stays as it is. */
it('leaves the environment of its process alone', async () => {
  const stage = new Stage();
  const id = await started(stage, 'Fix it. --check "true"');
  const runtime: Runtime = { ...stage.runtime(), env: { ...process.env } };
  writeFileSync(join(stage.project, 'a'), '');
  const before = JSON.stringify(process.env);
  await claim({ ...speech(id), summary: 'Done.' }, runtime);
  expect(JSON.stringify(process.env)).toBe(before);
});
