/** What is wrong gets a clear error and changes nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect, makePlace, type Place } from './server.ts';

/** Everything in the home, to compare. A server keeps its compiled code there after a while. */
function everything({ home }: Place): Record<string, string> {
  return Object.fromEntries(
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.startsWith(join(home, 'cache')))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );
}

const SESSION = { CLAUDE_CODE_SESSION_ID: '11111111-1111-4111-8111-111111111111' };
const OTHER = { CLAUDE_CODE_SESSION_ID: '22222222-2222-4222-8222-222222222222' };

describe('bad input', () => {
  it('unknown ids, foreign fields, wrong kinds and huge texts are refused', async () => {
    const place = makePlace();
    const { call, refused } = await connect(place);
    const { taskId } = await call('task_create', { title: 'Add the login' });
    const { iterationId } = await call('iteration_start', { taskId, maxIterations: 5 });
    writeFileSync(join(place.home, 'todo.md'), '- [ ] PIN 4711\n');
    symlinkSync(place.home, join(place.project, 'linked'));
    const before = everything(place);
    const cases: [tool: string, input: Record<string, unknown>, says: string][] = [
      ['task_get', { taskId: 'TASK-nowhere' }, 'no-task'],
      ['task_get', { taskId: '../../etc/passwd' }, 'no-task'],
      ['task_get', { taskId: iterationId }, 'no-task'],
      ['task_get', {}, 'taskId is missing'],
      ['task_get', { taskId, more: 1 }, 'more is not a field'],
      ['task_create', { title: '   ' }, 'no-title'],
      ['task_create', { title: 'x'.repeat(1_000) }, 'at most 500'],
      ['task_update', { taskId, status: 'completed' }, 'still-running'],
      ['task_update', { taskId, status: 'finished' }, 'pending, in_progress'],
      ['iteration_validate', { iterationId: 'IT-1-none', agentOutput: 'x' }, 'no-iteration'],
      ['iteration_validate', { iterationId, agentOutput: 7 }, 'agentOutput is 7'],
      ['iteration_validate', { iterationId, agentOutput: 'x'.repeat(200_001) }, 'at most 200000'],
      ['iteration_next', { iterationId }, 'not-validated'],
      ['iteration_start', { taskId, maxIterations: 100 }, 'already-running'],
      ['iteration_start', { taskId, maxIterations: 0 }, 'from 1'],
      ['hook_register', { taskId, hookType: 'tddd' }, 'hookType is "tddd"'],
      ['hook_register', { taskId, hookType: 'max-files' }, 'files is missing'],
      ['hook_register', { taskId, hookType: 'max-files', options: { files: -1 } }, 'from 0'],
      ['checkpoint_resume', { taskId, checkpointId: 'CP-1-none' }, 'no-checkpoint'],
      ['loop_status', {}, 'which-loop'],
      ['loop_claim', { summary: 'Done.', loopId: 'RALPH_20260101_zzzzzz' }, 'no-loop'],
      ['loop_note', { text: '', loopId: 'RALPH_20260101_zzzzzz' }, 'empty'],
      ['loop_start', { prompt: 'x', checks: ['rm -rf ~'] }, 'unknown-check'],
      ['loop_start', { prompt: 'x', features: '../home/todo.md' }, 'outside'],
      ['loop_start', { prompt: 'x', features: join(place.home, 'todo.md') }, 'outside'],
      ['loop_start', { prompt: 'x', features: 'linked/todo.md' }, 'outside'],
    ];
    const answers: string[] = [];
    for (const [tool, input] of cases) answers.push(await refused(tool, input));
    expect(answers).toEqual(cases.map(([, , says]) => expect.stringContaining(says)));
    expect(everything(place)).toEqual(before);
  });

  it('a rule can bring no command, and no file from outside is read', async () => {
    const place = makePlace();
    const { call, refused } = await connect(place);
    const { taskId } = await call('task_create', { title: 'Add the login' });
    const start = async (rule: Record<string, unknown>) =>
      refused('iteration_start', { taskId, validationRules: [{ name: 'r', ...rule }] });
    expect(await start({ type: 'command', command: 'touch ran' })).toContain('unknown-check');
    expect(await start({ type: 'custom', rule: 'mine' })).toContain('bad-rules');
    expect(await start({ type: 'shell', command: 'touch ran' })).toContain('bad-rules');
    const { iterationId } = await call('iteration_start', {
      taskId,
      validationRules: [{ name: 'r', type: 'file-exists', file: '../../../etc/passwd' }],
    });
    const judged = await call('iteration_validate', { iterationId, agentOutput: 'x' });
    expect(judged).toMatchObject({
      completionSignal: 'CONTINUE',
      validationResults: expect.arrayContaining([
        expect.objectContaining({ ruleName: 'r', passed: false, notRun: true }),
      ]),
    });
    expect(readdirSync(place.project)).toEqual([]);
  });

  it('nobody speaks for the loop of another session', async () => {
    const place = makePlace();
    const env = { CLAUDE_PROJECT_DIR: place.project };
    const one = await connect(place, '2026-07-28', { ...SESSION, ...env });
    const two = await connect(place, '2026-07-28', { ...OTHER, ...env });
    const { taskId } = await one.call('task_create', { title: 'Add the login' });
    const { iterationId, loopId } = await one.call('iteration_start', { taskId });
    const before = everything(place);
    const cases: [tool: string, input: Record<string, unknown>][] = [
      ['iteration_validate', { iterationId, agentOutput: '<promise>COMPLETE</promise>' }],
      ['iteration_next', { iterationId }],
      ['iteration_complete', { iterationId, completionPromise: 'COMPLETE' }],
      ['hook_evaluate', { iterationId }],
      ['checkpoint_create', { taskId }],
      ['loop_status', { loopId }],
      ['loop_claim', { loopId, summary: 'Done.' }],
      ['loop_block', { loopId, reason: 'No key.' }],
      ['loop_note', { loopId, text: 'Mind the gap.' }],
    ];
    const answers: string[] = [];
    for (const [tool, input] of cases) answers.push(await two.refused(tool, input));
    expect(answers).toEqual(cases.map(() => expect.stringContaining('another-session')));
    expect(await two.refused('loop_start', { prompt: 'x', nest: true })).toContain('no-loop');
    expect(await one.refused('loop_start', { prompt: 'another task' })).toContain('session-taken');
    expect(everything(place)).toEqual(before);
  });

  it('an inner task stays within the limit of its loop', async () => {
    const place = makePlace();
    const { call, refused } = await connect(place, '2026-07-28', {
      ...SESSION,
      CLAUDE_PROJECT_DIR: place.project,
    });
    await call('loop_start', { prompt: 'Add the login', maxIterations: 3 });
    expect(await refused('loop_start', { prompt: 'Add the form', nest: true, maxIterations: 4 })).toContain(
      'past-limit',
    );
    expect(await call('loop_start', { prompt: 'Add the form', nest: true })).toMatchObject({
      maxIterations: 3,
      depth: 2,
    });
  });

  it('what is not a protocol leaves the server alive or ended, and writes nothing else to stdout', async () => {
    const { project, home } = makePlace();
    const server = spawn(process.execPath, [resolve(import.meta.dirname, '../../../plugin/dist/mcp.cjs')], {
      cwd: project,
      env: { PATH: process.env['PATH'], DACAPO_HOME: home },
    });
    let stdout = '';
    server.stdout.on('data', (chunk) => (stdout += String(chunk)));
    server.stdin.write(
      'this is not JSON\n{"jsonrpc":"1.0"}\n[]\n{"jsonrpc":"2.0","id":1,"method":"nonsense"}\n',
    );
    server.stdin.write(`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"x":"${'y'.repeat(100_000)}"}}\n`);
    server.stdin.end();
    await once(server, 'close');
    for (const line of stdout.split('\n').filter(Boolean))
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });
});
