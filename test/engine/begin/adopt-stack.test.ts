/** A stack that idle-loop began: every frame is taken, and goes on as if it had been nested here. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Mode } from '#law/record/definition.ts';
import { framesOf, outermostOf, MAX_FRAMES, type Loop } from '#law/loop.ts';
import { CLAIMS } from '#law/gates.ts';
import { adopt } from '#engine/begin/adopt.ts';
import { importLoop } from '#evidence/views/import.ts';
import type { Imported } from '#evidence/views/imported.ts';
import { readPromptText } from '#store/prompts.ts';
import { readStackState, renderStack } from '#evidence/views/stack/format.ts';
import { putJwz } from '../../evidence/views/jwz.ts';
import { DONE, Stage, toAgent, toPerson } from '../hearing/stage.ts';

interface Given {
  readonly mode?: string | null;
  readonly iter?: number | string | null;
  readonly max?: number | null;
  readonly prompt_file?: string | null;
  readonly [other: string]: unknown;
}

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

/** What stands in `state.json`, with the prompt of frame n in `task-n.txt` where it names no other. */
function find(frames: readonly Given[]): ReturnType<typeof importLoop> {
  const stack = frames.map((frame, k) => {
    stage.write(`Task ${k + 1}.\n`, { file: `task-${k + 1}.txt` });
    return { id: `loop-${k + 1}`, prompt_file: `task-${k + 1}.txt`, ...frame };
  });
  const state = { schema: 1, event: 'STATE', run_id: 'loop-1', updated_at: stage.now(), stack };
  writeFileSync(stage.path('state.json'), JSON.stringify(state));
  return importLoop(stage.path('state.json'), stage.project, stage.runtime());
}

function found(frames: readonly Given[]): Imported {
  const imported = find(frames);
  if (!imported.ok) throw new Error(JSON.stringify(imported));
  return imported;
}

/** By this session, or (`ready`) by the first that gives its prompt. */
async function taken(frames: readonly Given[]): Promise<Loop> {
  const adopted = await adopt(found(frames), stage.from(), 'claude-code', stage.runtime());
  if (adopted.is !== 'started') throw new Error(JSON.stringify(adopted));
  adopted.open.close();
  return adopted.open.loop();
}

function why(frames: readonly Given[]): string {
  const refused = find(frames);
  if (refused.ok) throw new Error('it was not refused');
  return refused.message;
}

const shape = (loop: Loop) =>
  framesOf(loop).map(({ mode, passes, iterations }) => [mode, passes + 1, iterations]);
const SAID = (line: string) => `Words.\n\n${line}`;
const GRIND = { mode: 'grind', iter: 4, max: 100 };
const ISSUE = { mode: 'issue', iter: 3, max: 10 };
const LOOP = { mode: 'loop', iter: 2, max: 5 };

