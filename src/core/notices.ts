/**
 * The changes of a loop that people and programs outside may want to hear of: it starts, ends, waits, rests or
 * continues.
 */
import type { Event } from './record/events.ts';
import { hasEnded, needsPerson, type Loop, type Request, type Status } from './loop.ts';

export type Notice = {
  readonly at: string;
  /** The loop as it is now. */
  readonly loop: Loop;
} & (
  | { readonly is: 'started' | 'completed' | 'ended' | 'needs-person' | 'waits' | 'rests' | 'goes-on' }
  /** A person is asked, and the loop waits for the answer. */
  | { readonly is: 'asks'; readonly request: Request }
);
type Change = Exclude<Notice['is'], 'asks'>;

/** `before`: null if the event created the loop. An event that changes nothing for outsiders gives no notice. */
export function notices(before: Loop | null, after: Loop, { at }: Pick<Event, 'at'>): Notice[] {
  if (before === null) return [{ is: 'started', at, loop: after }];
  const request = after.requested > before.requested ? after.requests.at(-1) : undefined;
  if (request !== undefined) return [{ is: 'asks', at, loop: after, request }];
  if (stateOf(before.status) === stateOf(after.status)) return [];
  return [{ is: noticeOf(after), at, loop: after }];
}

function noticeOf(loop: Loop): Change {
  const { is } = loop.status;
  if (needsPerson(loop)) return 'needs-person';
  if (hasEnded(loop)) return is === 'completed' ? 'completed' : 'ended';
  if (is === 'waiting') return 'waits';
  return is === 'running' ? 'goes-on' : 'rests';
}

/** Includes what a loop waits for, so a change of that is reported too. */
export function stateOf(status: Status): string {
  return 'for' in status ? `${status.is} ${status.for}` : status.is;
}

/** Whether an event that led from one to the other may give a notice. */
export function isNotable(before: Loop, after: Loop): boolean {
  return stateOf(before.status) !== stateOf(after.status) || before.requested !== after.requested;
}
