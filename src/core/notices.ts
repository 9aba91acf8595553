/** What people and programs outside a loop may want to be told of it: when it starts, ends, waits, rests or goes on. */
import type { Event } from './record/events.ts';
import { hasEnded, needsPerson, type Loop, type Status } from './loop.ts';

export interface Notice {
  readonly is: 'started' | 'completed' | 'ended' | 'needs-person' | 'waits' | 'rests' | 'goes-on';
  readonly at: string;
  /** The loop as it is now. */
  readonly loop: Loop;
}

/** `before`: null where the event has made the loop. An event that changes nothing for others gives none. */
export function notices(before: Loop | null, after: Loop, { at }: Pick<Event, 'at'>): Notice[] {
  if (before === null) return [{ is: 'started', at, loop: after }];
  if (stateOf(before.status) === stateOf(after.status)) return [];
  return [{ is: noticeOf(after), at, loop: after }];
}

function noticeOf(loop: Loop): Notice['is'] {
  const { is } = loop.status;
  if (needsPerson(loop)) return 'needs-person';
  if (hasEnded(loop)) return is === 'completed' ? 'completed' : 'ended';
  if (is === 'waiting') return 'waits';
  return is === 'running' ? 'goes-on' : 'rests';
}

/** A loop that waits for something else than before is news as well. */
export function stateOf(status: Status): string {
  return 'for' in status ? `${status.is} ${status.for}` : status.is;
}
