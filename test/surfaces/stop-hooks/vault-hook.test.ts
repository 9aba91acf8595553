// The file `.claude/hooks/stop.js` of the vault format, taken over as it stands there, as a stop hook.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRegistry, fromStopJs, type StopHook, type StopJs } from '#surfaces/library/index.ts';
import { contextOf } from './given.ts';
import { STOP_JS } from './stop-js.ts';

describe('stop.js', () => {
  let project: string;
  let hook: StopHook;

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'dacapo-stop-js-'));
    mkdirSync(join(project, 'AI_Employee_Vault/Ralph_State'), { recursive: true });
    mkdirSync(join(project, 'Done'));
    // Its own words, but for where the project is: a test's process has one working directory for all.
    const file = join(project, 'stop.js');
    writeFileSync(file, STOP_JS.replace('process.cwd()', JSON.stringify(project)));
    hook = fromStopJs(createRequire(import.meta.url)(file) as StopJs);
  });
  afterEach(() => rmSync(project, { recursive: true, force: true }));

  const given = (state: object) => {
    const whole = { prompt: 'Process all invoices...', max_iterations: 10, current_iteration: 3, ...state };
    const file = join(project, 'AI_Employee_Vault/Ralph_State/RALPH_20260119_abc123.json');
    writeFileSync(file, JSON.stringify(whole));
  };

  test('goes on with its prompt', async () => {
    given({ completion_promise: 'TASK_COMPLETE' });
    expect(await hook(contextOf({ agentOutput: 'Not yet.' }))).toEqual({
      action: 'continue',
      reason: 'Continuing loop (iteration 4/10)',
      nextPrompt: 'Process all invoices...',
    });
  });

  test('is complete when the promise was given', async () => {
    given({ completion_promise: 'TASK_COMPLETE' });
    const agentOutput = 'All done. <promise>TASK_COMPLETE</promise>';
    expect(await hook(contextOf({ agentOutput }))).toEqual({
      action: 'complete',
      reason: 'Completion promise detected',
    });
  });

  test('is complete when the file was moved', async () => {
    given({ watch_file: 'Needs_Action/INVOICE_client.md', done_folder: join(project, 'Done') });
    expect((await hook(contextOf())).action).toBe('continue');
    writeFileSync(join(project, 'Done/INVOICE_client.md'), '');
    expect(await hook(contextOf())).toEqual({ action: 'complete', reason: 'Task file moved to Done' });
  });

  test('asks for a person when the iterations are used up: that is not done', async () => {
    given({ current_iteration: 10 });
    expect(await hook(contextOf())).toEqual({ action: 'escalate', reason: 'Max iterations reached' });
  });

  test('leaves the end to the limit of the loop where that strikes too', async () => {
    given({ current_iteration: 10 });
    const last = { ...contextOf({ iteration: 10 }), maxIterations: 10 };
    expect(await hook(last)).toEqual({ action: 'continue', reason: 'Max iterations reached' });
    const early = { ...contextOf({ iteration: 10 }), maxIterations: 50 };
    expect((await hook(early)).action).toBe('escalate');
  });

  test('allows the exit where it knows of no loop', async () => {
    expect(await hook(contextOf())).toEqual({ action: 'complete', reason: 'stop.js allows the exit' });
  });

  test('escalates when it fails', async () => {
    rmSync(join(project, 'AI_Employee_Vault'), { recursive: true });
    const { registerStopHook, evaluate } = createRegistry();
    registerStopHook({ taskId: 'TASK-abc123' }, hook);
    const { action, reason } = await evaluate(contextOf());
    expect(action).toBe('escalate');
    expect(reason).toContain('Hook evaluation failed: ENOENT');
  });
});

test.each<[unknown, string]>([
  [undefined, 'stop.js must return { allowExit }, but returned undefined'],
  [{}, 'allowExit of stop.js must be true or false, but is undefined'],
  [{ allowExit: 'no' }, 'allowExit of stop.js must be true or false, but is "no"'],
  [{ allowExit: false, injectPrompt: 5 }, 'injectPrompt of stop.js must be a text, but is 5'],
])('a stop.js that returns %j escalates', async (answer, error) => {
  const { registerStopHook, evaluate } = createRegistry();
  registerStopHook({ taskId: 'TASK-abc123' }, fromStopJs((() => answer) as StopJs));
  expect(await evaluate(contextOf())).toMatchObject({ action: 'escalate', metadata: { error } });
});

test('a stop.js without a word of its own says what it did', async () => {
  expect(await fromStopJs(() => ({ allowExit: false }))(contextOf())).toEqual({
    action: 'continue',
    reason: 'stop.js does not allow the exit yet',
  });
});
