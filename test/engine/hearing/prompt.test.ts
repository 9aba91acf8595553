import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseStart } from '#input/arguments.ts';
import type { HostSetup } from '#hosts/port/arrival.ts';
import { startLoop } from '#engine/begin/start.ts';
import { Stage, toAgent, toPerson } from './stage.ts';

describe("a person's own prompt", () => {
  it('while an iteration is open pauses the loop, says so with the ways on, and is not carried on', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop();
    const answer = await stage.prompt('Look at this instead.', { prompt: 'p2' });
    expect(answer.is).toBe('tell');
    expect(toPerson(answer)).toMatch(
      /paused after 1 iteration.*\/resume-ralph continues it, \/cancel-ralph ends it/,
    );
    expect(stage.status()).toBe('paused');
    expect(await stage.stop('Looked.', { from: { prompt: 'p2' } })).toEqual({ is: 'silence' });
    expect(await stage.prompt('And this.', { prompt: 'p3' })).toEqual({ is: 'silence' });
  });

  it('delivered twice, pauses and speaks once', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.prompt('Wait.', { prompt: 'p2' });
    expect(await stage.prompt('Wait.', { prompt: 'p2' })).toEqual({ is: 'silence' });
  });

  it('typed into the running turn (same prompt id) waits in the queue: nothing happens yet', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    expect(await stage.prompt('By the way.', { prompt: 'p1' })).toEqual({ is: 'silence' });
    expect(stage.status()).toBe('running');
  });

  it('for which a stop was let through carries the loop on', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop('So far.', {
      look: () => ({ queue: { offset: 1, waiting: 1 }, taken: false, toolUsed: false }),
    });
    expect(await stage.prompt('A question.', { prompt: 'p2' })).toEqual({ is: 'silence' });
    expect(stage.status()).toBe('running');
    expect((await stage.stop('An answer.', { from: { prompt: 'p2' } })).is).toBe('continue');
    expect(stage.passes()).toBe(1);
  });

  it('for which a stop was let through pauses the loop when it comes after the TTL', async () => {
    const stage = new Stage();
    await stage.start('Fix. --stale-after 1m');
    await stage.stop('So far.', {
      look: () => ({ queue: { offset: 1, waiting: 1 }, taken: false, toolUsed: false }),
    });
    stage.wait(2 * 60_000);
    await stage.prompt('A question.', { prompt: 'p2' });
    expect(stage.status()).toBe('paused');
  });

  it('while background work is waited for pauses the loop', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop('x', { background: [{ id: 'a', kind: 'agent', description: 'x' }] });
    await stage.prompt('Stop that.', { prompt: 'p2' });
    expect(stage.status()).toBe('paused');
  });

  it('in another session is nothing of ours', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    expect(await stage.prompt('Hello.', { session: 's2', process: 200, prompt: 'q1' })).toEqual({
      is: 'silence',
    });
    expect(stage.status()).toBe('running');
  });
});

describe('a notice of the host', () => {
  it('carries a waiting loop on', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop('x', { background: [{ id: 'a', kind: 'agent', description: 'x' }] });
    expect(await stage.notice({ prompt: 'p2' })).toEqual({ is: 'silence' });
    expect(stage.loop()).toMatchObject({ status: { is: 'running' }, session: { chain: 'p2' } });
  });

  it('binds nothing, even where it equals a prompt', async () => {
    const stage = new Stage();
    makeReady(stage, '<task-notification>done</task-notification>');
    expect(await stage.notice()).toEqual({ is: 'silence' });
    expect(stage.status()).toBe('pending');
  });
});

describe('after a resume in a terminal', () => {
  it('the next prompt carries the loop on, whatever it says', async () => {
    const stage = new Stage();
    await stage.start('Fix.');
    await stage.stop();
    await stage.prompt('wait', { prompt: 'p2' });
    const resumed = { by: 'terminal', session: null, process: 100, prompt: null, iterations: null } as const;
    stage.append({ type: 'resumed', at: stage.now(), ...resumed });
    const answer = await stage.prompt('go on', { prompt: 'p3' });
    expect(toPerson(answer)).toMatch(/iteration 2 of 50/);
    expect((await stage.stop('x', { from: { prompt: 'p3' } })).is).toBe('continue');
  });
});

/** As `dacapo start` leaves a loop for a first prompt that equals its own. */
function makeReady(stage: Stage, prompt: string): string {
  const request = parseStart(`-- ${prompt}`);
  if (!request.ok) throw new Error(request.message);
  const { project, store } = stage;
  const started = startLoop(
    { request, project, host: 'claude-code', actor: 'terminal', from: null, owns: null, view: true },
    stage.runtime(),
  );
  if (started.is !== 'started') throw new Error(started.is);
  const { id } = started.open.loop();
  started.open.close();
  store.ready.keep(project, prompt, id);
  return id;
}