describe('a stack of several frames', () => {
  it('is taken whole, the outermost first, each frame with its mode, iteration, maximum and task', async () => {
    const loop = await taken([GRIND, ISSUE, LOOP]);
    expect(shape(loop)).toEqual([
      ['grind', 4, 100],
      ['issue', 3, 10],
      ['loop', 2, 5],
    ]);
    const tasks = framesOf(loop).map(({ prompt }) => readPromptText(stage.blobs(), prompt));
    expect(tasks).toEqual(['Task 1.', 'Task 2.', 'Task 3.']);
    expect(framesOf(loop).map(({ gates }) => gates)).toEqual(Array(3).fill([{ kind: 'signal' }]));
  });

  it('may begin with a byte order mark', () => {
    find([{ mode: 'loop' }]);
    const path = stage.path('state.json');
    writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8')}`);
    expect(importLoop(path, stage.project, stage.runtime())).toMatchObject({
      ok: true,
      project: stage.project,
    });
  });

  it('has the innermost at work, and each signal pops one, in the same stop, to the task around it', async () => {
    await taken([GRIND, ISSUE, LOOP]);
    expect(toAgent(await stage.stop('Not yet.'))).toContain('iteration 3 of 5');
    const issue = await stage.stop(SAID(CLAIMS.loop));
    expect(issue.is).toBe('continue');
    expect(toAgent(issue)).toContain('Task 2.');
    expect(toAgent(issue)).toContain('Back to the task around it: iteration 3 of 10');
    expect(shape(stage.loop())).toEqual([
      ['grind', 4, 100],
      ['issue', 3, 10],
    ]);
    expect(toAgent(await stage.stop(SAID(CLAIMS.issue)))).toContain('Task 1.');
    expect(shape(stage.loop())).toEqual([['grind', 4, 100]]);
    expect(toPerson(await stage.stop(SAID(CLAIMS.grind)))).toContain('1 of 1 inner task completed');
    expect(stage.status()).toBe('completed');
  });

  it('counts a signal only in a frame of its mode', async () => {
    await taken([GRIND, ISSUE]);
    for (const line of [CLAIMS.grind, '<grind-done>MAX_ISSUES</grind-done>', '<promise>COMPLETE</promise>'])
      expect(toAgent(await stage.stop(SAID(line)))).toContain(CLAIMS.issue);
    expect(shape(stage.loop())).toEqual([
      ['grind', 4, 100],
      ['issue', 6, 10],
    ]);
    // As in idle-loop: an issue frame knows the signals of a loop as well.
    await stage.stop(SAID(CLAIMS.loop));
    expect(shape(stage.loop())).toEqual([['grind', 4, 100]]);
    expect((await stage.stop(SAID(CLAIMS.issue))).is).toBe('continue');
    expect(shape(stage.loop())).toEqual([['grind', 5, 100]]);
  });

  it.each([
    ['STUCK', '<loop-done>STUCK</loop-done>', 'escalate'],
    ['MAX_ITERATIONS', '<loop-done>MAX_ITERATIONS</loop-done>', 'exhaust'],
  ])('%s in an inner frame pops it with that outcome', async (_name, line, outcome) => {
    await taken([GRIND, ISSUE]);
    expect((await stage.stop(SAID(line))).is).toBe('continue');
    expect(outermostOf(stage.loop()).inner).toMatchObject({ [outcome]: 1, iterations: 3 });
  });

  it('has exactly the passes that are left of its maximum', async () => {
    await taken([LOOP, { ...ISSUE, iter: 10 }]);
    const back = await stage.stop('Not yet.');
    expect(toAgent(back)).toContain('max iterations reached');
    expect(shape(stage.loop())).toEqual([['loop', 2, 5]]);
    for (let left = 3; left > 0; left--) expect((await stage.stop(`Not yet ${left}.`)).is).toBe('continue');
    await stage.stop('Nor now.');
    expect(stage.loop().status).toEqual({ is: 'exhausted', limit: 'iterations' });
  });

  it('shows all its frames in the topic, and reads back the same', async () => {
    stage.env = { PATH: putJwz(join(stage.project, '..', 'bin')) };
    const loop = await taken([GRIND, ISSUE]);
    expect(loop.files.views).toEqual([{ kind: 'stack', file: 'loop:current' }]);
    expect(readStackState(renderStack(loop, ({ prompt }) => prompt))).toMatchObject({
      frames: [
        { mode: 'grind', iteration: 4, iterations: 100 },
        { mode: 'issue', iteration: 3, iterations: 10 },
      ],
    });
  });

  it('is the same in the journal: a fold from the beginning knows every count', async () => {
    await taken([GRIND, ISSUE]);
    await stage.stop('Not yet.');
    const before = stage.loop();
    writeFileSync(join(stage.dir(), 'state.json'), '');
    expect(stage.loop()).toEqual(before);
  });

  it('whatever its modes, iterations and limits are', async () => {
    const frame = fc
      .record({
        mode: fc.constantFrom<Mode>('loop', 'issue', 'grind'),
        iter: fc.integer({ min: 1, max: 1_000 }),
        left: fc.option(fc.nat(1_000)),
      })
      .map(({ mode, iter, left }) => ({ mode, iter, max: left === null ? 999_999_999 : iter + left }));
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: MAX_FRAMES }), async (frames) => {
        stage = new Stage();
        expect(shape(await taken(frames))).toEqual(
          frames.map(({ mode, iter, max }) => [mode, iter, max === 999_999_999 ? null : max]),
        );
      }),
      { numRuns: 25 },
    );
  });
});

