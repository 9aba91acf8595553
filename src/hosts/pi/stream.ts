/** Reads the stream of pi (`pi --mode json`), and the files that record its sessions (0.74.2). */
import { recordAt, recordsIn, textAt } from '#base/shape.ts';
import { textOfContent } from '../kit/messages.ts';
import type { Spent, StreamEvent } from '../port/stream.ts';
import {
  countAt,
  numberAt,
  OTHER,
  resultOf,
  sessionBegins,
  toolCall,
  toolOutcome,
} from '../kit/stream-lines.ts';
import type { JsonFields } from '../kit/stream-lines.ts';

export function readLine(value: JsonFields): readonly StreamEvent[] {
  if (value['type'] === 'session') return [sessionBegins(value['id'])];
  const message = recordAt(value, 'message');
  const said = value['type'] === 'message_end' ? readMessage(message) : OTHER;
  if (said === OTHER || message['role'] !== 'assistant') return said;
  const spent = spentOf(recordAt(message, 'usage'));
  const used: StreamEvent = { is: 'usage', message: idOf(message), spent };
  if (message['stopReason'] === 'toolUse') return [...said, used];
  const error = textAt(message, 'errorMessage');
  const status = Number(ERROR_STATUS.exec(error)?.[1]) || null;
  const code = LIMIT.test(error) ? 'limit' : null;
  const failed = message['stopReason'] === 'error';
  return [...said, used, resultOf({ failed, error, status, code })];
}

/** Errors are told in words. Where a service has answered, they begin with its status, or are its answer. */
const ERROR_STATUS = /^(?:\{"error":\{"code":)?(\d{3})\b/;
const LIMIT = /^You have hit your ChatGPT usage limit/;

function idOf(message: JsonFields): string {
  return String(message['responseId'] ?? message['timestamp']);
}

/** At the prices in its own list of models. */
function spentOf(usage: JsonFields): Spent {
  const [input, output] = [countAt(usage, 'input'), countAt(usage, 'output')];
  const tokens = {
    input,
    output,
    cacheRead: countAt(usage, 'cacheRead'),
    cacheWrite: countAt(usage, 'cacheWrite'),
  };
  return { costUsd: Math.max(0, numberAt(recordAt(usage, 'cost'), 'total') ?? 0), tokens };
}

export function readMessage(message: JsonFields): readonly StreamEvent[] {
  const { role, content } = message;
  if (role === 'toolResult')
    return [toolOutcome(textAt(message, 'toolCallId'), message['isError'] === true, textOfContent(content))];
  if (role !== 'assistant') return OTHER;
  return recordsIn(content).flatMap((part): StreamEvent[] => {
    if (part['type'] === 'toolCall')
      return [toolCall(textAt(part, 'id'), textAt(part, 'name'), part['arguments'])];
    return part['type'] === 'text'
      ? [{ is: 'text', message: idOf(message), text: textAt(part, 'text') }]
      : [];
  });
}
