/**
 * Reads the stream of GitHub Copilot CLI (`copilot --output-format json`), whose lines are like the rows of
 * its record (1.0.102).
 */
import { recordAt, textAt, textOrNull } from '#base/shape.ts';
import type { StreamReader } from '../port/headless.ts';
import { byChain } from '../kit/messages.ts';
import type { Denial, StreamEvent } from '../port/stream.ts';
import {
  compacted,
  countAt,
  jsonLineReader,
  noise,
  NOT_TOLD,
  numberAt,
  OTHER,
  resultOf,
  retryOf,
  sessionBegins,
  inputSummary,
  toolCall,
  toolOutcome,
  type JsonFields,
} from '../kit/stream-lines.ts';

/** The result tells neither why a turn failed nor what was denied: lines before it do. */
export function openStream(): StreamReader {
  const calls = new Map<string, Denial>();
  const denied: Denial[] = [];
  let fault: JsonFields = {};
  return jsonLineReader((value) => {
    const data = recordAt(value, 'data');
    const [id, tool] = [textAt(data, 'toolCallId'), textAt(data, 'toolName')];
    switch (value['type']) {
      case 'tool.execution_start':
        calls.set(id, { id, tool, summary: inputSummary(data['arguments']) });
        break;
      case 'tool.execution_complete':
        if (recordAt(data, 'error')['code'] === 'denied') denied.push(calls.get(id) ?? NOT_KNOWN);
        break;
      case 'session.error':
        fault = data;
        break;
      case 'result':
        return [resultOf({ ...faultIn(fault), failed: value['exitCode'] !== 0, total: NOT_TOLD, denied })];
    }
    return readRow(value);
  });
}

const NOT_KNOWN: Denial = { id: '', tool: 'a tool', summary: '' };

function faultIn(fault: JsonFields) {
  return {
    error: textAt(fault, 'message'),
    status: numberAt(fault, 'statusCode'),
    type: textOrNull(fault['errorType']),
    code: textOrNull(fault['errorCode']),
  };
}

export function readRow(row: JsonFields): readonly StreamEvent[] {
  return byChain({ parent_tool_use_id: row['agentId'] }, readEvent(row, recordAt(row, 'data')));
}

function readEvent(row: JsonFields, data: JsonFields): readonly StreamEvent[] {
  switch (row['type']) {
    // The stream names the session at its end only. Whatever it names here shows that one has begun.
    case 'session.tools_updated':
      return [sessionBegins(row['id'], data)];
    case 'assistant.message': {
      const text = textAt(data, 'content');
      return text === '' ? OTHER : [{ is: 'text', message: textOrNull(data['messageId']), text }];
    }
    case 'tool.execution_start':
      return [toolCall(textAt(data, 'toolCallId'), textAt(data, 'toolName'), data['arguments'])];
    case 'tool.execution_complete':
      return outcomeIn(data, textAt(data, 'toolCallId'));
    case 'model.call_failure': {
      const [attempt, status] = [countAt(data, 'retryAttempt') + 1, numberAt(data, 'statusCode')];
      return [retryOf(attempt, null, status, textAt(data, 'errorMessage'))];
    }
    case 'session.compaction_complete':
      return [compacted(data, 'preCompactionTokens', 'postCompactionTokens')];
    case 'session.warning':
      return [noise(textAt(data, 'message'))];
    default:
      return OTHER;
  }
}

/** Its own words before those of a hook. */
const BY_HOOK = 'Denied by preToolUse hook';

function outcomeIn(data: JsonFields, id: string): StreamEvent[] {
  const error = textAt(recordAt(data, 'error'), 'message');
  const failed = data['success'] !== true || countAt(recordAt(data, 'shellExecution'), 'exitCode') > 0;
  const refused: StreamEvent[] = error.startsWith(BY_HOOK) ? [{ is: 'refused', id }] : [];
  return [...refused, toolOutcome(id, failed, error || textAt(recordAt(data, 'result'), 'content'))];
}
