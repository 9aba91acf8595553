/**
 * The document of idle-loop, "Exit Code Semantics" and "Output Format": `dacapo hook --protocol exit-code`.
 */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { CLI, makeBox, type Box } from './box.ts';

interface Answered {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function hook(
  box: Box,
  event: object,
  args = ['--protocol', 'exit-code'],
  env: Record<string, string> = {},
): Answered {
  const payload = { session_id: 's1', cwd: box.project, transcript_path: '', ...event };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'hook', ...args], {
    cwd: box.project,
    env: { ...box.env, ...env },
    input: JSON.stringify(payload),
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

function stop(box: Box, words: string, env?: Record<string, string>): Answered {
  const event = {
    hook_event_name: 'Stop',
    prompt_id: 'p1',
    last_assistant_message: words,
    background_tasks: [],
  };
  return hook(box, event, undefined, env);
}

/** A loop of three iterations that session s1 owns. */
function looping(): Box {
  const box = makeBox();
  box.run(['ready', 'Count to three', '--max-iterations', '3']);
  hook(box, { hook_event_name: 'UserPromptSubmit', prompt_id: 'p1', prompt: 'Count to three' });
  return box;
}

describe('dacapo hook --protocol exit-code', () => {
  test("2 blocks the exit, with idle-loop's JSON on stdout; the agent gets its whole brief from either stream", () => {
    const answer = stop(looping(), 'one');
    expect(answer.code).toBe(2);
    expect(answer.stdout).toMatch(
      /^\{"decision": "block", "reason": "\[ITERATION 2\/3\] Continue working on the task\. Check your progress and either complete the task or keep iterating\./,
    );
    const { reason } = JSON.parse(answer.stdout) as { reason: string };
    for (const words of [reason, answer.stderr]) {
      expect(words).toContain('Count to three');
      expect(words).toContain('<promise>COMPLETE</promise>');
    }
  });

  test('0 allows it: completed, used up, no loop, disabled', () => {
    const done = looping();
    done.write('work.txt', 'done');
    expect(stop(done, '<promise>COMPLETE</promise>')).toMatchObject({ code: 0, stdout: '' });
    const used = looping();
    expect([stop(used, 'a').code, stop(used, 'b').code, stop(used, 'c').code]).toEqual([2, 2, 0]);
    expect(stop(makeBox(), 'a')).toEqual({ code: 0, stdout: '', stderr: '' });
    for (const name of ['IDLE_LOOP_DISABLE', 'DACAPO_DRIVEN'])
      expect(stop(looping(), 'a', { [name]: '1' })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('2 keeps a tool from being used, and stderr says why', () => {
    const tool = (command: string) => ({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
    });
    const box = looping();
    expect(hook(box, tool('rm -rf .claude'))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('holds the definition of the loop'),
    });
    expect(hook(box, tool('npm test'))).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('the brief at the start is on stdout, and what the person reads on stderr', () => {
    const { code, stdout, stderr } = hook(makeBox(), {
      hook_event_name: 'UserPromptExpansion',
      command_name: 'ralph',
      command_args: 'Count to three --max-iterations 3',
    });
    expect(code).toBe(0);
    expect(stdout).toContain('The task:\n\nCount to three');
    expect(stderr).toContain('Da Capo: loop');
  });

  test('2 ends a command, so that the model is not called', () => {
    const box = looping();
    const cancel = { hook_event_name: 'UserPromptExpansion', command_name: 'cancel-ralph', prompt_id: 'p2' };
    expect(hook(box, cancel)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('cancelled'),
    });
  });

  test('a host that sends neither a message nor a prompt id: the transcript has the message', () => {
    const box = looping();
    const row = (content: object, more = {}) =>
      `${JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [content] }, ...more })}\n`;
    box.write('work.txt', 'done');
    const done = row({ type: 'text', text: 'All done.\n\n<promise>COMPLETE</promise>' });
    const path = box.write(
      't.jsonl',
      `${done}${row({ type: 'text', text: 'A subagent.' }, { isSidechain: true })}`,
    );
    const event = { hook_event_name: 'Stop', transcript_path: path };
    expect(hook(box, event)).toMatchObject({ code: 0, stderr: expect.stringContaining('completed') });
    const none = { hook_event_name: 'Stop', transcript_path: `${path}.gone` };
    expect(hook(looping(), none).code).toBe(2);
  });

  test('hook.log tells what it did', () => {
    const box = looping();
    stop(box, 'one');
    expect(box.run(['logs', '--hook']).stdout).toMatch(/Stop session=s1 .* verdict=continue/);
  });

  test('0 also when anything goes wrong, and stderr says what', () => {
    const box = makeBox();
    const { status, stderr } = spawnSync(process.execPath, [CLI, 'hook', '--protocol=exit-code'], {
      cwd: box.project,
      env: box.env,
      input: 'no JSON',
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stderr).toContain('Da Capo failed');
  });

  test('a protocol that is not known is refused, and blocks nobody', () => {
    const answer = hook(makeBox(), {}, ['--protocol', 'smoke-signals']);
    expect(answer.code).toBe(1);
    expect(answer.stderr).toContain('exit-code');
  });
});