describe('a loop made ready', () => {
  it('is bound by the first prompt that equals its own, up to final newlines', async () => {
    const stage = new Stage();
    makeReady(stage, 'Fix the bug.\nAll of it.');
    const answer = await stage.prompt('Fix the bug.\nAll of it.\n\n');
    expect(answer.is).toBe('brief');
    expect(toAgent(answer)).toContain('the prompt above is its task');
    expect(stage.loop()).toMatchObject({
      session: { owner: { session: 's1', process: 100 }, chain: 'p1' },
      status: { is: 'running' },
    });
    expect(stage.view()).toMatch(/^session_id: "s1"$/m);
    expect((await stage.stop()).is).toBe('continue');
  });

  it('by no other prompt, and not in another project', async () => {
    const stage = new Stage();
    makeReady(stage, 'Fix the bug.');
    expect(await stage.prompt('Fix the bug!')).toEqual({ is: 'silence' });
    expect(await stage.prompt('Fix the bug.', { project: '/elsewhere' })).toEqual({ is: 'silence' });
    expect(stage.status()).toBe('pending');
  });

  it('by the first session only', async () => {
    const stage = new Stage();
    makeReady(stage, 'Fix the bug.');
    expect((await stage.prompt('Fix the bug.')).is).toBe('brief');
    const second = { session: 's2', process: 200, prompt: 'q1' };
    expect(await stage.prompt('Fix the bug.', second)).toEqual({ is: 'silence' });
    expect(await stage.stop('x', { from: second })).toEqual({ is: 'silence' });
    expect(stage.store.ready.find(stage.project, 'Fix the bug.')).toBeNull();
    expect(stage.loop().session.owner?.session).toBe('s1');
  });

  it('of two at once the first in file order has it, and the other may start a loop of its own', async () => {
    const stage = new Stage();
    const id = makeReady(stage, 'Fix the bug.');
    const bound = { type: 'bound', session: 's9', process: 900, prompt: 'z1', how: 'prompt' } as const;
    // The other session's line comes between our look and our own line.
    let came = false;
    const now = () => {
      if (!came) stage.append({ ...bound, at: stage.now() });
      came = true;
      return stage.now();
    };
    const arrival = { is: 'prompt', from: stage.from(), text: 'Fix the bug.', person: true } as const;
    expect(await stage.hear(arrival, stage.runtime({ now }))).toEqual({ is: 'silence' });
    expect(stage.journal().filter(({ type }) => type === 'bound')).toHaveLength(2);
    expect(stage.loop(id).session.owner?.session).toBe('s9');
    expect((await stage.start('Mine.')).session.owner?.session).toBe('s1');
  });
});

describe('a session that was chosen for a loop before it began', () => {
  it('takes it up with its first prompt, process and all', async () => {
    const stage = new Stage();
    stage.env = { PATH: stage.project };
    const request = parseStart('Fix the bug. --notify desktop');
    if (!request.ok) throw new Error(request.message);
    const from = stage.from({ process: null, prompt: null });
    const order = {
      request,
      project: stage.project,
      host: 'claude-code',
      actor: 'terminal',
      from,
      owns: 'start',
      view: true,
    } as const;
    const started = startLoop(order, stage.runtime());
    if (started.is !== 'started') throw new Error(started.is);
    started.open.close();
    const answer = await stage.prompt('Fix the bug.');
    expect(answer.is).toBe('brief');
    expect(toPerson(answer)).toContain('\nNote: You get no notification on the desktop: ');
    expect(stage.loop()).toMatchObject({ session: { owner: { session: 's1', process: 100 }, chain: 'p1' } });
    expect(await stage.prompt('Fix the bug.')).toEqual({ is: 'silence' });
    expect((await stage.stop()).is).toBe('continue');
  });
});

describe("the host's cap", () => {
  const begin = async (setup: HostSetup) => {
    const stage = new Stage();
    makeReady(stage, 'Fix the bug.');
    return stage.hear({
      is: 'prompt',
      from: stage.from(),
      text: 'Fix the bug.',
      person: true,
      setup: () => setup,
    });
  };

  it('is named when a prepared loop begins, unless the person asked to lift it', async () => {
    expect(toPerson(await begin({ cap: 8, liftCap: null }))).toMatch(/after 8 stops in a row/);
    expect(toPerson(await begin({ cap: null, liftCap: null }))).not.toMatch(/stops in a row/);
    expect(toPerson(await begin({ cap: 8, liftCap: () => true }))).not.toMatch(/stops in a row/);
    expect(toPerson(await begin({ cap: 8, liftCap: () => false }))).toMatch(/after 8 stops in a row/);
  });

  it('is named at the first prompt of an adopted loop, and by no later one', async () => {
    const stage = new Stage();
    stage.write('---\niteration: 1\n---\nFix the bug.\n', { file: '.claude/ralph-loop.local.md' });
    const answer = await stage.command('resume', '', { cap: 8 });
    expect(toPerson(answer)).toMatch(/started\.[^]*after 8 stops in a row/);
    await stage.stop();
    expect(toPerson(await stage.prompt('wait', { prompt: 'p2' }))).not.toMatch(/stops in a row/);
  });
});

it('a session that holds up an agent alone is named when a loop begins', async () => {
  const hindrance = 'this session is in plan mode.';
  const answer = await new Stage().command('start', 'Fix.', { hindrance });
  expect(toPerson(answer)).toContain('\nNote: this session is in plan mode.');
});

it('a desktop that no program can reach is named when a loop begins', async () => {
  const stage = new Stage();
  stage.env = { PATH: stage.project };
  const words = 'Note: You get no notification on the desktop: notify-send is not installed.';
  expect(toPerson(await stage.command('start', 'Fix. --notify desktop'))).toContain(words);

  const other = new Stage();
  other.env = { PATH: other.project };
  expect(toPerson(await other.command('start', 'Fix. --notify https://ntfy.sh/x'))).not.toContain('desktop');

  const able = new Stage();
  able.env = { PATH: able.project };
  writeFileSync(join(able.project, 'notify-send'), '', { mode: 0o700 });
  expect(toPerson(await able.command('start', 'Fix. --notify desktop'))).not.toContain('no notification');
});
