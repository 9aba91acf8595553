/** hook_evaluate and iteration_validate are one evaluation: the same hooks, task and words. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pinConfig } from '#evidence/proofs/stop-hooks/config-file.ts';
import { makePlace, type Place } from '../mcp/server.ts';
import { withTask } from './with-task.ts';

const CONFIG = 'dacapo.config.mjs';

/** A config with this hook, as `dacapo trust` leaves it. */
function trustHook({ project, store }: Place, hook: string): void {
  writeFileSync(join(project, CONFIG), `export default { hooks: [{ name: 'own', hook: ${hook} }] };\n`);
  const pinned = pinConfig(project, CONFIG);
  if (!pinned.ok) throw new Error(pinned.message);
  store.trust.keep({ ...pinned, project, file: CONFIG, at: new Date().toISOString() });
}

it('a hook of the config is told the same task by both', async () => {
  const place = makePlace();
  const log = join(place.home, 'seen.txt');
  trustHook(
    place,
    `({ taskId }) => { process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(log)}, taskId + '\\n'); return { action: 'continue', reason: 'seen' }; }`,
  );
  const { call, taskId } = await withTask(place);
  const { iterationId } = await call('iteration_start', { taskId, completionPromises: ['COMPLETE'] });
  await call('hook_evaluate', { iterationId, agentOutput: 'x' });
  await call('iteration_validate', { iterationId, agentOutput: 'x' });
  expect(readFileSync(log, 'utf8')).toBe(`${String(taskId)}\n${String(taskId)}\n`);
});

it('a hook that throws: its error is in the metadata', async () => {
  const place = makePlace();
  trustHook(place, "() => { throw new Error('kaput'); }");
  const { call, taskId } = await withTask(place);
  const { iterationId } = await call('iteration_start', { taskId, completionPromises: ['COMPLETE'] });
  expect(await call('hook_evaluate', { iterationId })).toMatchObject({
    hookId: 'own',
    action: 'escalate',
    reason: 'Hook evaluation failed: kaput',
    metadata: { error: 'kaput' },
  });
});

it('both give the words of a hook as it said them, also when it and the promise disagree', async () => {
  const { call, taskId } = await withTask(makePlace());
  await call('hook_register', { taskId, hookType: 'default' });
  const { iterationId } = await call('iteration_start', {
    taskId,
    completionPromises: ['COMPLETE', 'BLOCKED'],
  });
  const agentOutput = '<promise>COMPLETE</promise>\n\n<promise>BLOCKED</promise>';
  const said = { action: 'complete', reason: 'Agent signaled completion via <promise>COMPLETE</promise>' };
  expect(await call('hook_evaluate', { iterationId, agentOutput })).toMatchObject(said);
  // The hook is one gate. The promise is another, and a message that says both keeps neither.
  expect(await call('iteration_validate', { iterationId, agentOutput })).toMatchObject({
    completionSignal: 'CONTINUE',
    hookResults: [said],
  });
});
