/**
 * Reads one line of Claude Code's stream (`--output-format stream-json --verbose`). Measured with 2.1.325.
 */
import { isRecord, textOrNull, recordsIn, textAt, recordAt } from '#base/shape.ts';
import type { UsageWindow } from '#law/record/usage-window.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import type { RateLimit, Result, StreamEvent, Spent, Tokens } from '#hosts/port/stream.ts';
import { blocksOf, byChain, deniedIn, readBlock, readUser, textOfContent } from '#hosts/kit/messages.ts';
import {
  previewOf,
  compacted,
  countAt,
  numberAt,
  resultOf,
  sessionBegins,
  type JsonFields,
} from '#hosts/kit/stream-lines.ts';
import { hopelessKind } from './faults.ts';
import { windowOfModel } from '../context-window.ts';
import { readUsage, costOf, tokensOf } from '../usage-cost.ts';

export function readLine(value: JsonFields, env: Environment = {}): readonly StreamEvent[] {
  return byChain(value, readMessage(value, env));
}

function readMessage(value: JsonFields, env: Environment): StreamEvent[] {
  switch (value['type']) {
    case 'system':
      return [readSystem(value, env)];
    case 'assistant':
      return value['is_api_error_message'] === true ? [readFault(value)] : readAssistant(value['message']);
    case 'user':
      return [...readUser(value['message']), ...refusedIn(value['tool_result_meta'])];
    case 'rate_limit_event':
      return [readRateLimit(value['rate_limit_info'])];
    case 'result':
      return [readResult(value)];
    default:
      return [{ is: 'other' }];
  }
}

function readSystem(value: JsonFields, env: Environment): StreamEvent {
  switch (value['subtype']) {
    case 'init': {
      const model = textOrNull(value['model']);
      const { claude_code_version: version, permissionMode: permission_mode } = value;
      const window = model === null ? null : windowOfModel(model);
      return sessionBegins(value['session_id'], { model, version, permission_mode }, window);
    }
    case 'api_retry': {
      const [status, why] = [numberAt(value, 'error_status'), textOrNull(value['error'])];
      return {
        is: 'retry',
        attempt: numberAt(value, 'attempt') ?? 0,
        most: numberAt(value, 'max_retries'),
        delayMs: numberAt(value, 'retry_delay_ms'),
        status,
        // Its code for anything that is no answer of the API.
        why: why === 'unknown' && status === null ? `no answer from ${addressOf(env)}` : why,
        hopeless: hopelessKind(why, status),
      };
    }
    case 'model_fallback':
      return {
        is: 'fallback',
        model: textOrNull(value['fallback_model']),
        why: textOrNull(value['trigger']),
      };
    case 'permission_denied':
      return {
        is: 'denied',
        tool: textAt(value, 'tool_name') || 'a tool',
        why: previewOf(textAt(value, 'message')),
      };
    case 'compact_boundary':
      return compacted(recordAt(value, 'compact_metadata'), 'pre_tokens', 'post_tokens');
    default:
      return { is: 'other' };
  }
}

/** Where the host asks its model. An address may hold a password or a key, so only its host is shown. */
function addressOf(env: Environment): string {
  const set = env['ANTHROPIC_BASE_URL'];
  return set && URL.canParse(set) ? `the API at ${new URL(set).host}` : 'the API';
}

/** The host writes one line per block; blocks of one message share its id. */
function readAssistant(message: unknown): StreamEvent[] {
  if (!isRecord(message)) return [{ is: 'other' }];
  const id = textOrNull(message['id']);
  const usage = readUsage(recordAt(message, 'usage'));
  const all = tokensOf(usage);
  const used: StreamEvent[] = all === 0 ? [] : [{ is: 'context', tokens: all, window: null }];
  if (all > 0 && id !== null) {
    const { input, output, cacheRead, cache5m, cache1h } = usage;
    const tokens = { input, output, cacheRead, cacheWrite: cache5m + cache1h };
    const costUsd = costOf(textAt(message, 'model'), usage);
    used.push({ is: 'usage', message: id, spent: { costUsd, tokens } });
  }
  return [...used, ...blocksOf(message).map((block) => readBlock(block, id))];
}

function refusedIn(about: unknown): StreamEvent[] {
  return recordsIn(about)
    .filter((one) => recordAt(one, 'permission_decision')['source'] === 'hook')
    .filter((one) => recordAt(one, 'permission_decision')['decision'] === 'reject')
    .map((one) => ({ is: 'refused', id: textAt(one, 'id') }));
}

