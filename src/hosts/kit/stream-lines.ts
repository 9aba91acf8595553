/**
 * What readers of a host's stream of JSON lines share. A reader of one host is a function from one object to
 * events.
 */
import { endsOf, headOf, oneLine } from '#base/words/sanitize.ts';
import { isRecord, parseAs, textOrNull } from '#base/shape.ts';
import { fatalStatus } from './pass-outcome.ts';
import type { StreamReader } from '../port/headless.ts';
import type { Result, Spent, StreamEvent, Tokens } from '../port/stream.ts';

export type JsonFields = Readonly<Record<string, unknown>>;

/** Long enough for a path below the state folder, which a screen shows short. */
const MAX_SUMMARY_CHARS = 400;
const MAX_OUTCOME_CHARS = 2_000;
const MAX_PREVIEW_CHARS = 400;
/** How much of an input we read for its summary. */
const MAX_INPUT_CHARS_READ = 2_000;

export const OTHER: readonly StreamEvent[] = [{ is: 'other' }];

export function jsonLineReader(read: (value: JsonFields) => readonly StreamEvent[]): StreamReader {
  return {
    read: (line) => {
      // Test first: an exception for each line of noise costs ten times as much.
      const value = /^\s*\{/.test(line) ? parseAs(isRecord, line) : null;
      if (value !== null) return [...read(value)];
      return line.trim() === '' ? [] : [noise(line)];
    },
  };
}

export function previewOf(words: string): string {
  return oneLine(headOf(words, MAX_INPUT_CHARS_READ), MAX_PREVIEW_CHARS);
}

/** Of the output of a tool, the beginning shows what it is, and the end shows its result. */
export function toolOutcome(id: string, failed: boolean, words: string): StreamEvent {
  const ends =
    words.length <= 2 * MAX_OUTCOME_CHARS
      ? words
      : `${words.slice(0, MAX_OUTCOME_CHARS)}\n${words.slice(-MAX_OUTCOME_CHARS)}`;
  const whole = words.trimEnd();
  const lines = whole === '' ? 0 : whole.split('\n').length;
  return { is: 'tool-outcome', id, failed, text: endsOf(ends, MAX_OUTCOME_CHARS), lines };
}

export function toolCall(id: string, name: string, input: unknown): StreamEvent {
  return { is: 'tool', id, name, summary: inputSummary(input) };
}

/** A line for people that says nothing about the turn. */
export function noise(words: string): StreamEvent {
  return { is: 'noise', text: previewOf(words) };
}

export function retryOf(
  attempt: number,
  most: number | null,
  status: number | null,
  why: string,
): StreamEvent {
  const hopeless = fatalStatus(status) ?? null;
  return { is: 'retry', attempt, most, delayMs: null, status, why: previewOf(why), hopeless };
}

/** The input fields that describe a call best, in this order. */
const TELLING = 'command file_path notebook_path path pattern url query description skill prompt'.split(' ');

export function inputSummary(input: unknown): string {
  if (typeof input === 'string') return oneLine(headOf(input, MAX_INPUT_CHARS_READ), MAX_SUMMARY_CHARS);
  if (!isRecord(input)) return '';
  const telling = TELLING.map((key) => input[key]).find((value) => typeof value === 'string');
  return inputSummary(telling ?? Object.values(input).find((value) => typeof value === 'string'));
}

export function numberAt(value: JsonFields, key: string): number | null {
  const found = value[key];
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

/** A count, never below zero: the journal has no such amounts. */
export function countAt(value: JsonFields, key: string): number {
  return Math.round(Math.max(0, numberAt(value, key) ?? 0));
}

/** The first line of a stream. `more`: fields that tell more than the session. */
export function sessionBegins(
  session: unknown,
  more: JsonFields = {},
  window: number | null = null,
): StreamEvent {
  return {
    is: 'init',
    session: textOrNull(session),
    model: textOrNull(more['model']),
    window,
    version: textOrNull(more['version']),
    permissionMode: textOrNull(more['permission_mode']),
  };
}

export type TokenKeys = Readonly<Record<'input' | 'output' | 'total' | 'cacheRead', string>>;

/** Of hosts that count what comes from the cache as input. Where they tell a total, thoughts are in it. */
export function tokensTold(usage: JsonFields, keys: TokenKeys): Tokens {
  const [all, cacheRead] = [countAt(usage, keys.input), countAt(usage, keys.cacheRead)];
  const output = Math.max(countAt(usage, keys.output), countAt(usage, keys.total) - all);
  return { input: Math.max(0, all - cacheRead), output, cacheRead, cacheWrite: 0 };
}

/** The same in the words of most. They tell no price. */
export function tokensSpent(usage: JsonFields, cacheRead: string): Spent {
  const keys = { input: 'input_tokens', output: 'output_tokens', total: 'total_tokens', cacheRead };
  return { costUsd: null, tokens: tokensTold(usage, keys) };
}

/** What a result tells of a host whose record tells it. */
export const NOT_TOLD: Spent = /* @__PURE__ */ tokensSpent({}, '');

export function compacted(about: JsonFields, from: string, to: string): StreamEvent {
  return { is: 'compacted', from: numberAt(about, from), to: numberAt(about, to) };
}

/** The end of a turn. Of what a host does not tell we know nothing. */
export function resultOf({ error, ...told }: Partial<Result> & Pick<Result, 'failed'>): Result {
  return {
    is: 'result',
    reason: null,
    subtype: null,
    type: null,
    status: null,
    code: null,
    total: null,
    since: null,
    window: null,
    turns: 1,
    denied: [],
    ...told,
    error: error ? previewOf(error) : null,
  };
}
