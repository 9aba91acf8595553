/** A view that can't be written is told to the person in the session, once, and stops nothing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Stage, toPerson } from './stage.ts';

const VIEWS = ['', ' --view progress', ' --view vault', ' --view stack'];

it.each(VIEWS)('told with the start, then never again: %j', async (flags) => {
  const stage = new Stage();
  // A file where each view wants a folder: nobody can write below it, root neither.
  for (const folder of ['.claude', 'AI_Employee_Vault']) writeFileSync(join(stage.project, folder), 'mine');
  const said = toPerson(await stage.command('start', `Fix the bug.${flags}`));
  expect(said).toMatch(/ started\. /);
  expect(said?.match(/^Note: .*can't be written \(.*\); the loop continues without it\.$/gm)).toHaveLength(1);
  const stop = await stage.stop('Not yet.');
  expect(stop.is).toBe('continue');
  expect(toPerson(stop)).not.toContain("can't be written");
});

it('told with the stop at which it happens', async () => {
  const stage = new Stage();
  await stage.start('Fix the bug.');
  // In the way of the process that writes the view.
  mkdirSync(join(stage.project, '.claude', `.ralph-loop.local.md.${process.pid}.tmp`));
  expect(toPerson(await stage.stop('Not yet.'))).toMatch(
    /^Note: \.claude\/ralph-loop\.local\.md can't be written/m,
  );
  expect(toPerson(await stage.stop('Not yet.'))).not.toContain("can't be written");
});
