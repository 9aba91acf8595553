/** `dacapo adopt` as a value: the loop that a file or a folder became, or why it did not. */
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { adoptPath, type AdoptOrder } from '../../src/operations/adopt.ts';
import { put } from '../hearing/configured.ts';
import { DONE, Stage } from '../hearing/stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

const STATE = '.claude/ralph-loop.local.md';

function adopt(file = STATE, over: Partial<AdoptOrder> = {}) {
  const path = join(stage.project, file);
  const order = { path, called: file, here: stage.project, session: null, host: 'h', ...over };
  const adopted = adoptPath(order, stage.world());
  if (adopted.ok) adopted.open.close();
  return adopted;
}

describe('a hand-written file', () => {
  it('becomes a loop of the host that is named, and waits for its prompt', () => {
    put(stage, STATE, '---\nmax_iterations: 5\n---\n\nFix the bug.\n');
    expect(adopt()).toMatchObject({ ok: true, notes: [] });
    const loop = stage.loop();
    expect(loop).toMatchObject({ host: 'h', owner: null, status: { is: 'pending' } });
    expect(stage.store.ready.find(stage.project, 'Fix the bug.')).toBe(loop.id);
  });

  it('with a session it has its owner at once', () => {
    put(stage, STATE, '---\nmax_iterations: 5\n---\n\nFix the bug.\n');
    expect(adopt(STATE, { session: 's9' }).ok).toBe(true);
    expect(stage.loop().owner).toMatchObject({ session: 's9' });
    expect(stage.store.ready.find(stage.project, 'Fix the bug.')).toBeNull();
  });
});

describe('is refused, and nothing is made', () => {
  it.each([
    ['what is not there', 'not-there', null, {}],
    ['what is no loop', 'no-state', '', {}],
    [
      'a session that can be none',
      'no-session-id',
      '---\nmax_iterations: 5\n---\n\nFix.\n',
      { session: '../x' },
    ],
    ['a loop that nobody knows', 'unknown-loop', '---\nloop_id: RALPH_20260101_abcdef\n---\n\nFix.\n', {}],
  ])('%s', (_, code, content, over) => {
    if (content !== null) put(stage, STATE, content);
    expect(adopt(STATE, over)).toMatchObject({ ok: false, code });
    expect(stage.loops()).toEqual([]);
  });

  it('the view of a loop that is there', async () => {
    await stage.start('Fix.');
    expect(adopt()).toMatchObject({ ok: false, code: 'view-already' });
    const view = stage.view();
    await stage.stop(DONE);
    put(stage, 'kept.md', view);
    expect(adopt('kept.md')).toMatchObject({ ok: false, code: 'ended' });
    expect(stage.loops()).toHaveLength(1);
  });
});
