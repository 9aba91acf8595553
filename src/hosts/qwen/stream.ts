/**
 * Reads the stream of Qwen Code (`qwen --output-format stream-json`), and the files that record its sessions
 * (0.24.4).
 */
import { recordAt, recordsIn, textAt, textOrNull } from '#base/shape.ts';
import { blocksOf, byChain, deniedIn, readBlock, readUser } from '../kit/messages.ts';
import type { Result, StreamEvent } from '../port/stream.ts';
import {
  countAt,
  OTHER,
  resultOf,
  sessionBegins,
  tokensSpent,
  toolCall,
  toolOutcome,
  type JsonFields,
} from '../kit/stream-lines.ts';

/** Its lines are like those of Claude Code. */
export function readLine(value: JsonFields): readonly StreamEvent[] {
  return byChain(value, readMessage(value));
}

function readMessage(value: JsonFields): readonly StreamEvent[] {
  const message = recordAt(value, 'message');
  switch (value['type']) {
    case 'system':
      return value['subtype'] === 'init'
        ? [sessionBegins(value['session_id'], { ...value, version: value['qwen_code_version'] })]
        : OTHER;
    case 'assistant': {
      const tokens = countAt(recordAt(message, 'usage'), 'total_tokens');
      const used: StreamEvent[] = tokens === 0 ? [] : [{ is: 'context', tokens, window: null }];
      return [...used, ...blocksOf(message).map((block) => readBlock(block, textOrNull(message['id'])))];
    }
    case 'user':
      return readUser(message);
    case 'result':
      return [readResult(value)];
    default:
      return OTHER;
  }
}

/** It has no field for the status of the API, which stands at the beginning of its words. */
const ERROR_STATUS = /^\[API Error: (\d{3})\b/;

/** The usage is that of the whole session. */
function readResult(value: JsonFields): Result {
  const failed = value['is_error'] === true;
  const error = failed ? textAt(recordAt(value, 'error'), 'message') || textAt(value, 'result') : '';
  const [, status] = ERROR_STATUS.exec(error) ?? [];
  return resultOf({
    failed,
    subtype: textOrNull(value['subtype']),
    status: status === undefined ? null : Number(status),
    total: tokensSpent(recordAt(value, 'usage'), 'cache_read_input_tokens'),
    turns: countAt(value, 'num_turns'),
    denied: deniedIn(value['permission_denials']),
    error,
  });
}

export function readRow(row: JsonFields): readonly StreamEvent[] {
  return recordsIn(recordAt(row, 'message')['parts']).map((part): StreamEvent => {
    const [call, answer] = [recordAt(part, 'functionCall'), recordAt(part, 'functionResponse')];
    const { text } = part;
    if (row['type'] === 'assistant' && typeof text === 'string' && part['thought'] !== true)
      return { is: 'text', message: textOrNull(row['uuid']), text };
    if (typeof call['name'] === 'string') return toolCall(textAt(call, 'id'), call['name'], call['args']);
    if (row['type'] !== 'tool_result') return { is: 'other' };
    const failed = recordAt(row, 'toolCallResult')['status'] === 'error';
    const output = textAt(recordAt(answer, 'response'), failed ? 'error' : 'output');
    return toolOutcome(textAt(answer, 'id'), failed, output);
  });
}
