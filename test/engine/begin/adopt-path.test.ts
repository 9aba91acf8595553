/** `dacapo adopt` as a value: the loop that a file or a folder became, or why it did not. */
import { outermostOf } from '#law/loop.ts';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { adoptPath, type AdoptOrder } from '#engine/begin/adopt.ts';
import { put } from '../hearing/configured.ts';
import { DONE, Stage } from '../hearing/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = new Stage();
});

const STATE = '.claude/ralph-loop.local.md';

async function adopt(file = STATE, over: Partial<AdoptOrder> = {}) {
  const path = join(stage.project, file);
  const reopen = (id: string) => `claude --resume ${id}`;
  const place = { here: stage.project, session: null, promptFiles: [], host: 'h', reopen };
  const order = { path, called: file, ...place, ...over };
  const adopted = await adoptPath(order, stage.runtime());
  if (adopted.ok) adopted.open.close();
  return adopted;
}

describe('a hand-written file', () => {
  it('becomes a loop of the host that is named, and waits for its prompt', async () => {
    put(stage, STATE, '---\nmax_iterations: 5\n---\n\nFix the bug.\n');
    expect(await adopt()).toMatchObject({ ok: true, notes: [] });
    const loop = stage.loop();
    expect(loop).toMatchObject({ host: 'h', session: { owner: null }, status: { is: 'pending' } });
    expect(stage.store.ready.find(stage.project, 'Fix the bug.')).toBe(loop.id);
  });

  it('with a session it has its owner at once', async () => {
    put(stage, STATE, '---\nmax_iterations: 5\n---\n\nFix the bug.\n');
    expect((await adopt(STATE, { session: 's9' })).ok).toBe(true);
    expect(stage.loop().session.owner).toMatchObject({ session: 's9' });
    expect(stage.store.ready.find(stage.project, 'Fix the bug.')).toBeNull();
  });
});

describe("the official plugin's state", () => {
  const official = (fields: string) => `---\nactive: true\n${fields}\n---\n\nFix the bug.\n`;

  it('without a limit it gets fifty more iterations, wherever it is, and the person hears of it', async () => {
    put(stage, STATE, official('iteration: 210\nmax_iterations: 0\ncompletion_promise: null'));
    const adopted = await adopt();
    expect(adopted.ok && adopted.notes.join('\n')).toMatch(
      /no limit.*ends after 50 more iterations.*unlimited.*\n.*no completion promise. Here the promise is COMPLETE/,
    );
    expect(outermostOf(stage.loop())).toMatchObject({ passes: 209, iterations: 259 });
  });

  it('a promise of several lines is kept by the same words on one line', async () => {
    put(
      stage,
      STATE,
      official('iteration: 3\nmax_iterations: 9\ncompletion_promise: "cargo\n  build: 0 warnings"'),
    );
    expect((await adopt(STATE, { session: 's1' })).ok).toBe(true);
    await stage.stop('<promise>cargo build: 0 warnings</promise>');
    expect(stage.loop().status).toEqual({ is: 'completed' });
  });

  it('what had been stopped, and a session that may be over, are named', async () => {
    put(stage, STATE, official('session_id: old').replace('active: true', 'active: false'));
    const adopted = await adopt();
    expect(adopted.ok && adopted.notes.join('\n')).toMatch(/active: false[^]*claude --resume old/);
  });
});

