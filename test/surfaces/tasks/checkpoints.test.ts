/** Checkpoints of a task: of tools and of stop hooks. */
import { describe, expect, it } from 'vitest';
import { makePlace } from '../mcp/server.ts';
import { CLAIM, withTask } from './with-task.ts';

describe('checkpoints of a task', () => {
  it('are kept with the hooks, listed with those of hooks, and bring cleared hooks back', async () => {
    const { call, taskId } = await withTask(makePlace());
    const { hookId } = await call('hook_register', { taskId, hookType: 'promise' });
    await call('hook_register', { taskId, hookType: 'checkpoint-at', options: { iteration: 1 } });
    const { iterationId } = await call('iteration_start', { taskId, completionPromises: ['COMPLETE'] });
    await call('iteration_validate', { iterationId, agentOutput: 'Not yet.' });
    const made = await call('checkpoint_create', {
      taskId,
      executionPhase: 'testing',
      executionStep: 2,
      agentContext: { left: ['the form'] },
    });
    expect(made).toMatchObject({
      checkpointId: expect.stringMatching(/^CP-\d+-/),
      iteration: 2,
      executionPhase: 'testing',
      hookId: null,
    });
    const { checkpoints } = await call('checkpoint_list', { taskId });
    expect(checkpoints).toMatchObject([
      { iteration: 1, executionPhase: 'midpoint' },
      { checkpointId: made['checkpointId'], data: { agentContext: { left: ['the form'] } } },
    ]);
    await call('hook_clear', { taskId });
    const resumed = await call('checkpoint_resume', { taskId, checkpointId: made['checkpointId'] });
    expect(resumed).toMatchObject({ executionPhase: 'testing', iterationId });
    expect(resumed['hooksRestored']).toContain(hookId);
    expect(await call('hook_list', { taskId })).toMatchObject({ hookCount: 2 });
    expect(await call('checkpoint_resume', { taskId })).toMatchObject({ hooksRestored: [] });
  });

  it('those of a stop hook bring cleared hooks back too, and are kept once whoever asked for them', async () => {
    const { call, taskId } = await withTask(makePlace());
    const { hookId } = await call('hook_register', {
      taskId,
      hookType: 'checkpoint-at',
      options: { iteration: 1 },
    });
    const { iterationId } = await call('iteration_start', { taskId, completionPromises: ['COMPLETE'] });
    const asked = { iterationId, agentOutput: 'Not yet.' };
    expect(await call('hook_evaluate', asked)).toMatchObject({ checkpointCreated: true });
    await call('iteration_validate', asked);
    expect(await call('checkpoint_list', { taskId })).toMatchObject({
      checkpointCount: 1,
      checkpoints: [{ iteration: 1, hookId }],
    });
    await call('hook_clear', { taskId });
    expect(await call('checkpoint_resume', { taskId })).toMatchObject({ hookId, hooksRestored: [hookId] });
    expect(await call('hook_list', { taskId })).toMatchObject({ hookCount: 1 });
  });

  it('a run begins in the phase of the last one, and its hooks are told', async () => {
    const { call, taskId } = await withTask(makePlace());
    await call('checkpoint_create', { taskId, executionPhase: 'release' });
    const options = { condition: { phase: 'release' }, hook: { type: 'promise' } };
    const { hookId } = await call('hook_register', { taskId, hookType: 'when', options });
    const { iterationId } = await call('iteration_start', { taskId, completionPromises: ['COMPLETE'] });
    const asked = { iterationId, agentOutput: CLAIM };
    expect(await call('hook_evaluate', asked)).toMatchObject({ hookId, action: 'complete' });
    expect(await call('iteration_validate', asked)).toMatchObject({
      completionSignal: 'COMPLETE',
      hookResults: [{ hookId, action: 'complete' }],
    });
  });
});
