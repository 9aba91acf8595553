/**
 * How a pass ended, as far as hosts agree about it. We judge by the fields of the stream and by the exit,
 * never by prose, so that text about rate limits in a file is never taken for one. The full table:
 * docs/internals/decisions/004-how-a-pass-ended.md.
 */
import { oneLine, tailOf } from '#base/words/sanitize.ts';
import type { PassOutcome, PassEnd } from '../port/headless.ts';
import type { FatalKind, PassRecord, Result } from '../port/stream.ts';

export const MAX_FAULT_CHARS = 400;

const BY_STATUS: Readonly<Record<number, FatalKind>> = {
  401: 'auth',
  402: 'billing',
  403: 'permission',
  404: 'model',
};

/** The fault that this status of the API means, if no retry can fix it. */
export function fatalStatus(status: number | null): FatalKind | undefined {
  return BY_STATUS[status ?? 0];
}

/** `failed`: judges a result that says that the turn failed. */
export function passOutcome(
  end: PassEnd,
  failed: (result: Result, end: PassEnd) => PassOutcome,
): PassOutcome {
  const { result } = end.record;
  if (end.unstartable !== null) return fatal('config', end.unstartable);
  if (result === null) return withoutResult(end);
  return result.failed ? failed(result, end) : stopped(end.record);
}

/** By the status of the API. `kindOf`: what else a failed result tells; undefined: nothing. */
export function classifyBy(kindOf: (result: Result) => FatalKind | 'limit' | undefined = () => undefined) {
  return (end: PassEnd): PassOutcome =>
    passOutcome(end, (result) => {
      const [kind, why] = [kindOf(result), result.error ?? 'failed'];
      if (kind === 'limit') return { is: 'limit', resetsAt: null, why };
      return kind === undefined ? outcomeByStatus(result.status, end.record, why) : fatal(kind, why);
    });
}

export function stopped({ message, toolUsed, denied }: PassRecord): PassOutcome {
  return { is: 'stopped', message, toolUsed, denied };
}

/**
 * A host that exits by itself before a session began has refused its arguments, its settings or the folder,
 * and will again. From 126 on, exit codes are those of shells and signals.
 */
function withoutResult({ exit, signal, stderr, record }: PassEnd): PassOutcome {
  const words = tailOf(stderr, MAX_FAULT_CHARS).trim() || (record.noise ?? '');
  const how = signal === null ? `exit code ${exit ?? 'unknown'}, without a result` : `ended by ${signal}`;
  if (exit !== null && exit > 0 && exit < 126 && record.session === null)
    return fatal('config', oneLine(words || how, MAX_FAULT_CHARS));
  return { is: 'crashed', exit, signal, why: words === '' ? how : `${how}: ${words}` };
}

/** The API has answered with this status, or the host could not reach it (null). */
export function outcomeByStatus(status: number | null, record: PassRecord, why: string): PassOutcome {
  const kind = fatalStatus(status);
  if (kind !== undefined) return fatal(kind, why);
  return isRefusal(status) ? refusedRequest(record, why, status) : transient(why, status);
}

/** 408, 409, 425 and 429 are temporary; the other 4xx are not. */
function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status);
}

/**
 * The API rejects the request. At the first request the cause is the set-up; later it is this one
 * conversation.
 */
export function refusedRequest({ toolUsed }: PassRecord, why: string, status: number | null): PassOutcome {
  return toolUsed ? transient(why, status) : fatal('config', why);
}

export function transient(why: string, status: number | null): PassOutcome {
  return { is: 'transient', why, status };
}

export function fatal(kind: FatalKind, why: string): PassOutcome {
  return { is: 'fatal', kind, why };
}
