/** Reads the stream of OpenCode (`opencode run --format json`, 1.18.33). */
import { recordAt, textAt } from '#base/shape.ts';
import type { StreamReader } from '../port/headless.ts';
import type { Spent, StreamEvent } from '../port/stream.ts';
import { countAt, jsonLineReader, numberAt, OTHER, resultOf, sessionBegins } from '../kit/stream-lines.ts';
import { toolCall, toolOutcome, type JsonFields } from '../kit/stream-lines.ts';

/** Every line names the session. */
export function openStream(): StreamReader {
  let session = '';
  return jsonLineReader((value) => {
    const known = session;
    session = textAt(value, 'sessionID') || known;
    return session === known ? readLine(value) : [sessionBegins(session), ...readLine(value)];
  });
}

function readLine(value: JsonFields): readonly StreamEvent[] {
  const part = recordAt(value, 'part');
  const message = textAt(part, 'messageID');
  switch (value['type']) {
    case 'text':
      return [{ is: 'text', message, text: textAt(part, 'text') }];
    case 'tool_use':
      return readTool(part);
    case 'step_finish': {
      const used: StreamEvent = { is: 'usage', message, spent: spentOf(part) };
      return part['reason'] === 'tool-calls' ? [used] : [used, resultOf({ failed: false })];
    }
    case 'error': {
      const error = recordAt(value, 'error');
      const [told, code] = [recordAt(error, 'data'), textAt(error, 'name')];
      const status = numberAt(told, 'statusCode');
      return [resultOf({ failed: true, error: textAt(told, 'message') || code, status, code })];
    }
    default:
      return OTHER;
  }
}

/** A call is told when it is over. */
function readTool(part: JsonFields): StreamEvent[] {
  const [id, state] = [textAt(part, 'callID'), recordAt(part, 'state')];
  const failed = state['status'] === 'error' || (numberAt(recordAt(state, 'metadata'), 'exit') ?? 0) !== 0;
  const told = textAt(state, 'output') || textAt(state, 'error');
  return [toolCall(id, textAt(part, 'tool'), state['input']), toolOutcome(id, failed, told)];
}

/** At the prices in its own list of models. */
function spentOf(step: JsonFields): Spent {
  const used = recordAt(step, 'tokens');
  const cache = recordAt(used, 'cache');
  const output = countAt(used, 'output') + countAt(used, 'reasoning');
  const [cacheRead, cacheWrite] = [countAt(cache, 'read'), countAt(cache, 'write')];
  const costUsd = Math.max(0, numberAt(step, 'cost') ?? 0);
  return { costUsd, tokens: { input: countAt(used, 'input'), output, cacheRead, cacheWrite } };
}
