/** An iteration may take several tries, and a person may work between them: whose files its commit has. */
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_PLAN } from '#law/record/plan.ts';
import type { Event } from '#law/record/events.ts';
import type { RunEventBody } from '#engine/run-event.ts';
import { openKeeper } from '#engine/driver/keep-work.ts';
import { fileBlobs } from '#store/file/open-loop.ts';
import { keepPrompt } from '#store/prompts.ts';
import { running } from '../../law/given.ts';
import { git, put, repository } from '../../evidence/git/repository.ts';
import { Stage } from '../hearing/stage.ts';
import { temporaryFolder } from '../../store/folder.ts';

function stage() {
  const project = repository();
  const folder = temporaryFolder();
  const blobs = fileBlobs(folder);
  const base = running({ prompt: keepPrompt(blobs, 'Write a poem.\nOf two lines.') });
  const begun = {
    ...base,
    project,
    run: { ...base.run, plan: { ...DEFAULT_PLAN, commit: 'own' as const } },
  };
  let passes = 0;
  const written: Event[] = [];
  const loop = () => ({ ...begun, frame: { ...begun.frame, passes } });
  const open = {
    blobs,
    folder: () => folder,
    loop,
    write: (event: Event) => {
      written.push(event);
      return loop();
    },
    keep: () => undefined,
  };
  const said: RunEventBody[] = [];
  return {
    project,
    open,
    said,
    written,
    /** Each process has a keeper of its own. */
    keeper: () => openKeeper((what) => said.push(what), new Stage().runtime()),
    isJudged: () => passes++,
  };
}

test('what broken-off tries wrote is the loop’s, what a person wrote between them is not', async () => {
  const { project, open, said, written, keeper, isJudged } = stage();
  put(project, 'a.txt', 'mine before\n');
  const first = keeper();
  await first.begins(open);
  put(project, 'half.txt', 'half\n');
  await first.brokenOff(open);
  put(project, 'mine.txt', 'mine\n');
  const second = keeper();
  await second.begins(open);
  put(project, 'half.txt', 'half, and more\n');
  put(project, 'quarter.txt', 'a quarter\n');
  // A fault: tried again by the same process.
  await second.brokenOff(open);
  put(project, 'quarter.txt', 'a quarter, and mine\n');
  await second.begins(open);
  for (const name of ['whole.txt', 'mine.txt', 'quarter.txt', 'a.txt']) put(project, name, 'by the agent\n');
  isJudged();
  await second.ended(open, 'Done.');
  await second.brokenOff(open);
  expect(git(project, 'show', '--format=%B', '--name-only')).toBe(
    `Write a poem. (iteration 1)\n\nDone.\n\nDa-Capo-Loop: ${open.loop().id}\nDa-Capo-Iteration: 1\n\n\nhalf.txt\nwhole.txt\n`,
  );
  expect(said).toEqual([
    {
      is: 'warning',
      text: expect.stringMatching(
        /^not committed, because they had changed before this iteration began: a\.txt, mine\.txt, quarter\.txt\. .* --commit-all$/,
      ),
    },
    { is: 'committed', sha: git(project, 'rev-parse', 'HEAD').trim(), files: 2 },
  ]);
  const commit = git(project, 'rev-parse', 'HEAD').trim();
  expect(written).toMatchObject([{ type: 'recorded', iteration: 1, commit, onBranch: true }]);
  const point: unknown = JSON.parse(readFileSync(join(open.folder(), 'points/1.json'), 'utf8'));
  expect(point).toMatchObject({ head: commit, work: 'Write a poem.' });
});