describe('one frame', () => {
  it.each<Mode>(['loop', 'issue', 'grind'])(
    'of mode %s is claimed by its signal, not by a promise',
    async (mode) => {
      const loop = await taken([{ mode, iter: 2, max: 10 }]);
      expect(loop.frame).toMatchObject({ mode, gates: [{ kind: 'signal' }], passes: 1 });
      expect((await stage.stop(DONE)).is).toBe('continue');
      await stage.stop(SAID(CLAIMS[mode]));
      expect(stage.status()).toBe('completed');
    },
  );

  it('in the fallback file is claimed by the signal of its mode as well', async () => {
    const file = join('.claude', 'idle-loop.local.md');
    stage.write('---\nactive: true\nmode: issue\niteration: 2\n---\nFix it.\n', { file });
    const imported = importLoop(stage.path(file), stage.project, stage.runtime());
    if (!imported.ok) throw new Error(JSON.stringify(imported));
    await adopt(imported, stage.from(), 'claude-code', stage.runtime());
    expect(shape(stage.loop())).toEqual([['issue', 2, 10]]);
    await stage.stop(SAID(CLAIMS.issue));
    expect(stage.status()).toBe('completed');
  });
});

describe('fields that are missing or null', () => {
  it('have the defaults of idle-loop, in every frame', async () => {
    const nothing = { mode: null, iter: null, max: null };
    expect(shape(await taken([{}, { mode: 'grind' }, nothing]))).toEqual([
      ['loop', 1, 10],
      ['grind', 1, 100],
      ['loop', 1, 10],
    ]);
  });

  it('an iteration 0 is the first', async () => {
    expect(shape(await taken([{ iter: 0 }, { iter: '0' }]))).toEqual([
      ['loop', 1, 10],
      ['loop', 1, 10],
    ]);
  });
});

describe('what has no place here is said', () => {
  it('a mode that is none, and fields that nobody knows, frame by frame', () => {
    expect(found([{ ...GRIND, issue_id: 7, worktree: '/tmp/w' }, { mode: 'review' }]).notes).toEqual([
      'Frame 1 of its stack also says issue_id, worktree: that means nothing here; it is only in the copy.',
      'Frame 2 of its stack also says mode "review": that means nothing here; it is only in the copy. Its mode is taken for loop.',
    ]);
    expect(found([GRIND, ISSUE]).notes).toEqual([]);
  });

  it('a frame without a task that can be read is refused by its number', () => {
    expect(why([{ ...GRIND, prompt_file: null }, ISSUE])).toMatch(
      /^frame 1 of 2 of .*state\.json has no prompt\.$/,
    );
    expect(why([GRIND, { ...ISSUE, prompt_file: 'nowhere.txt' }])).toMatch(
      /^frame 2 of 2 of .* has its prompt in nowhere\.txt, which is not there\.$/,
    );
    stage.write('\n', { file: 'empty.txt' });
    expect(why([{ ...LOOP, prompt_file: 'empty.txt' }])).toMatch(
      /state\.json has its prompt in empty\.txt, which is empty\.$/,
    );
    expect(stage.loops()).toEqual([]);
  });

  it('a frame without an iteration left is refused by its number', () => {
    expect(why([{ ...GRIND, iter: 101 }, ISSUE])).toMatch(
      /^frame 1 of 2 of .* is at iteration 101 of 100: none is left\.$/,
    );
  });

  it('a stack that is deeper than a loop here can be is refused', async () => {
    expect(why(Array(MAX_FRAMES + 1).fill(LOOP))).toMatch(/ has 9 nested frames, the maximum here is 8\.$/);
    expect(shape(await taken(Array(MAX_FRAMES).fill(LOOP)))).toHaveLength(MAX_FRAMES);
  });
});
