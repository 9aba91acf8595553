/** An answer in Claude Code's format: one JSON document, or nothing. The exit code is always 0: an answer is not an error. */
import type { Answer, Arrival } from '../../arrival.ts';
import type { Output } from '../../host.ts';

/** The events that allow an answer beyond a message to the person. */
const EVENT_NAMES: Readonly<Partial<Record<Arrival['is'], string>>> = {
  stop: 'Stop',
  'session-start': 'SessionStart',
  prompt: 'UserPromptSubmit',
  command: 'UserPromptExpansion',
  tool: 'PreToolUse',
};

export function encodeAnswer(answer: Answer, arrival: Arrival): Output {
  return { stdout: documentFor(answer, arrival), stderr: '', exit: 0 };
}

function documentFor(answer: Answer, arrival: Arrival): string {
  switch (answer.is) {
    case 'silence':
      return '';
    case 'tell':
      return JSON.stringify({ systemMessage: answer.toPerson });
    case 'close':
      return JSON.stringify({
        decision: 'block',
        reason: answer.toPerson,
        hookSpecificOutput: { hookEventName: EVENT_NAMES[arrival.is], suppressOriginalPrompt: true },
      });
    case 'permit':
      return JSON.stringify({
        hookSpecificOutput: {
          hookEventName: EVENT_NAMES[arrival.is],
          permissionDecision: 'allow',
          permissionDecisionReason: answer.why,
        },
      });
    // `decision: block` would continue too, but it shows the person an error and sends the text to the model twice.
    case 'continue':
    case 'brief':
    case 'deny': {
      const { toAgent } = answer;
      return JSON.stringify({
        ...(answer.toPerson === null ? {} : { systemMessage: answer.toPerson }),
        ...(answer.is === 'deny' && answer.ends ? { continue: false, stopReason: toAgent } : {}),
        hookSpecificOutput: {
          hookEventName: EVENT_NAMES[arrival.is],
          ...(answer.is === 'deny'
            ? { permissionDecision: answer.is, permissionDecisionReason: toAgent }
            : { additionalContext: toAgent }),
        },
      });
    }
  }
}