function readFault(value: JsonFields): StreamEvent {
  return {
    is: 'fault',
    word: textOrNull(value['error']),
    type: textOrNull(value['api_error_type']),
    code: textOrNull(value['api_error']),
    status: numberAt(value, 'api_error_status'),
    text: previewOf(textOfContent(recordAt(value, 'message')['content'])),
  };
}

function readRateLimit(info: unknown): StreamEvent {
  if (!isRecord(info)) return { is: 'other' };
  const windows = windowsIn(info);
  return {
    is: 'rate-limit',
    status: limitStatus(info['status']),
    resetsAt: instantAt(info, 'resetsAt'),
    kind: textOrNull(info['rateLimitType']),
    ...(windows.length > 0 && { windows }),
  };
}

const HOUR_MINUTES = 60;
/** Its names for the windows of a subscription. What is paid for beyond them has no window. */
const WINDOW_MINUTES: Readonly<Record<string, number>> = {
  five_hour: 5 * HOUR_MINUTES,
  seven_day: 7 * 24 * HOUR_MINUTES,
  seven_day_opus: 7 * 24 * HOUR_MINUTES,
  seven_day_sonnet: 7 * 24 * HOUR_MINUTES,
};

/** All of them by name, or, in a warning, the one that it is about. */
function windowsIn(info: JsonFields): UsageWindow[] {
  const all = Object.entries(recordAt(info, 'unifiedWindows'));
  const told = all.length > 0 ? all : [[textAt(info, 'rateLimitType'), info] as const];
  return told.flatMap(([name, window]) => {
    const minutes = WINDOW_MINUTES[name];
    if (minutes === undefined || !isRecord(window)) return [];
    const [used, resetsAt] = [numberAt(window, 'utilization'), instantAt(window, 'resetsAt')];
    if (used === null || used < 0 || resetsAt === null) return [];
    return [{ minutes, usedPercent: percentOf(used), resetsAt }];
  });
}

/** 0.57 × 100 is not 57 in binary fractions. */
function percentOf(share: number): number {
  return Math.round(share * 10_000) / 100;
}

function limitStatus(status: unknown): RateLimit['status'] {
  if (status === 'rejected') return 'rejected';
  return status === 'allowed_warning' ? 'warning' : 'allowed';
}

function instantAt(fields: JsonFields, name: string): string | null {
  const seconds = numberAt(fields, name);
  return seconds === null ? null : instantOf(seconds);
}

function instantOf(seconds: number): string | null {
  const instant = new Date(seconds * 1000);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

function readResult(value: JsonFields): Result {
  const failed = value['is_error'] === true;
  const { errors } = value;
  const error = Array.isArray(errors) ? errors.filter((item) => typeof item === 'string').join('; ') : '';
  return resultOf({
    failed,
    reason: textOrNull(value['terminal_reason']),
    subtype: textOrNull(value['subtype']),
    status: numberAt(value, 'api_error_status'),
    type: textOrNull(value['api_error_type']),
    code: textOrNull(value['api_error']),
    total: spentOf(value['modelUsage'], numberAt(value, 'total_cost_usd')),
    since: isRecord(value['model_usage_since_last_result'])
      ? spentOf(value['model_usage_since_last_result'], null)
      : null,
    window: windowOf(value['modelUsage']),
    turns: numberAt(value, 'num_turns') ?? 0,
    denied: deniedIn(value['permission_denials']),
    error: error || (failed ? textOrNull(value['result']) : null),
  });
}

/**
 * By model, subagents included; `usage` beside it covers the main chain only. A figure below zero counts as
 * none: the journal has no such amounts.
 */
function spentOf(byModel: unknown, costUsd: number | null): Spent {
  const models = isRecord(byModel) ? Object.values(byModel).filter(isRecord) : [];
  const sum = (key: string) => models.reduce((all, model) => all + Math.max(0, numberAt(model, key) ?? 0), 0);
  const count = (key: string) => models.reduce((all, model) => all + countAt(model, key), 0);
  const tokens: Tokens = {
    input: count('inputTokens'),
    output: count('outputTokens'),
    cacheRead: count('cacheReadInputTokens'),
    cacheWrite: count('cacheCreationInputTokens'),
  };
  return { costUsd: costUsd === null ? sum('costUSD') : Math.max(0, costUsd), tokens };
}

/** The window of the model that worked most: a helper model's window says nothing about the agent's. */
function windowOf(byModel: unknown): number | null {
  const models = isRecord(byModel) ? Object.values(byModel).filter(isRecord) : [];
  const [first] = models.toSorted((a, b) => (numberAt(b, 'costUSD') ?? 0) - (numberAt(a, 'costUSD') ?? 0));
  return first === undefined ? null : numberAt(first, 'contextWindow');
}
