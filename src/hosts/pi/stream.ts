/** Reads the stream of pi (`pi --mode json`), and the files that record its sessions (0.73.1). */
import { recordAt, recordsIn, textAt } from '../../core/shape.ts';
import type { StreamReader } from '../headless.ts';
import { wordsOf } from '../messages.ts';
import type { Spent, StreamEvent } from '../stream.ts';
import {
  brief,
  countAt,
  jsonLines,
  numberAt,
  OTHER,
  resultOf,
  sessionBegins,
  toolCall,
  toolOutcome,
  type JsonFields,
} from '../stream-lines.ts';

/** Each answer tells what it used; the last one of a turn ends it. */
export function openStream(): StreamReader {
  let used: JsonFields[] = [];
  return jsonLines((value) => {
    const message = recordAt(value, 'message');
    if (value['type'] === 'session') return [sessionBegins(value['id'])];
    if (value['type'] === 'auto_retry_start') return [readRetry(value)];
    if (value['type'] !== 'message_end') return OTHER;
    const said = readMessage(message);
    if (message['role'] !== 'assistant') return said;
    const usage = recordAt(message, 'usage');
    used.push(usage);
    if (message['stopReason'] === 'toolUse')
      return [...said, { is: 'usage', message: textAt(message, 'responseId'), spent: spentOf([usage]) }];
    const total = spentOf(used);
    used = [];
    const failed = message['stopReason'] === 'error';
    const error = textAt(message, 'errorMessage');
    const code = LIMIT.test(error) ? 'limit' : null;
    return [...said, resultOf({ failed, total, since: total, error, status: statusIn(error), code })];
  });
}

/** Errors are told in words. Where a service has answered, they begin with its status, or are its answer. */
const STATUS = /^(?:(\d{3})\b|\{"error":\{"code":(\d{3})\b)/;
const LIMIT = /^You have hit your ChatGPT usage limit/;

function statusIn(error: string): number | null {
  const [, first, second] = STATUS.exec(error) ?? [];
  return Number(first ?? second) || null;
}

function readRetry(value: JsonFields): StreamEvent {
  const why = textAt(value, 'errorMessage');
  return {
    is: 'retry',
    attempt: countAt(value, 'attempt'),
    most: numberAt(value, 'maxAttempts'),
    delayMs: numberAt(value, 'delayMs'),
    status: statusIn(why),
    why: brief(why),
    hopeless: null,
  };
}

/** At the prices in its own list of models. */
function spentOf(used: readonly JsonFields[]): Spent {
  const sum = (key: string) => used.reduce((all, usage) => all + countAt(usage, key), 0);
  const costUsd = used.reduce((all, usage) => all + (numberAt(recordAt(usage, 'cost'), 'total') ?? 0), 0);
  const [input, output] = [sum('input'), sum('output')];
  const tokens = { input, output, cacheRead: sum('cacheRead'), cacheWrite: sum('cacheWrite') };
  return { costUsd: Math.max(0, costUsd), tokens };
}

/** A message in the stream, or in a row of the file that records a session. */
export function readMessage(message: JsonFields): readonly StreamEvent[] {
  const { role, content } = message;
  if (role === 'toolResult')
    return [toolOutcome(textAt(message, 'toolCallId'), message['isError'] === true, wordsOf(content))];
  if (role !== 'assistant') return OTHER;
  return recordsIn(content).flatMap((part): StreamEvent[] => {
    if (part['type'] === 'toolCall')
      return [toolCall(textAt(part, 'id'), textAt(part, 'name'), part['arguments'])];
    const id = textAt(message, 'responseId');
    return part['type'] === 'text' ? [{ is: 'text', message: id, text: textAt(part, 'text') }] : [];
  });
}