test('a pass that follows at once begins where the last one ended, and a later one looks again', async () => {
  const { project, open, keeper, isJudged } = stage();
  const points = () => readdirSync(join(open.folder(), 'points')).toSorted();
  const one = keeper();
  await one.begins(open);
  put(project, 'first.txt', 'by the agent\n');
  isJudged();
  await one.ended(open, 'Done.');
  put(project, 'meanwhile.txt', 'mine\n');
  await one.begins(open);
  expect(points()).toEqual(['0.json', '1.json']);
  put(project, 'second.txt', 'by the agent\n');
  isJudged();
  await one.ended(open, 'Done.');
  expect(git(project, 'show', '--format=', '--name-only')).toBe('meanwhile.txt\nsecond.txt\n');
  await new Promise((later) => setTimeout(later, 300));
  put(project, 'mine.txt', 'mine\n');
  await one.begins(open);
  put(project, 'third.txt', 'by the agent\n');
  isJudged();
  await one.ended(open, 'Done.');
  expect(git(project, 'show', '--format=', '--name-only')).toBe('third.txt\n');
  expect(points()).toEqual(['0.json', '1.json', '2.json', '3.json']);
});

test('an iteration that committed nothing is recorded, and not as a commit', async () => {
  const { project, open, written, keeper, isJudged } = stage();
  const one = keeper();
  await one.begins(open);
  isJudged();
  await one.ended(open, 'Done.');
  expect(git(project, 'log', '--format=%s')).toBe('First\n');
  expect(written).toMatchObject([{ type: 'recorded', iteration: 1, onBranch: false }]);
});

test('what git refused to commit is in the next commit, without what a person changed meanwhile', async () => {
  const { project, open, said, keeper, isJudged } = stage();
  const one = keeper();
  put(project, '.git/rebase-merge/x', '');
  await one.begins(open);
  put(project, 'poem.txt', 'one\n');
  isJudged();
  await one.ended(open, 'Done.');
  expect(said).toEqual([
    { is: 'warning', text: expect.stringContaining('in the middle of a rebase. Finish it') },
  ]);
  await new Promise((later) => setTimeout(later, 300));
  put(project, 'mine.txt', 'mine\n');
  rmSync(join(project, '.git/rebase-merge'), { recursive: true });
  await one.begins(open);
  put(project, 'poem.txt', 'one\ntwo\n');
  isJudged();
  await one.ended(open, 'Done.');
  expect(git(project, 'show', '--format=', '--name-only')).toBe('poem.txt\n');
  await one.begins(open);
  put(project, 'poem.txt', 'one\ntwo\nthree\n');
  isJudged();
  await one.ended(open, 'Done.');
  expect(git(project, 'show', '--format=', '-U0', 'poem.txt')).toMatch(/\n\+three\n$/);
});

test('a loop that ends says since when nothing could be committed', async () => {
  const { project, open, said, keeper, isJudged } = stage();
  const one = keeper();
  put(project, '.git/rebase-merge/x', '');
  for (const line of ['one\n', 'two\n']) {
    await one.begins(open);
    put(project, 'poem.txt', line);
    isJudged();
    await one.ended(open, 'Done.');
  }
  expect(said).toHaveLength(1);
  await one.begins(open);
  isJudged();
  const status = { is: 'exhausted', limit: 'iterations' } as const;
  await one.ended({ ...open, loop: () => ({ ...open.loop(), status }) }, 'Done.');
  expect(said.at(-1)).toEqual({
    is: 'warning',
    text: 'not committed: the work since iteration 1. The repository is in the middle of a rebase.',
  });
});

test('a commit on another branch than the last one is pointed out', async () => {
  const { project, open, said, keeper, isJudged } = stage();
  const one = keeper();
  const branch = git(project, 'branch', '--show-current').trim();
  for (const [name, move] of [
    ['a.txt', []],
    ['b.txt', ['checkout', '-q', '-b', 'elsewhere']],
    ['c.txt', ['checkout', '-q', '--detach']],
  ] as const) {
    await one.begins(open);
    put(project, name, 'by the agent\n');
    if (move.length > 0) git(project, ...move);
    isJudged();
    await one.ended(open, 'Done.');
  }
  expect(said.filter(({ is }) => is === 'warning')).toEqual([
    { is: 'warning', text: `this commit is on branch elsewhere; the one before it is on ${branch}` },
    { is: 'warning', text: 'this commit is on no branch; the one before it is on elsewhere' },
  ]);
});
