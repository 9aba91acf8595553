/** Which targets get a notice. Pure. */
import { targetOf, type Target } from '../flags/notify-target.ts';
import type { NoticeKind } from '../core/notices.ts';
import type { UserConfig } from '../flags/user-config.ts';

/** `own`: the targets that the loop names itself. One that can't be read is left out: the start has refused it. */
export function route(is: NoticeKind, own: readonly string[], config: UserConfig): Target[] {
  const wanted = [
    ...config.notify
      .filter(({ events }) => (events ?? config.events).includes(is))
      .map(({ target }) => target),
    ...(config.events.includes(is) ? own.flatMap(ownTarget) : []),
  ];
  // A target that is named twice gets one message.
  return [...new Map(wanted.map((target) => [JSON.stringify(target), target])).values()];
}

/** None: the words can't be read. */
export function ownTarget(text: string): Target[] {
  const read = targetOf(text);
  return read.ok ? [read.value] : [];
}
