/**
 * The changes of a loop that people and programs outside may want to hear of: it starts, ends, asks, waits,
 * rests or continues.
 */
import type { Event } from './record/events.ts';
import { framesOf, type Frame, type Loop, type Request, type Status } from './loop.ts';

/** The words that a person's config and a webhook use for a notice. */
export const NOTICE_KINDS = [
  'started',
  'running',
  'waiting',
  /** The host's usage limit: nothing happens until it is over. */
  'limit',
  'approval',
  'question',
  'paused',
  /** The host failed or ended the turn, and the loop does not continue by itself. */
  'interrupted',
  /** An item of a list is proven done. The loop goes on, or completes with it. */
  'item',
  'completed',
  'escalated',
  'stuck',
  /** Any other ending: a limit, a cancel, a record that can't be trusted. */
  'ended',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export interface Notice {
  readonly is: NoticeKind;
  readonly at: string;
  readonly loop: Loop;
  readonly request?: Request;
  readonly item?: FrameItem;
  /** Other commands reach it than those of one machine. */
  readonly ofFleet?: boolean;
}

/**
 * `before`: null if the event created the loop. An event that changes nothing for outsiders gives no notice.
 */
export function notices(before: Loop | null, after: Loop, { at }: Pick<Event, 'at'>): Notice[] {
  if (before === null) return [{ is: 'started', at, loop: after }];
  const request = after.people.requested > before.people.requested ? after.people.requests.at(-1) : undefined;
  if (request !== undefined)
    return [{ is: request.kind === 'question' ? 'question' : 'approval', at, loop: after, request }];
  const item = provenItem(before, after);
  return [
    ...(item === null ? [] : [{ is: 'item' as const, at, loop: after, item }]),
    ...(stateOf(before.status) === stateOf(after.status)
      ? []
      : [{ is: noticeOf(after.status), at, loop: after }]),
  ];
}

type FrameItem = NonNullable<Frame['item']>;

function provenItem(before: Loop, after: Loop): FrameItem | null {
  const { item } = before.frame;
  const list = framesOf(after)[before.around.length - 1];
  if (item === null || list === undefined) return null;
  return list.handled.includes(item.id) && !list.undone.includes(item.id) ? item : null;
}

function noticeOf(status: Status): NoticeKind {
  switch (status.is) {
    case 'completed':
    case 'escalated':
    case 'running':
      return status.is;
    case 'paused':
      return status.why === 'capped' ? 'interrupted' : 'paused';
    case 'stuck':
      // A stale loop was abandoned. Nothing was tried in vain.
      return status.limit === 'stagnation' ? 'stuck' : 'ended';
    case 'exhausted':
    case 'cancelled':
    case 'aborted':
      return 'ended';
    case 'waiting':
      return status.for === 'limit' ? 'limit' : 'waiting';
    case 'interrupted':
      // A person who ends a session knows it.
      return status.why === 'session-end' ? 'paused' : 'interrupted';
    case 'pending':
      return 'paused';
  }
}

/** Includes what a loop waits for, so a change of that is reported too. */
function stateOf(status: Status): string {
  return 'for' in status ? `${status.is} ${status.for}` : status.is;
}

/**
 * Whether an event that led from one to the other may give a notice. Every write of a hook asks this, so it
 * is coarse: of a loop that waits, `notices` finds out whether it waits for something else now.
 */
export function isNotable(before: Loop, after: Loop): boolean {
  const { is } = after.status;
  return (
    before.status.is !== is ||
    is === 'waiting' ||
    before.people.requested !== after.people.requested ||
    before.frame.id !== after.frame.id
  );
}