describe('the states of tools like it', () => {
  const WIGGUM = {
    active: true,
    iteration: 9,
    minIterations: 1,
    maxIterations: 25,
    completionPromise: 'DONE',
    tasksMode: true,
    prompt: 'Build the shop.',
  };

  it('open-ralph-wiggum: limit, iteration, promise and prompt are kept, the rest is named', async () => {
    put(stage, '.ralph/ralph-loop.state.json', JSON.stringify(WIGGUM));
    const adopted = await adopt('.ralph/ralph-loop.state.json', { session: 's1' });
    expect(adopted.ok && adopted.notes).toEqual([
      'The file is the state of another tool: end its loop there first, or both will work on it.',
      'Not taken over: its tasks mode (--features FILE takes a list of tasks).',
    ]);
    expect(outermostOf(stage.loop())).toMatchObject({ passes: 8, iterations: 25 });
    await stage.stop('<promise>DONE</promise>');
    await stage.stop('<promise>DONE</promise>');
    expect(stage.loop().status).toEqual({ is: 'completed' });
  });

  it.each([
    [{ maxIterations: 0 }, 'It had no limit (max_iterations: 0). Here it ends after 50 more iterations'],
    [{ maxIterations: undefined }, 'It names no limit. Here it ends after 50 iterations.'],
    [{ completionPromise: undefined }, 'It had no completion promise. Here the promise is COMPLETE.'],
    [{ active: false }, 'It says active: false, so that tool had stopped it. Here it continues.'],
    [{ minIterations: 3 }, 'its least number of iterations (--min-iterations N)'],
  ])('%j is not a default in silence', async (fields, words) => {
    put(stage, 'state.json', JSON.stringify({ ...WIGGUM, ...fields }));
    const adopted = await adopt('state.json');
    expect(adopted.ok && adopted.notes.join(' ')).toContain(words);
  });

  it('oh-my-claudecode: its session keeps the loop', async () => {
    const state = {
      active: true,
      iteration: 2,
      max_iterations: 10,
      prompt: 'Go on.',
      _meta: { sessionId: 'c0ffee' },
    };
    put(stage, '.omc/state/ralph-state.json', JSON.stringify(state));
    const adopted = await adopt('.omc/state/ralph-state.json');
    expect(adopted.ok && adopted.notes.join(' ')).toContain('It belongs to session c0ffee');
    expect(stage.loop().session.owner).toMatchObject({ session: 'c0ffee' });
  });

  it('without a prompt it is refused', async () => {
    put(stage, 'state.json', JSON.stringify({ active: true, original_prompt: '/ralph Go on.' }));
    expect(await adopt('state.json')).toMatchObject({
      ok: false,
      message: expect.stringContaining('is not a loop: there is no prompt in it.'),
    });
  });

  it('a session of opencode is not offered, and its file is not of the official plugin', async () => {
    put(
      stage,
      '.sisyphus/ralph-loop.local.md',
      '---\nactive: true\nmax_iterations: 5\nsession_id: "ses_2x"\ncompletion_promise: "DONE"\n---\nGo on.\n',
    );
    const adopted = await adopt('.sisyphus/ralph-loop.local.md');
    expect(adopted.ok && adopted.notes).toEqual([
      'The file is the state of another tool: end its loop there first, or both will work on it.',
      'Its session ses_2x is one of another program, so the loop begins in the first session that gets its prompt.',
    ]);
    expect(stage.loop().session.owner).toBeNull();
  });
});

describe('nothing is in the usual place', () => {
  const usual = () => adopt(STATE, { isUsual: true });

  it('states that wait elsewhere are named with their commands', async () => {
    put(stage, '.sisyphus/ralph-loop.local.md', 'x');
    put(stage, '.omc/state/ralph-state.json', 'x');
    expect(await usual()).toMatchObject({
      code: 'waits-elsewhere',
      message: expect.stringMatching(
        /is not there, but \.sisyphus.*, \.omc\/state\/ralph-state\.json are\.$/,
      ),
      next: 'take one: dacapo adopt .sisyphus/ralph-loop.local.md  or  dacapo adopt .omc/state/ralph-state.json',
    });
  });

  it.each([
    ['.taskmaster/tasks/tasks.json', '{"master":{"tasks":[{"id":1,"title":"a","status":"pending"}]}}'],
    ['.kiro/specs/login/tasks.md', '- [ ] 1. a\n'],
    ['specs/001-login/tasks.md', '- [ ] T001 a\n'],
    ['.omc/prd.json', '{"userStories":[{"id":"US-1","title":"a","passes":false}]}'],
    ['.ralph/ralph-tasks.md', '- [ ] a\n'],
  ])('the list %s is named with its command', async (file, content) => {
    put(stage, file, content);
    expect(await usual()).toMatchObject({
      code: 'no-prompt-file',
      next: `say the task yourself: dacapo run "Work on the next open item of ${file}, one item a pass." --features ${file}`,
    });
  });

  it('several lists are all named', async () => {
    put(stage, 'specs/001-a/tasks.md', '- [ ] a\n');
    put(stage, 'specs/002-b/tasks.md', '- [ ] b\n');
    put(stage, 'specs/003-c/tasks.md', '- [x] c\n');
    expect(await usual()).toMatchObject({
      code: 'several-loops',
      next: expect.stringMatching(
        /--features specs\/001-a\/tasks\.md  or  .* --features specs\/002-b\/tasks\.md$/,
      ),
    });
  });

  it.each([
    [['RALPH_TASK.md'], { 'RALPH_TASK.md': '# Task\nBuild it.\n- [ ] a\n' }],
    [
      ['.ralph/CLAUDE.md', '.ralph/prd.json'],
      { '.ralph/CLAUDE.md': 'Go on.', '.ralph/prd.json': '[{"title":"a","passes":false}]' },
    ],
  ])('%j become a loop, and are named', async (files, contents) => {
    for (const [file, content] of Object.entries(contents)) put(stage, file, content);
    expect(await usual()).toMatchObject({ ok: true, files });
  });

  it('a list that can not be read is named with the reason', async () => {
    put(stage, 'feature_list.json', '{"current_engagement_features":[{"name":"a"}]}');
    expect(await usual()).toMatchObject({
      message: expect.stringMatching(
        /no file holds the task for the agent\. And feature_list\.json has no list of items .*, so the agent has to say when it is done\.$/,
      ),
      next: expect.stringContaining('--completion-promise COMPLETE'),
    });
  });
});

