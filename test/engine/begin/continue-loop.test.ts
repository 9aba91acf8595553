/** A loop that someone else left, or holds: who may go on with it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { openToRun, continueInSession } from '#engine/begin/continue-loop.ts';
import { DONE, Stage } from '../hearing/stage.ts';
import { makeReady } from '../ready.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

const other = () => stage.from({ session: 's2', process: 200, prompt: 'p2' });

function takeUp(id: string, from = other()) {
  const taken = continueInSession(id, from, stage.runtime());
  if (taken.ok) taken.open?.close();
  return taken;
}

function toRun(id?: string) {
  const taken = openToRun({ id, root: stage.project }, stage.runtime());
  if (taken.ok) taken.open.close();
  return taken;
}

describe('in a session', () => {
  it('a loop that its session has left changes hands', async () => {
    const { id } = await stage.start('Fix.');
    await stage.sessionEnd('exit');
    expect(takeUp(id).ok).toBe(true);
    expect(stage.loop().session.owner).toMatchObject({ session: 's2', process: 200 });
  });

  it('a loop that waited for its prompt waits no longer', async () => {
    const id = await makeReady(stage, 'Fix.');
    expect(takeUp(id).ok).toBe(true);
    expect(stage.store.ready.any()).toBe(false);
  });

  it('a command that is delivered twice takes it up once', async () => {
    const { id } = await stage.start('Fix.');
    await stage.sessionEnd('exit');
    takeUp(id);
    expect(takeUp(id)).toEqual({ ok: true, open: null });
    expect(stage.journal().filter(({ type }) => type === 'bound')).toHaveLength(2);
  });

  it('is refused while another process works on it, when it has ended, and from elsewhere', async () => {
    const { id } = await stage.start('Fix.');
    expect(takeUp(id)).toMatchObject({ ok: false, code: 'held' });
    expect(takeUp(id, { ...other(), project: '/elsewhere' })).toMatchObject({ ok: false, code: 'elsewhere' });
    expect(takeUp('RALPH_20260101_abcdef')).toMatchObject({ ok: false, code: 'no-loop' });
    await stage.stop(DONE);
    expect(takeUp(id)).toMatchObject({ ok: false, code: 'ended' });
  });

  it('is refused to a session that has a loop of its own', async () => {
    const { id } = await stage.start('Fix.');
    await stage.sessionEnd('exit');
    await stage.start('Other.', { session: 's2', process: 200, prompt: 'p3' });
    expect(takeUp(id)).toMatchObject({ ok: false, code: 'session-taken' });
  });
});

describe('in a run', () => {
  it('the only loop that nobody works on is meant', async () => {
    const { id } = await stage.start('Fix.');
    expect(toRun()).toMatchObject({ ok: false, code: 'none-to-run' });
    await stage.sessionEnd('exit');
    const taken = toRun();
    expect(taken.ok && taken.open.loop().id).toBe(id);
  });

  it('one that is held or has ended is refused, even by its id', async () => {
    const { id } = await stage.start('Fix.');
    expect(toRun(id)).toMatchObject({ ok: false, code: 'held' });
    await stage.stop(DONE);
    expect(toRun(id)).toMatchObject({ ok: false, code: 'ended' });
  });
});
