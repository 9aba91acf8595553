/** Cancel, pause, resume and nest as values: what is done, or why not and what to do instead. */
import { inWords, type Refused } from '#telling/advice.ts';
import { inTerminal } from '#telling/audience.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { cancel, cancelAll, pause, steer } from '#engine/steer/control.ts';
import { nest } from '#engine/begin/push.ts';
import { resume, type ResumeOrder } from '#engine/steer/resume.ts';
import { put } from '../hearing/configured.ts';
import { DONE, Stage } from '../hearing/stage.ts';
import { makeReady } from '../ready.ts';
import { parseStartWords } from '../../input/start-words.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

const NO_LIMITS = { iterations: undefined, timeMs: undefined, costUsd: undefined, tokens: undefined };
const told = (result: { readonly ok: true } | Refused) => (result.ok ? result : inWords(result, inTerminal));
const here = () => ({ id: undefined, root: stage.project });

function wish(over: Partial<ResumeOrder> = {}): ResumeOrder {
  return {
    ...here(),
    by: 'terminal',
    limits: NO_LIMITS,
    checkpoint: undefined,
    acceptChanges: false,
    ...over,
  };
}

describe('steer', () => {
  it('reaches the only loop of the project; of several one must be named', async () => {
    const { id } = await stage.start('One.');
    const words = { ...here(), words: 'Be quick.', by: 'terminal' as const };
    expect(steer(words, stage.runtime())).toMatchObject({ ok: true, loop: { id } });
    await stage.start('Two.', { session: 's2', prompt: 'p2', process: 200 });
    const refused = steer(words, stage.runtime());
    expect(refused).toMatchObject({ ok: false, code: 'several-loops' });
    expect(told(refused)).toMatchObject({ next: expect.stringMatching(/^Name one: dacapo steer \S+ "…"$/) });
  });
});

describe('resume', () => {
  it('gives a session its entry back, which a process that was killed did not write', async () => {
    const { id } = await stage.start('Fix.');
    stage.store.sessions.drop('s1');
    expect(resume(wish({ id }), stage.runtime())).toMatchObject({ ok: true });
    expect(stage.store.sessions.find('s1')).toMatchObject({ loop: id, process: 100 });
  });
});

describe('cancel', () => {
  it('ends the only loop of the project, and says what it ended', async () => {
    const { id } = await stage.start('Fix.');
    expect(cancel(here(), 'terminal', stage.runtime())).toMatchObject({ ok: true, cancelled: [{ id }] });
    expect(stage.status()).toBe('cancelled');
  });

  it('of what has ended there is nothing to cancel, and that is not a refusal', async () => {
    const { id } = await stage.start('Fix.');
    await stage.stop(DONE);
    expect(cancel(here(), 'terminal', stage.runtime())).toEqual({ ok: true, meant: [], cancelled: [] });
    expect(cancel({ ...here(), id }, 'terminal', stage.runtime())).toMatchObject({
      ok: true,
      meant: [{ id }],
      cancelled: [],
    });
  });

  it('of a loop that waits for its prompt forgets that too', async () => {
    const id = await makeReady(stage, 'Fix.');
    expect(stage.store.ready.find(stage.project, 'Fix.')).toBe(id);
    cancel(here(), 'terminal', stage.runtime());
    expect(stage.store.ready.any()).toBe(false);
    expect(resume(wish({ id }), stage.runtime())).toMatchObject({ ok: true, carriedOn: { by: 'prompt' } });
    expect(stage.store.ready.find(stage.project, 'Fix.')).toBe(id);
  });

  it('of several one must be named, or all', async () => {
    await stage.start('One.');
    await stage.start('Two.', { session: 's2', prompt: 'p2', process: 200 });
    expect(cancel(here(), 'terminal', stage.runtime())).toMatchObject({ ok: false, code: 'several-loops' });
    const done = cancelAll({ root: stage.project }, 'terminal', stage.runtime());
    expect(done.ok && done.cancelled).toHaveLength(2);
  });
});

