/**
 * What a loop has asked its person, as derived from the journal: which requests are open, and what was
 * answered.
 */
import type { Loop, Request, LoopPart } from '../loop.ts';

/** An unanswered request ends a loop after this time, unless its definition names another. */
export const ANSWER_MS = 24 * 3_600_000;

/** More are not asked at once: nobody reads them. */
export const MAX_OPEN_REQUESTS = 16;

export const MAX_REQUEST_CHARS = 2_000;
export const MAX_REQUEST_WHY_CHARS = 1_000;
export const MAX_NOTE_CHARS = 4_000;

export function openRequestsOf({ people: { requests } }: LoopPart<'people', 'requests'>): readonly Request[] {
  return requests.filter(({ answer }) => answer === null);
}

/** An approval completes the loop. */
export function asksIfDone({ kind }: Pick<Request, 'kind'>): boolean {
  return kind === 'completion' || kind === 'acceptance';
}

export function endedUnanswered({ status }: Pick<Loop, 'status'>): boolean {
  return status.is === 'escalated' && status.why.is === 'unanswered';
}

/** The end of the loop's id and a number, so an id names one request, and each is asked once. */
export function nextRequestId(loop: Pick<Loop, 'id'> & LoopPart<'people', 'requested'>): string {
  return `${requestPrefix(loop.id)}${loop.people.requested + 1}`;
}

export function requestPrefix(loop: string): string {
  return `ask-${loop.slice(loop.lastIndexOf('_') + 1)}-`;
}

/**
 * Whether a word names a request. An answer that begins with such a word has to be given with its request.
 */
export function isRequestId(word: string): boolean {
  return /^ask-\S+$/.test(word);
}

/** The open request for this very call, so that a repeated call asks nothing new. */
export function openFor(loop: LoopPart<'people', 'requests'>, digest: string): Request | null {
  return openRequestsOf(loop).find(({ what }) => what.digest === digest) ?? null;
}

/** The approval that this very call may use: given, and not used yet, or used by this same call before. */
export function approvalFor(
  { people: { requests } }: LoopPart<'people', 'requests'>,
  digest: string,
  call: string,
): Request | null {
  const fits = ({ what, answer, released }: Request) =>
    what.digest === digest && answer?.is === 'approved' && (released === null || released === call);
  return requests.find(fits) ?? null;
}

/** The answers that the agent does not know yet. The loop's end tells of an expiry. */
export function untoldAnswers({ people: { requests } }: LoopPart<'people', 'requests'>): readonly Request[] {
  return requests.filter(({ answer, told }) => answer !== null && answer.is !== 'expired' && !told);
}
