/** A task that its run left blocked stays so for agents, until a person reopens the run. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { CLI } from '../cli/box.ts';
import { connect, makePlace, type Place } from '../mcp/server.ts';
import { CLAIM } from './with-task.ts';

const SESSION = '11111111-1111-4111-8111-111111111111';

function resume({ project, home }: Place, loop: unknown): string {
  const env = { PATH: process.env['PATH'], HOME: home, DACAPO_HOME: home };
  return spawnSync(process.execPath, [CLI, 'resume', String(loop)], { cwd: project, env, encoding: 'utf8' })
    .stderr;
}

it.each(['a client without sessions', 'a session'])('%s', async (client) => {
  const place = makePlace();
  const env = { CLAUDE_CODE_SESSION_ID: SESSION, CLAUDE_PROJECT_DIR: place.project };
  const { call, refused } = await connect(place, '2026-07-28', client === 'a session' ? env : {});
  const { taskId } = await call('task_create', { title: 'Add the login' });
  await call('hook_register', { taskId, hookType: 'default' });
  const { iterationId, loopId } = await call('iteration_start', { taskId, completionPromises: ['COMPLETE'] });
  const blocked = { iterationId, agentOutput: '<promise>BLOCKED: no key</promise>' };
  expect(await call('iteration_validate', blocked)).toMatchObject({ completionSignal: 'ESCALATE' });

  const attempts: [tool: string, input: Record<string, unknown>][] = [
    ['hook_clear', { taskId }],
    ['iteration_start', { taskId, maxIterations: 10_000 }],
    ['task_update', { taskId, status: 'pending' }],
  ];
  for (const [tool, input] of attempts)
    expect(await refused(tool, input)).toContain(`dacapo resume ${String(loopId)}`);
  // To note what is missing changes nothing.
  expect(
    await call('task_update', { taskId, status: 'blocked', notes: 'The key is missing.' }),
  ).toMatchObject({
    status: 'blocked',
    hookCount: 1,
  });

  expect(resume(place, loopId)).toBe('');
  expect(await call('task_get', { taskId })).toMatchObject({ status: 'in_progress', iterationId });
  expect(await call('iteration_validate', { iterationId, agentOutput: CLAIM })).toMatchObject({
    completionSignal: 'COMPLETE',
  });
});
