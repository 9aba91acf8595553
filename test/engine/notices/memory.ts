/** The smallest sink: keeps notices, for tests. */
import type { Notice } from '#law/notices.ts';
import type { Sink } from '#engine/notices/sink.ts';

/** `notices`: the oldest comes first. */
export function memorySink() {
  const notices: Notice[] = [];
  const sink: Sink = (notice) => notices.push(notice);
  return { sink, notices };
}
