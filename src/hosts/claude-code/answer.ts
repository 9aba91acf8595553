/** An answer in Claude Code's words: one JSON document, or nothing. */
import type { Answer, Arrival } from '../host.ts';

const EVENT_NAMES: Readonly<Record<Arrival['is'], string>> = {
  stop: 'Stop',
  fault: 'StopFailure',
  'session-start': 'SessionStart',
  'session-end': 'SessionEnd',
  prompt: 'UserPromptSubmit',
  command: 'UserPromptExpansion',
};

export function encodeAnswer(answer: Answer, arrival: Arrival): string {
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
    // `decision: block` would continue too, but shows the person an error and tells the model everything twice.
    case 'continue':
    case 'brief':
      return JSON.stringify({
        ...(answer.toPerson === null ? {} : { systemMessage: answer.toPerson }),
        hookSpecificOutput: { hookEventName: EVENT_NAMES[arrival.is], additionalContext: answer.toAgent },
      });
  }
}
