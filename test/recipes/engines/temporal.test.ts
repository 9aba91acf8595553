// @module-tag postgres
// @module-tag nodes
/**
 * The recipe for Temporal: the activity is checked against the types of its SDK, and run in the SDK's own
 * environment for activities. Whole workflows need a server, which npm does not have.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { installedHost } from '../../../scripts/test/hosts.mjs';
import { ENGINES, openRecipeStage, type RecipeStage } from './recipe-stage.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const WORK = { ref: 'main', check: 'test -e x.txt' };

/** Runs the activity once, as one try of a workflow's run. Once the file `cancel` is there, it is cancelled. */
const PROGRAM = `
import { existsSync } from 'node:fs';
import { MockActivityEnvironment } from '@temporalio/testing';
import { runLoop } from './activities.mjs';
const { runId, order, cancel } = JSON.parse(process.argv[2]);
const environment = new MockActivityEnvironment({ workflowExecution: { workflowId: 'nightly', runId } });
let beats = 0;
environment.on('heartbeat', () => beats++);
if (cancel) setInterval(() => existsSync(cancel) && environment.cancel(), 50).unref();
const told = await environment.run(runLoop, order).then(
  ({ id }) => ({ id, beats }),
  ({ name, type, nonRetryable, message }) => ({ name, type, nonRetryable, message, beats }),
);
console.log(JSON.stringify(told));
process.exit(0);
`;

test('a loop as an activity of Temporal', { timeout: 240_000 }, async () => {
  const recipe = await openRecipeStage();
  const { stage } = recipe;
  await openSdk(recipe);
  const run = async (runId: string, more: object, cancel?: string) => {
    const order = { ...WORK, repo: stage.repo, ...more };
    const given = JSON.stringify({ runId, order, cancel });
    const running = recipe.start(process.execPath, ['program.mjs', given], { DACAPO_FLEET: stage.url });
    const code = await running.code;
    const line = running.said().trim().split('\n').at(-1) ?? '';
    if (code !== 0 || !line.startsWith('{')) throw new Error(running.said());
    return JSON.parse(line) as Record<string, unknown>;
  };
  await stage.worker('w1', ['--capacity', '3']);
  const done = await run('run-1', { prompt: 'Work.\ndo: echo x > x.txt' });
  expect(done).toMatchObject({ id: expect.any(String) });
  expect(done['beats']).toBeGreaterThan(0);
  // Temporal tries again, although the loop has ended: it finds the same one.
  expect(await run('run-1', { prompt: 'Work.\ndo: echo x > x.txt' })).toMatchObject({ id: done['id'] });
  const begun = join(stage.root, 'begun');
  const prompt = `Work.\ndo: touch ${begun}; sleep 300`;
  expect(await run('run-2', { prompt }, begun)).toMatchObject({ name: 'CancelledFailure' });
  const loops = await stage.sql('select status from dacapo.loop order by submitted_at');
  expect(loops).toEqual([{ status: 'completed' }, { status: 'cancelled' }]);
  // An end that another try would only repeat.
  await stage.sql(`update dacapo.loop set status = 'exhausted', report = report || '{"status": "exhausted"}'
    where status = 'completed'`);
  expect(await run('run-1', { prompt: 'Work.\ndo: echo x > x.txt' })).toMatchObject({
    type: 'LoopUndone',
    nonRetryable: true,
  });
});

/** The activity beside the SDK as npm has installed it, after a look at its types. */
async function openSdk({ stage: { root } }: RecipeStage): Promise<void> {
  const sdk = installedHost('temporal');
  if (sdk.program === undefined) throw new Error(sdk.missing);
  const modules = sdk.program.slice(0, sdk.program.indexOf('/@temporalio/'));
  symlinkSync(modules, join(root, 'node_modules'));
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  copyFileSync(join(ENGINES, 'temporal/activities.ts'), join(root, 'activities.ts'));
  writeFileSync(join(root, 'program.mjs'), PROGRAM);
  const own = join(ROOT, 'node_modules');
  const types = ['--typeRoots', join(own, '@types'), '--types', 'node'];
  const strict = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
  const tsc = join(own, 'typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, ...strict, ...types, 'activities.ts'], { cwd: root });
  await build({
    entryPoints: [join(root, 'activities.ts')],
    outfile: join(root, 'activities.mjs'),
    format: 'esm',
    logLevel: 'error',
  });
}
