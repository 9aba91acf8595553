/** A start was killed right after it made its view, or in the middle: the record does not name the file. */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openToRun } from '#engine/begin/continue-loop.ts';
import { mayRemoveLoop } from '#engine/steer/prune.ts';
import { cancel } from '#engine/steer/control.ts';
import { DONE, Stage } from '../hearing/stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

const ours = () => readdirSync(join(stage.project, '.claude'));
const end = (id: string) => cancel({ id, root: '/' }, 'terminal', stage.runtime());

/** As it was before the line that names the view. */
async function killedStart(): Promise<string> {
  const { id } = await stage.start('Fix it. --completion-promise COMPLETE');
  const path = join(stage.dir(), 'journal.jsonl');
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.filter((line) => !line.includes('"type":"viewed"')).join('\n'));
  rmSync(join(stage.dir(), 'state.json'), { force: true });
  expect(stage.loop().files.view).toBeNull();
  return id;
}

it('the next stop gives the view to its loop: shown from then on, and a deletion cancels', async () => {
  await killedStart();
  await stage.stop('One.');
  expect(stage.loop().files.view).toBe(join('.claude', 'ralph-loop.local.md'));
  expect(stage.view()).toContain('iteration: 2');
  stage.deleteView();
  await stage.stop('Two.');
  expect(stage.status()).toBe('cancelled');
});

it('the end of its loop removes it, with a half-written copy', async () => {
  const id = await killedStart();
  writeFileSync(stage.path(join('.claude', '.ralph-loop.local.md.7.tmp')), '---\n# Da Capo ke');
  stage.dead.add(7);
  expect(end(id)).toMatchObject({ ok: true });
  expect(ours()).toEqual([]);
});

it('what a person has written into it stays, and is no view', async () => {
  const id = await killedStart();
  stage.write(`${stage.view()}And more.\n`);
  await stage.stop('One.');
  expect(stage.loop().files.view).toBeNull();
  expect(end(id)).toMatchObject({ ok: true });
  expect(stage.view()).toContain('And more.');
});

it('the next start removes what a killed process left, and nothing that somebody is writing', async () => {
  mkdirSync(join(stage.project, '.claude'));
  for (const writer of [7, 8])
    writeFileSync(stage.path(join('.claude', `.ralph-loop.local.md.${writer}.tmp`)), '---\n');
  stage.dead.add(7);
  await stage.start('Fix it.');
  expect(ours().toSorted()).toEqual(['.ralph-loop.local.md.8.tmp', 'ralph-loop.local.md']);
});

it('the view of a loop whose end was killed goes with the next start or prune', async () => {
  const { id } = await stage.start('Fix it. --completion-promise COMPLETE');
  const view = stage.view();
  await stage.stop(DONE);
  stage.write(view);
  await stage.start('Go on.', { session: 's2' });
  const [file, ...more] = ours();
  expect([file, ...more]).toEqual(['ralph-loop.local.md']);
  expect(stage.view()).toContain('Go on.');
  stage.write(view, { file: join('.claude', `ralph-loop.${id}.local.md`) });
  expect(mayRemoveLoop(id, stage.runtime())).toBe(true);
  expect(existsSync(stage.path(join('.claude', `ralph-loop.${id}.local.md`)))).toBe(false);
});

it('`dacapo run --loop` takes away the view of a loop whose end was killed, and refuses it', async () => {
  const { id } = await stage.start('Fix it. --completion-promise COMPLETE');
  const view = stage.view();
  await stage.stop(DONE);
  stage.write(view);
  expect(openToRun({ id, root: '/' }, stage.runtime())).toMatchObject({ ok: false });
  expect(ours()).toEqual([]);
});
