/** What readers of a host's stream of JSON lines share. A reader of one host is a function from one object to events. */
import { endsOf, headOf, oneLine } from '../core/words/sanitize.ts';
import { isRecord, textOrNull } from '../core/shape.ts';
import type { StreamReader } from './headless.ts';
import type { Result, Spent, StreamEvent } from './stream.ts';

export type JsonFields = Readonly<Record<string, unknown>>;

const SUMMARY = 120;
const OUTCOME = 2_000;
const WORDS = 400;
/** How much of an input we read for its summary. */
const LOOKED_AT = 2_000;

export const OTHER: readonly StreamEvent[] = [{ is: 'other' }];

export function jsonLines(read: (value: JsonFields) => readonly StreamEvent[]): StreamReader {
  return { read: (line) => readJsonLine(line, read) };
}

export function readJsonLine(
  line: string,
  read: (value: JsonFields) => readonly StreamEvent[],
): StreamEvent[] {
  // Test first: an exception for each line of noise costs ten times as much.
  if (!/^\s*\{/.test(line)) return noiseIn(line);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return noiseIn(line);
  }
  return isRecord(value) ? [...read(value)] : [...OTHER];
}

function noiseIn(line: string): StreamEvent[] {
  return line.trim() === '' ? [] : [{ is: 'noise', text: brief(line) }];
}

/** Words of a host for people, in one line. */
export function brief(words: string): string {
  return oneLine(headOf(words, LOOKED_AT), WORDS);
}

/** The output of a tool. The beginning shows what it is, the end shows its result. */
export function outcomeOf(words: string): { readonly text: string; readonly lines: number } {
  const ends = words.length <= 2 * OUTCOME ? words : `${words.slice(0, OUTCOME)}\n${words.slice(-OUTCOME)}`;
  const whole = words.trimEnd();
  return { text: endsOf(ends, OUTCOME), lines: whole === '' ? 0 : whole.split('\n').length };
}

/** The input fields that describe a call best, in this order. */
const TELLING = [
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'url',
  'query',
  'description',
  'skill',
  'prompt',
];

/** The input of a call in one line. */
export function summaryOf(input: unknown): string {
  if (typeof input === 'string') return oneLine(headOf(input, LOOKED_AT), SUMMARY);
  if (!isRecord(input)) return '';
  const telling = TELLING.map((key) => input[key]).find((value) => typeof value === 'string');
  return summaryOf(telling ?? Object.values(input).find((value) => typeof value === 'string'));
}

export function numberAt(value: JsonFields, key: string): number | null {
  const found = value[key];
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

/** A count, never below zero: the journal has no such amounts. */
export function countAt(value: JsonFields, key: string): number {
  return Math.round(Math.max(0, numberAt(value, key) ?? 0));
}

/** The first line of a stream that tells no more than the session. */
export function sessionBegins(session: unknown): StreamEvent {
  return {
    is: 'init',
    session: textOrNull(session),
    model: null,
    window: null,
    version: null,
    permissionMode: null,
  };
}

const NOTHING: Spent = { costUsd: null, tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };

/** The end of a turn, of a host that tells no more than this. `error`: it failed. */
export function resultOf(
  told: Partial<Pick<Result, 'total' | 'since' | 'error' | 'status' | 'code' | 'turns'>>,
): Result {
  const { total = NOTHING, since = null, error = null, status = null, code = null, turns = 1 } = told;
  return {
    is: 'result',
    failed: error !== null,
    reason: null,
    subtype: null,
    type: null,
    status,
    code,
    total,
    since,
    window: null,
    turns,
    denied: [],
    error: error === null ? null : brief(error),
  };
}
