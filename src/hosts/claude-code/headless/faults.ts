/**
 * How a pass of Claude Code ended, by the fields of its result. `hosts/kit/pass-outcome.ts` has what hosts
 * agree about.
 */
import { oneLine } from '#base/words/sanitize.ts';
import {
  fatal,
  fatalStatus,
  passOutcome,
  refusedRequest,
  outcomeByStatus,
  stopped,
  transient,
  MAX_FAULT_CHARS,
} from '#hosts/kit/pass-outcome.ts';
import type { PassOutcome, PassEnd } from '#hosts/port/headless.ts';
import type { FatalKind, HostFault, Result, PassRecord } from '#hosts/port/stream.ts';

/**
 * Claude Code's words for errors that no retry can fix. All other words mean that a later attempt may
 * succeed.
 */
export const FATAL_WORDS: Readonly<Record<string, FatalKind>> = {
  billing_error: 'billing',
  authentication_failed: 'auth',
  oauth_org_not_allowed: 'auth',
  account_on_hold: 'auth',
  verification_required: 'auth',
  cloud_credential_error: 'auth',
  model_not_found: 'model',
};

export function classifyEnd(end: PassEnd): PassOutcome {
  const { result } = end.record;
  // A turn that was interrupted from outside is not a stop, whatever else the result says.
  if (end.unstartable === null && result?.reason?.startsWith('aborted') === true)
    return { is: 'crashed', exit: end.exit, signal: end.signal, why: `interrupted (${result.reason})` };
  return passOutcome(end, (found) => failed(found, end.record));
}

function failed(result: Result, record: PassRecord): PassOutcome {
  const why = whyOf(result, record.fault);
  switch (result.reason) {
    case 'budget_exhausted':
      return { is: 'budget', why };
    // The person's own limit on a pass (`-- --max-turns 20`). The work goes on in the next pass.
    case 'max_turns':
      return stopped(record);
    case 'api_error':
      return apiFault(result, record, why);
    // The conversation is too long for the model. A new one is not, unless this one had only just begun.
    case 'prompt_too_long':
    case 'image_error':
      return refusedRequest(record, why, result.status);
    case null:
      // No turn began at all: for example, the session to resume is unknown.
      return record.model === null ? fatal('config', why) : transient(why, result.status);
    default:
      return transient(why, result.status);
  }
}

/** The API's own error type is more precise than the host's, which calls each 403 a failed authentication. */
const BY_TYPE: Readonly<Record<string, FatalKind>> = {
  billing_error: 'billing',
  permission_error: 'permission',
  authentication_error: 'auth',
};

function apiFault(result: Result, record: PassRecord, why: string): PassOutcome {
  const { status } = result;
  if (isUsageLimit(result, record)) return { is: 'limit', resetsAt: record.limit?.resetsAt ?? null, why };
  const kind = BY_TYPE[result.type ?? ''] ?? FATAL_WORDS[record.fault?.word ?? ''];
  return kind === undefined ? outcomeByStatus(status, record, why) : fatal(kind, why);
}

/**
 * When a limit of the account is reached, the host names the limit. It also reports `rejected` for a server
 * that is only busy, sometimes with a reset time, but then without the name of a limit.
 */
function isUsageLimit({ status, code }: Result, { limit, fault }: PassRecord): boolean {
  if (code === 'usage_limit_reached' || fault?.code === 'usage_limit_reached') return true;
  return status === 429 && limit?.status === 'rejected' && limit.kind !== null;
}

/** The host retries after any error, ten times in five minutes. This says whether that can help. */
export function hopelessKind(word: string | null, status: number | null): FatalKind | null {
  return FATAL_WORDS[word ?? ''] ?? fatalStatus(status) ?? null;
}

/** For a person: the fields that we judged by, then the host's own text. */
function whyOf({ reason, subtype, status, error }: Result, fault: HostFault | null): string {
  const fields = [reason ?? subtype ?? 'failed', status].filter((field) => field !== null).join(' ');
  const words = error ?? fault?.text ?? '';
  return words === '' ? fields : oneLine(`${fields}: ${words}`, MAX_FAULT_CHARS);
}
