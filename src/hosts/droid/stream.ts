/**
 * Reads the stream of droid (`droid exec -o stream-json`), and the files that record its sessions (0.225.2).
 */
import { recordAt, textAt, textOrNull } from '#base/shape.ts';
import { blocksOf, readBlock, readUser } from '../kit/messages.ts';
import type { StreamEvent } from '../port/stream.ts';
import {
  countAt,
  noise,
  NOT_TOLD,
  OTHER,
  resultOf,
  sessionBegins,
  toolCall,
  toolOutcome,
  type JsonFields,
} from '../kit/stream-lines.ts';

/** The status of the API, before the words of the service. */
const ERROR_STATUS = /^(\d{3})\b/;

export function readLine(value: JsonFields): readonly StreamEvent[] {
  const [id, text] = [textAt(value, 'id'), textAt(value, 'text')];
  switch (value['type']) {
    case 'system':
      return value['subtype'] === 'init' ? [sessionBegins(value['session_id'], value)] : OTHER;
    case 'message':
      return value['role'] === 'assistant' ? [{ is: 'text', message: id, text }] : OTHER;
    case 'tool_call':
      return [toolCall(id, textAt(value, 'toolName'), value['parameters'])];
    case 'tool_result': {
      const words = textAt(recordAt(value, 'error'), 'message') || textAt(value, 'value');
      return [toolOutcome(id, value['isError'] === true, words)];
    }
    case 'error': {
      const error = textAt(value, 'message');
      if (value['source'] !== 'agent_loop') return [noise(error)];
      const [, status] = ERROR_STATUS.exec(error) ?? [];
      return [resultOf({ failed: true, total: NOT_TOLD, error, status: status ? Number(status) : null })];
    }
    case 'completion':
      return [resultOf({ failed: false, total: NOT_TOLD, turns: countAt(value, 'numTurns') })];
    default:
      return OTHER;
  }
}

export function readRow(row: JsonFields): readonly StreamEvent[] {
  const message = recordAt(row, 'message');
  if (message['role'] !== 'assistant') return readUser(message);
  return blocksOf(message).map((block) => readBlock(block, textOrNull(row['id'])));
}
