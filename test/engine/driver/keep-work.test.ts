/** What the keeper of a run keeps, and what it says where there is nothing to keep the work in. */
import { expect, test } from 'vitest';
import { DEFAULT_PLAN, type Plan } from '#law/record/plan.ts';
import type { RunEventBody } from '#engine/run-event.ts';
import { openKeeper } from '#engine/driver/keep-work.ts';
import { fileBlobs } from '#store/file/open-loop.ts';
import { running } from '../../law/given.ts';
import { Stage } from '../hearing/stage.ts';
import { temporaryFolder } from '../../store/folder.ts';

async function saidWithout(plan: Partial<Plan>): Promise<RunEventBody[]> {
  const said: RunEventBody[] = [];
  const keeper = openKeeper((what) => said.push(what), new Stage().runtime());
  const passStart = running();
  const loop = {
    ...passStart,
    project: temporaryFolder(),
    run: { ...passStart.run, plan: { ...DEFAULT_PLAN, ...plan } },
  };
  const folder = temporaryFolder();
  const open = { blobs: fileBlobs(folder), folder: () => folder, loop: () => loop };
  await keeper.begins(open);
  await keeper.begins(open);
  return said;
}

test('without a repository, once, that nothing is recorded', async () => {
  expect(await saidWithout({})).toEqual([
    {
      is: 'warning',
      text: expect.stringMatching(
        /^There is no git repository at .*\. So no iteration is recorded, and dacapo rollback can return to none\.$/,
      ),
    },
  ]);
});

test('where commits were asked for, what to do about it', async () => {
  expect(await saidWithout({ commit: 'own' })).toEqual([
    { is: 'warning', text: expect.stringContaining('leave out the options that need it') },
  ]);
});
