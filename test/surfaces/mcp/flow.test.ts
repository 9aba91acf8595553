/**
 * The typical flow of an agent, step by step, by the official client over stdio, in both eras of the
 * protocol.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect, ERAS, makePlace } from './server.ts';

describe.each(ERAS)('in %s', (era) => {
  it('a task is registered, begun, held, proven and completed', async () => {
    const place = makePlace();
    const { call, refused, client } = await connect(place, era);
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    const { taskId } = await call('task_create', { title: 'Add the login' });
    expect(taskId).toMatch(/^TASK-[a-z0-9]+$/);
    expect(await call('task_get', { taskId })).toMatchObject({ status: 'pending', hookCount: 0 });

    const hook = await call('hook_register', { taskId, hookType: 'default' });
    expect(hook).toEqual({
      hookId: expect.stringMatching(/^HOOK-\d+-[a-z0-9]+$/),
      taskId,
      hookType: 'default',
      enabled: true,
      metadata: {},
    });
    expect(await call('hook_list', { taskId })).toEqual({
      taskId,
      hookCount: 1,
      hooks: [{ id: hook['hookId'], enabled: true, metadata: { type: 'default' } }],
    });

    const { iterationId, ...run } = await call('iteration_start', {
      taskId,
      maxIterations: 10,
      completionPromises: ['COMPLETE', 'BLOCKED'],
    });
    expect(iterationId).toMatch(/^IT-\d+-[a-z0-9]+$/);
    expect(run).toMatchObject({ iteration: 1, maxIterations: 10 });
    expect(await call('task_get', { taskId })).toMatchObject({
      status: 'in_progress',
      loopStatus: 'running',
    });

    const held = await call('iteration_validate', { iterationId, agentOutput: 'I have looked around.' });
    expect(held).toMatchObject({ iteration: 1, completionSignal: 'CONTINUE', loopStatus: 'running' });
    expect(held['missing']).not.toEqual([]);
    expect(await refused('iteration_complete', { iterationId, completionPromise: 'DONE' })).toContain(
      'another-promise',
    );
    expect(await call('iteration_next', { iterationId })).toMatchObject({ iteration: 2 });
    expect(await refused('iteration_next', { iterationId })).toContain('not-validated');

    expect(
      await call('hook_evaluate', {
        iterationId,
        agentOutput: 'Implementation complete.\n\n<promise>COMPLETE</promise>',
        filesModified: ['login.ts'],
        draftContent: '// code',
        draftType: 'implementation',
      }),
    ).toEqual({
      hookId: hook['hookId'],
      taskId,
      iteration: 2,
      action: 'complete',
      reason: 'Agent signaled completion via <promise>COMPLETE</promise>',
      nextPrompt: null,
      checkpointCreated: false,
      metadata: {},
    });

    writeFileSync(join(place.project, 'login.ts'), 'export {};\n');
    const done = await call('iteration_validate', {
      iterationId,
      agentOutput: 'It works.\n\n<promise>COMPLETE</promise>',
    });
    expect(done).toMatchObject({
      iteration: 2,
      completionSignal: 'COMPLETE',
      missing: [],
      loopStatus: 'completed',
    });
    expect(await call('iteration_complete', { iterationId, completionPromise: 'COMPLETE' })).toMatchObject({
      status: 'completed',
      iterations: 2,
    });
    expect(await call('hook_clear', { taskId })).toEqual({ taskId, hooksCleared: 1 });
    expect(await call('task_get', { taskId })).toMatchObject({ status: 'completed', hookCount: 0 });
    const [stored] = place.store.loops();
    expect(stored?.loop?.status).toMatchObject({ is: 'completed' });
  });

  it('BLOCKED escalates, and the task is blocked', async () => {
    const { call, refused } = await connect(makePlace(), era);
    const { taskId } = await call('task_create', { title: 'Add the login' });
    await call('hook_register', { taskId, hookType: 'default' });
    const { iterationId } = await call('iteration_start', {
      taskId,
      completionPromises: ['COMPLETE', 'BLOCKED'],
    });
    expect(
      await call('iteration_validate', { iterationId, agentOutput: 'No key.\n\n<promise>BLOCKED</promise>' }),
    ).toMatchObject({ completionSignal: 'ESCALATE', loopStatus: 'escalated' });
    expect(await call('task_get', { taskId })).toMatchObject({ status: 'blocked' });
    expect(await refused('iteration_next', { iterationId })).toContain('ended');
    expect(await refused('iteration_complete', { iterationId, completionPromise: 'COMPLETE' })).toContain(
      'ended',
    );
  });
});