describe('is refused, and nothing is made', () => {
  it.each([
    ['what is not there', 'not-there', null, {}],
    ['what is not a loop', 'no-state', '', {}],
    [
      'a session that can be none',
      'no-session-id',
      '---\nmax_iterations: 5\n---\n\nFix.\n',
      { session: '../x' },
    ],
    ['a loop that nobody knows', 'unknown-loop', '---\nloop_id: RALPH_20260101_abcdef\n---\n\nFix.\n', {}],
  ])('%s', async (_, code, content, over) => {
    if (content !== null) put(stage, STATE, content);
    expect(await adopt(STATE, over)).toMatchObject({ ok: false, code });
    expect(stage.loops()).toEqual([]);
  });

  it('the view of a loop that is there', async () => {
    await stage.start('Fix.');
    expect(await adopt()).toMatchObject({ ok: false, code: 'view-already' });
    const view = stage.view();
    await stage.stop(DONE);
    put(stage, 'kept.md', view);
    expect(await adopt('kept.md')).toMatchObject({ ok: false, code: 'ended' });
    expect(stage.loops()).toHaveLength(1);
  });
});

describe('the files of other tools', () => {
  const PLAN = '- [x] a\n- [ ] b\n';

  it.each([['.ralph'], ['.ralph/PROMPT.md'], ['.ralph/fix_plan.md'], ['.'], [STATE]])(
    'named as %s, a prompt with a plan becomes a loop of the project',
    async (named) => {
      put(stage, '.ralph/PROMPT.md', 'Go on.\n');
      put(stage, '.ralph/fix_plan.md', PLAN);
      expect(await adopt(named)).toMatchObject({ ok: true });
      expect(stage.loop()).toMatchObject({ project: stage.project });
      expect(outermostOf(stage.loop()).gates).toMatchObject([
        { kind: 'features', file: '.ralph/fix_plan.md' },
      ]);
      expect(stage.store.ready.find(stage.project, 'Go on.')).toBe(stage.loop().id);
    },
  );

  it('a file that is not there is not another one', async () => {
    put(stage, '.ralph/PROMPT.md', 'Go on.\n');
    put(stage, '.ralph/fix_plan.md', PLAN);
    expect(await adopt('nowhere.md')).toMatchObject({ ok: false, code: 'not-there' });
  });

  it.each([
    [
      'two at once',
      { 'PROMPT.md': 'Go on.', 'prd.json': '{"stories":[{"title":"a","passes":false}]}' },
      'several-loops',
    ],
    ['a plan that is done', { '.ralph/fix_plan.md': '- [x] a\n' }, 'no-list'],
    ['an empty prompt', { '.ralph/PROMPT.md': '' }, 'no-prompt-file'],
  ])('%s: refused with the command to type', async (_name, files, code) => {
    for (const [file, content] of Object.entries({
      '.ralph/PROMPT.md': 'Go on.',
      '.ralph/fix_plan.md': PLAN,
      ...files,
    }))
      put(stage, file, content);
    expect(await adopt('.')).toMatchObject({ ok: false, code, next: expect.stringContaining('dacapo run ') });
    expect(stage.loops()).toEqual([]);
  });
});
