/** Stop hooks and rules of a task, as an agent uses them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect, makePlace, type Place } from '../mcp/server.ts';
import { CLAIM, withTask } from './with-task.ts';

function write({ project }: Place, file: string, content = ''): void {
  writeFileSync(join(project, file), content);
}

describe('stop hooks of a task', () => {
  it('templates and chains are registered, and survive a restart of the server', async () => {
    const place = makePlace();
    const { taskId, ...first } = await withTask(place);
    const specs: [hookType: string, options: Record<string, unknown>][] = [
      ['max-files', { files: 5 }],
      ['checkpoint-every', { iterations: 2, phase: 'midpoint' }],
      ['all-of', { hooks: [{ type: 'promise' }, { type: 'validation' }] }],
      ['when', { condition: { fromIteration: 3 }, hook: { type: 'max-iterations', iterations: 4 } }],
    ];
    for (const [hookType, options] of specs)
      await first.call('hook_register', { taskId, hookType, options, metadata: { why: 'tested' } });
    await first.client.close();
    const second = await connect(place);
    expect(await second.call('hook_list', { taskId })).toMatchObject({
      hookCount: 4,
      hooks: specs.map(([type]) => ({ enabled: true, metadata: { type, why: 'tested' } })),
    });
  });

  it('a live run keeps those with which it began: clearing them makes nothing easier', async () => {
    const place = makePlace();
    const { call, taskId } = await withTask(place);
    const { hookId } = await call('hook_register', {
      taskId,
      hookType: 'all-of',
      options: { hooks: [{ type: 'promise' }, { type: 'tdd', rule: 'tests_pass' }] },
    });
    const { iterationId } = await call('iteration_start', { taskId, completionPromises: ['COMPLETE'] });
    const note = `${String(iterationId)} keeps the hooks with which it began. This counts from the next run.`;
    expect(await call('hook_clear', { taskId })).toEqual({ taskId, hooksCleared: 1, note });
    const late = { taskId, hookType: 'max-iterations', options: { iterations: 1 } };
    expect(await call('hook_register', late)).toMatchObject({ note });
    // hook_evaluate asks the same hooks: the one that was cleared, and not the one that came late.
    const said = { hookId, action: 'continue', reason: 'Tests still failing' };
    expect(await call('hook_evaluate', { iterationId, agentOutput: CLAIM })).toMatchObject(said);
    write(place, 'login.ts');
    const judged = await call('iteration_validate', { iterationId, agentOutput: CLAIM });
    expect(judged).toMatchObject({
      completionSignal: 'CONTINUE',
      hookResults: [{ state: 'answered', ...said }],
    });
  });

  it('without promises, the rules and a validation hook decide', async () => {
    const place = makePlace();
    const { call, taskId } = await withTask(place);
    await call('hook_register', { taskId, hookType: 'validation' });
    const { iterationId } = await call('iteration_start', {
      taskId,
      validationRules: [
        { name: 'is_there', type: 'file-exists', file: 'login.ts' },
        { name: 'no_todo', type: 'pattern', file: 'login.ts', pattern: 'TODO', expect: 'absent' },
        { name: 'says_so', type: 'pattern', pattern: 'finished' },
      ],
    });
    const first = await call('iteration_validate', { iterationId, agentOutput: 'I am finished.' });
    expect(first).toMatchObject({ completionSignal: 'CONTINUE' });
    expect(first['validationResults']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ruleName: 'is_there', passed: false, message: 'login.ts is not there' }),
        expect.objectContaining({ ruleName: 'says_so', passed: true }),
      ]),
    );
    write(place, 'login.ts', 'export {};\n');
    expect(await call('iteration_validate', { iterationId, agentOutput: 'I am finished.' })).toMatchObject({
      completionSignal: 'COMPLETE',
      hookResults: [{ state: 'answered', action: 'complete' }],
    });
  });

  it('rules are understood in the spellings that models use', async () => {
    const place = makePlace();
    const { call, taskId } = await withTask(place);
    const { iterationId } = await call('iteration_start', {
      taskId,
      completionPromises: ['COMPLETE'],
      validationRules: [
        { name: 'a', type: 'file_exists', path: 'login.ts' },
        { name: 'b', type: 'fileExists', file: 'login.ts' },
      ],
    });
    write(place, 'login.ts');
    const { validationResults } = await call('iteration_validate', { iterationId, agentOutput: 'Half.' });
    expect(validationResults).toMatchObject([
      { ruleName: 'a', passed: true },
      { ruleName: 'b', passed: true },
    ]);
  });

  it('a command of a rule runs only if the user allows it, and only on a claim', async () => {
    const place = makePlace();
    const command = "node -e \"require('fs').appendFileSync('ran', '.')\"";
    mkdirSync(place.home, { recursive: true });
    writeFileSync(join(place.home, 'config.json'), JSON.stringify({ rules: { commands: [command] } }));
    const { call, taskId } = await withTask(place);
    const { iterationId } = await call('iteration_start', {
      taskId,
      completionPromises: ['COMPLETE'],
      validationRules: [{ name: 'tests_pass', type: 'command', command }],
    });
    const results = async (agentOutput: string) =>
      (await call('iteration_validate', { iterationId, agentOutput }))['validationResults'];
    expect(await results('Not yet.')).toEqual(
      expect.arrayContaining([expect.objectContaining({ ruleName: 'tests_pass', notRun: true })]),
    );
    expect(await results(CLAIM)).toEqual(
      expect.arrayContaining([expect.objectContaining({ ruleName: 'tests_pass', passed: true })]),
    );
    expect(await call('task_get', { taskId })).toMatchObject({ status: 'completed' });
  });

  it('the iterations are used up: ESCALATE, and the task is blocked', async () => {
    const { call, taskId } = await withTask(makePlace());
    const { iterationId } = await call('iteration_start', { taskId, maxIterations: 2 });
    const signal = async (agentOutput: string) =>
      (await call('iteration_validate', { iterationId, agentOutput }))['completionSignal'];
    expect([await signal('One.'), await signal('Two.')]).toEqual(['CONTINUE', 'ESCALATE']);
    expect(await call('task_get', { taskId })).toMatchObject({ status: 'blocked', loopStatus: 'exhausted' });
  });
});
