/** `dacapo adopt` as a value: the loop that a file or a folder became, or why it did not. */
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { adoptPath, type AdoptOrder } from '../../src/operations/begin/adopt.ts';
import { put } from '../hearing/configured.ts';
import { DONE, Stage } from '../hearing/stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

const STATE = '.claude/ralph-loop.local.md';

function adopt(file = STATE, over: Partial<AdoptOrder> = {}) {
  const path = join(stage.project, file);
  const order = {
    path,
    called: file,
    here: stage.project,
    session: null,
    promptFiles: [],
    host: 'h',
    ...over,
  };
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

describe("the official plugin's state", () => {
  const official = (fields: string) => `---\nactive: true\n${fields}\n---\n\nFix the bug.\n`;

  it('without a limit it gets fifty more iterations, wherever it is, and the person hears of it', () => {
    put(stage, STATE, official('iteration: 210\nmax_iterations: 0\ncompletion_promise: null'));
    const adopted = adopt();
    expect(adopted.ok && adopted.notes.join('\n')).toMatch(
      /no limit.*ends after 50 more iterations.*unlimited.*\n.*no completion promise. Here the promise is COMPLETE/,
    );
    expect(stage.loop().frames[0]).toMatchObject({ passes: 209, iterations: 259 });
  });

  it('a promise of several lines is kept by the same words on one line', async () => {
    put(
      stage,
      STATE,
      official('iteration: 3\nmax_iterations: 9\ncompletion_promise: "cargo\n  build: 0 warnings"'),
    );
    expect(adopt(STATE, { session: 's1' }).ok).toBe(true);
    await stage.stop('<promise>cargo build: 0 warnings</promise>');
    expect(stage.loop().status).toEqual({ is: 'completed' });
  });

  it('what had been stopped, and a session that may be over, are named', () => {
    put(stage, STATE, official('session_id: old').replace('active: true', 'active: false'));
    const adopted = adopt();
    expect(adopted.ok && adopted.notes.join('\n')).toMatch(/active: false[^]*claude --resume old/);
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

describe('the files of other tools', () => {
  const PLAN = '- [x] a\n- [ ] b\n';

  it.each([['.ralph'], ['.ralph/PROMPT.md'], ['.ralph/fix_plan.md'], ['.'], [STATE]])(
    'named as %s, a prompt with a plan becomes a loop of the project',
    (named) => {
      put(stage, '.ralph/PROMPT.md', 'Go on.\n');
      put(stage, '.ralph/fix_plan.md', PLAN);
      expect(adopt(named)).toMatchObject({ ok: true });
      expect(stage.loop()).toMatchObject({ project: stage.project });
      expect(stage.loop().frames[0]?.gates).toMatchObject([{ kind: 'features', file: '.ralph/fix_plan.md' }]);
      expect(stage.store.ready.find(stage.project, 'Go on.')).toBe(stage.loop().id);
    },
  );

  it('a file that is not there is not another one', () => {
    put(stage, '.ralph/PROMPT.md', 'Go on.\n');
    put(stage, '.ralph/fix_plan.md', PLAN);
    expect(adopt('nowhere.md')).toMatchObject({ ok: false, code: 'not-there' });
  });

  it.each([
    [
      'two at once',
      { 'PROMPT.md': 'Go on.', 'prd.json': '{"stories":[{"title":"a","passes":false}]}' },
      'several-loops',
    ],
    ['a plan that is done', { '.ralph/fix_plan.md': '- [x] a\n' }, 'no-list'],
    ['an empty prompt', { '.ralph/PROMPT.md': '' }, 'no-prompt-file'],
  ])('%s: refused with the command to type', (_name, files, code) => {
    for (const [file, content] of Object.entries({
      '.ralph/PROMPT.md': 'Go on.',
      '.ralph/fix_plan.md': PLAN,
      ...files,
    }))
      put(stage, file, content);
    expect(adopt('.')).toMatchObject({ ok: false, code, next: expect.stringContaining('dacapo run ') });
    expect(stage.loops()).toEqual([]);
  });
});
