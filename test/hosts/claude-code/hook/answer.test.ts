import { describe, expect, it } from 'vitest';
import { claudeCode } from '#hosts/claude-code/hook/host.ts';
import { commandNamesIn } from '#hosts/claude-code/names.ts';
import type { Answer, Arrival, Sender } from '#hosts/port/arrival.ts';

const from: Sender = {
  host: claudeCode.name,
  limits: claudeCode.limits,
  session: 's1',
  process: 100,
  project: '/project',
  prompt: 'p1',
  commands: commandNamesIn({}),
};
const CALL = { id: 'call-1', tool: 'Bash', exact: '[]', shown: 'Bash: git push', isCommand: true };
const SECOND = { n: 2, of: 3 };
const STOP: Arrival = {
  is: 'stop',
  from,
  message: 'Working on it.',
  background: [],
  cap: null,
  attended: true,
  continuedByHook: false,
  look: ({ offset }) => ({ queue: { offset, waiting: 0 }, taken: false, toolUsed: true }),
};
const COMMAND: Arrival = { is: 'command', from, command: 'start', args: '', cap: null, liftCap: null };

function said(answer: Answer, arrival: Arrival): unknown {
  const { stdout: text } = claudeCode.encode(answer, arrival);
  return text === '' ? null : JSON.parse(text);
}

describe("an answer in the host's words", () => {
  it('silence is nothing at all', () => {
    expect(claudeCode.encode({ is: 'silence' }, STOP)).toEqual({ stdout: '', stderr: '', exit: 0 });
  });

  it('a continue goes by additionalContext, so that the person reads no error', () => {
    expect(
      said({ is: 'continue', toAgent: 'Go on.', toPerson: 'Iteration 2.', iteration: SECOND }, STOP),
    ).toEqual({
      systemMessage: 'Iteration 2.',
      hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'Go on.' },
    });
  });

  it('a tool is denied with the reason, which the agent reads', () => {
    const tool: Arrival = { is: 'tool', from, acts: () => [], call: () => CALL, hostFiles: () => [] };
    expect(said({ is: 'deny', toAgent: 'Not this.', toPerson: null }, tool)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'Not this.',
      },
    });
  });

  it('a tool that a person was asked about ends the pass, and one that they approved is let through', () => {
    const tool: Arrival = { is: 'tool', from, acts: () => [], call: () => CALL, hostFiles: () => [] };
    expect(said({ is: 'deny', toAgent: 'Wait.', toPerson: null, ends: true }, tool)).toMatchObject({
      continue: false,
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
    expect(said({ is: 'permit', why: 'A person approved it.' }, tool)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        permissionDecisionReason: 'A person approved it.',
      },
    });
  });

  it('a message to the person lets the stop through', () => {
    expect(said({ is: 'tell', toPerson: 'Completed.' }, STOP)).toEqual({ systemMessage: 'Completed.' });
  });

  it('a command that ends here calls no model', () => {
    expect(said({ is: 'close', toPerson: 'Cancelled.' }, COMMAND)).toMatchObject({
      decision: 'block',
      reason: 'Cancelled.',
      hookSpecificOutput: { hookEventName: 'UserPromptExpansion' },
    });
  });

  it.each<[Arrival, string]>([
    [COMMAND, 'UserPromptExpansion'],
    [{ is: 'prompt', from, text: 'x', person: true }, 'UserPromptSubmit'],
    [{ is: 'session-start', from, source: 'compact' }, 'SessionStart'],
  ])('a brief names the event that it answers (%#)', (arrival, hookEventName) => {
    expect(said({ is: 'brief', toAgent: 'The task.', toPerson: null }, arrival)).toEqual({
      hookSpecificOutput: { hookEventName, additionalContext: 'The task.' },
    });
  });

  it('is one line of JSON, whatever the words hold', () => {
    const toAgent = 'two\nlines "quoted" \u2028 😀 \u0000';
    const { stdout: text } = claudeCode.encode(
      { is: 'continue', toAgent, toPerson: '', iteration: SECOND },
      STOP,
    );
    expect(text).not.toContain('\n');
    expect(JSON.parse(text)).toMatchObject({ hookSpecificOutput: { additionalContext: toAgent } });
  });
});
