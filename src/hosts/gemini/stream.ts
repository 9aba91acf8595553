/**
 * Reads the stream of Gemini CLI (`gemini --output-format stream-json`), and the files that record its
 * sessions (0.61.0).
 */
import { recordAt, recordsIn, textAt, textOrNull } from '#base/shape.ts';
import type { StreamReader } from '../port/headless.ts';
import type { Result, StreamEvent } from '../port/stream.ts';
import {
  jsonLineReader,
  noise,
  OTHER,
  resultOf,
  sessionBegins,
  tokensSpent,
  toolCall,
  toolOutcome,
  type JsonFields,
} from '../kit/stream-lines.ts';

/** A text comes in parts, so it is told whole when something else follows. */
export function openStream(): StreamReader {
  let said = '';
  return jsonLineReader((value) => {
    if (value['type'] === 'message' && value['role'] === 'assistant') {
      said += textAt(value, 'content');
      return OTHER;
    }
    const text: StreamEvent[] = said === '' ? [] : [{ is: 'text', message: null, text: said }];
    said = '';
    return [...text, ...readLine(value)];
  });
}

function readLine(value: JsonFields): readonly StreamEvent[] {
  const id = textAt(value, 'tool_id');
  switch (value['type']) {
    case 'init':
      return [sessionBegins(value['session_id'], value)];
    case 'tool_use':
      return [toolCall(id, textAt(value, 'tool_name'), value['parameters'])];
    case 'tool_result':
      return [toolOutcome(id, value['status'] === 'error', textAt(value, 'output'))];
    // Warnings, above all: a turn that failed is told by its result.
    case 'error':
      return [noise(textAt(value, 'message'))];
    case 'result':
      return [readResult(value)];
    default:
      return OTHER;
  }
}

function readResult(value: JsonFields): Result {
  // Its figures are those of the process.
  const spent = tokensSpent(recordAt(value, 'stats'), 'cached');
  const error = textAt(recordAt(value, 'error'), 'message');
  return resultOf({ failed: value['status'] === 'error', total: spent, since: spent, error });
}

/** A row of the file that records a session. An answer with calls is written again when they are over. */
export function readRow(row: JsonFields): readonly StreamEvent[] {
  const { type, content, toolCalls } = row;
  if (type !== 'gemini') return OTHER;
  if (toolCalls === undefined)
    return typeof content === 'string' && content !== ''
      ? [{ is: 'text', message: textOrNull(row['id']), text: content }]
      : OTHER;
  return recordsIn(toolCalls).flatMap((call) => {
    const id = textAt(call, 'id');
    const failed = call['status'] === 'error';
    return [
      toolCall(id, textAt(call, 'name'), call['args']),
      toolOutcome(id, failed, textAt(call, 'resultDisplay')),
    ];
  });
}
