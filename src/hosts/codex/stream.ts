/** Reads the stream of Codex (`codex exec --json`), and the files that record its sessions (0.166.0). */
import { isRecord, parseAs, recordAt, recordsIn, textAt, textOrNull } from '#base/shape.ts';
import { usageWindow, type UsageWindow } from '#law/record/usage-window.ts';
import { textOfContent } from '../kit/messages.ts';
import type { StreamEvent } from '../port/stream.ts';
import {
  previewOf,
  noise,
  numberAt,
  NOT_TOLD,
  OTHER,
  resultOf,
  retryOf,
  sessionBegins,
  tokensSpent,
  toolCall,
  toolOutcome,
  type JsonFields,
} from '../kit/stream-lines.ts';

export function readLine(value: JsonFields): readonly StreamEvent[] {
  switch (value['type']) {
    case 'thread.started':
      return [sessionBegins(value['thread_id'])];
    case 'item.started':
      return startedItem(recordAt(value, 'item'));
    case 'item.completed':
      return completedItem(recordAt(value, 'item'));
    case 'error':
      return [readError(textAt(value, 'message'))];
    case 'turn.completed': {
      // Of the whole thread.
      const total = tokensSpent(recordAt(value, 'usage'), 'cached_input_tokens');
      return [resultOf({ failed: false, total })];
    }
    case 'turn.failed':
      return [failedWith(textAt(recordAt(value, 'error'), 'message'))];
    default:
      return OTHER;
  }
}

function startedItem(item: JsonFields): readonly StreamEvent[] {
  const call = callOf(item);
  return call === null ? OTHER : [toolCall(textAt(item, 'id'), ...call)];
}

function completedItem(item: JsonFields): readonly StreamEvent[] {
  const id = textAt(item, 'id');
  const { type, text, status } = item;
  if (type === 'agent_message' && typeof text === 'string') return [{ is: 'text', message: id, text }];
  // A notice of Codex, which is no error of the turn.
  if (type === 'error') return [noise(textAt(item, 'message'))];
  if (callOf(item) === null) return OTHER;
  return [toolOutcome(id, status === 'failed' || status === 'declined', textAt(item, 'aggregated_output'))];
}

function callOf(item: JsonFields): [name: string, input: unknown] | null {
  switch (item['type']) {
    case 'command_execution':
      return ['Bash', item];
    case 'file_change': {
      const paths = recordsIn(item['changes']).map((change) => textAt(change, 'path'));
      return ['apply_patch', paths.join(', ')];
    }
    case 'mcp_tool_call':
      return [`mcp__${textAt(item, 'server')}__${textAt(item, 'tool')}`, item['arguments']];
    case 'web_search':
      return ['web_search', item];
    default:
      return null;
  }
}

/**
 * Codex reports errors in words of its own, and in no field. Where it tells the status of the API, it stands
 * at the beginning; what the service said comes after it, and is not read.
 */
const ERROR_STATUS = /^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b/;
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^You.ve hit your usage limit/, 'limit'],
  [/^Quota exceeded/, 'billing'],
];
/** A request that the API refused (400): its answer, whole. */
const REFUSED = /^\{"error"/;
const RETRY = /^Reconnecting\.\.\. (\d+)\/(\d+) \((.*)\)$/s;

function statusIn(message: string): number | null {
  const [, status] = ERROR_STATUS.exec(message) ?? [];
  return status === undefined ? (REFUSED.test(message) ? 400 : null) : Number(status);
}

function failedWith(error: string): StreamEvent {
  const code = KINDS.find(([sign]) => sign.test(error))?.[1] ?? null;
  return resultOf({ failed: true, total: NOT_TOLD, error, status: statusIn(error), code });
}

function readError(message: string): StreamEvent {
  const [, attempt, most, why = ''] = RETRY.exec(message) ?? [];
  const status = statusIn(attempt === undefined ? message : why);
  if (attempt === undefined)
    return { is: 'fault', word: null, type: null, code: null, status, text: previewOf(message) };
  return retryOf(Number(attempt), Number(most), status, why);
}

export function readRow(row: JsonFields): readonly StreamEvent[] {
  const item = recordAt(row, 'payload');
  if (row['type'] !== 'response_item') return OTHER;
  const id = textAt(item, 'call_id');
  switch (item['type']) {
    case 'message':
      return item['role'] === 'assistant'
        ? [{ is: 'text', message: textOrNull(item['id']), text: textOfContent(item['content']) }]
        : OTHER;
    case 'function_call':
    case 'custom_tool_call':
      return [toolCall(id, textAt(item, 'name'), item['input'] ?? inputIn(textAt(item, 'arguments')))];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [toolOutcome(id, false, textAt(item, 'output'))];
    default:
      return OTHER;
  }
}

/**
 * The windows of a subscription, in a row of the record of a session. The stream does not have them, and with
 * an API key there are none.
 */
export function windowsIn(row: string): UsageWindow[] {
  if (!row.includes('"rate_limits"')) return [];
  const limits = recordAt(recordAt(parseAs(isRecord, row) ?? {}, 'payload'), 'rate_limits');
  return [recordAt(limits, 'primary'), recordAt(limits, 'secondary')].flatMap((window) => {
    const [minutes, usedPercent] = [numberAt(window, 'window_minutes'), numberAt(window, 'used_percent')];
    const resetsAt = new Date((numberAt(window, 'resets_at') ?? Number.NaN) * 1000);
    if (minutes === null || usedPercent === null || Number.isNaN(resetsAt.getTime())) return [];
    return [{ minutes, usedPercent, resetsAt: resetsAt.toISOString() }].filter(usageWindow);
  });
}

function inputIn(json: string): unknown {
  const input = parseAs(isRecord, json);
  return textOrNull(input?.['cmd']) ?? input ?? json;
}