describe('pause', () => {
  it('stands, and pausing again is not a refusal', async () => {
    await stage.start('Fix.');
    for (const _ of [1, 2])
      expect(pause(here(), 'terminal', stage.runtime())).toMatchObject({
        ok: true,
        loop: { status: { is: 'paused' } },
      });
    expect(stage.journal().filter(({ type }) => type === 'paused')).toHaveLength(1);
  });

  it('what has ended is refused with the next step that works', async () => {
    const { id } = await stage.start('Fix.');
    await stage.stop(DONE);
    expect(told(pause({ ...here(), id }, 'terminal', stage.runtime()))).toMatchObject({
      ok: false,
      code: 'ended',
      next: `nothing is left to do; dacapo explain ${id} shows the proof.`,
    });
    expect(pause(here(), 'terminal', stage.runtime())).toMatchObject({ ok: false, code: 'none-to-pause' });
  });
});

describe('resume says what carries the loop on', () => {
  it('any prompt, where the session is still open', async () => {
    await stage.start('Fix.');
    pause(here(), 'terminal', stage.runtime());
    expect(resume(wish(), stage.runtime())).toMatchObject({ ok: true, carriedOn: { by: 'open-session' } });
  });

  it('its session, where nobody holds it any more', async () => {
    await stage.start('Fix.');
    await stage.sessionEnd('exit');
    expect(resume(wish(), stage.runtime())).toMatchObject({
      ok: true,
      carriedOn: { by: 'session', session: 's1', ours: false },
    });
  });

  it('refuses what is completed, and what has nothing left', async () => {
    await stage.start('Fix. --max-iterations 1');
    await stage.stop();
    expect(stage.status()).toBe('exhausted');
    expect(resume(wish(), stage.runtime())).toMatchObject({ ok: false, code: 'used-up' });
    const more = wish({ limits: { ...NO_LIMITS, iterations: 3 } });
    expect(resume(more, stage.runtime())).toMatchObject({ ok: true });
    expect(stage.status()).toBe('running');
    await stage.stop(DONE);
    expect(resume(wish(), stage.runtime())).toMatchObject({ ok: false, code: 'completed' });
  });

  it('grants an agent neither limits nor changes', async () => {
    await stage.start('Fix.');
    for (const sign of ['CLAUDECODE', 'CLAUDE_CODE_CHILD_SESSION', 'AI_AGENT']) {
      const runtime = stage.runtime({ env: { [sign]: '1' } });
      const limits = { ...NO_LIMITS, iterations: 99 };
      expect(resume(wish({ limits }), runtime)).toMatchObject({ ok: false, code: 'people-only' });
      expect(resume(wish({ acceptChanges: true }), runtime)).toMatchObject({
        ok: false,
        code: 'people-only',
      });
    }
  });

  it('accepts what changed in protected files, and names it', async () => {
    put(stage, 'spec.md', 'a');
    await stage.start('Fix. --protect spec.md');
    put(stage, 'spec.md', 'b');
    expect(resume(wish({ acceptChanges: true }), stage.runtime())).toMatchObject({
      ok: true,
      accepted: { changes: [{ path: 'spec.md', how: 'changed' }], lists: [], gone: 0 },
    });
  });

  it('knows no checkpoint that was not kept', async () => {
    await stage.start('Fix.');
    expect(resume(wish({ id: stage.loop().id, checkpoint: '1' }), stage.runtime())).toMatchObject({
      ok: false,
      code: 'no-checkpoint',
    });
  });
});

describe('nest', () => {
  const task = (session: string | null) => {
    const request = parseStartWords(['Inner.', '--nest']);
    if (!request.ok) throw new Error(request.message);
    return { request, by: 'agent' as const, session, root: stage.project };
  };

  it('goes into the loop of the session that calls, else into the only one that runs', async () => {
    const { id } = await stage.start('One.');
    expect(await nest(task(null), stage.runtime())).toMatchObject({ ok: true, loop: { id } });
    await stage.start('Two.', { session: 's2', prompt: 'p2', process: 200 });
    expect(await nest(task(null), stage.runtime())).toMatchObject({ ok: false, code: 'several-loops' });
    expect(await nest(task('s1'), stage.runtime())).toMatchObject({ ok: true, loop: { id } });
    expect(stage.loop(id).around).toHaveLength(2);
  });

  it('where no loop runs there is nothing to go inside', async () => {
    expect(await nest(task(null), stage.runtime())).toMatchObject({ ok: false, code: 'no-loop' });
  });
});
