/** The loop as it was right after the verdict on one stop. Another process may have judged a later one since. */
import { fold } from '../core/fold/index.ts';
import { hash } from '../core/hash.ts';
import type { AnsweredStop, Loop } from '../core/loop.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';

export function loopAtStop(open: OpenLoop, n: number): Loop | null {
  const now = open.look();
  if (now.last?.n === n) return now;
  let loop: Loop | null = null;
  for (const event of open.journal.read(0).events) {
    loop = fold(loop, event);
    if (event.type === 'verdict' && event.n === n) return loop?.last?.n === n ? loop : null;
  }
  return null;
}

/**
 * The stop of this call: this process claimed it, or another one did with the same words. Null: it was not judged. Two
 * calls of one process may begin in the same millisecond, so the words have to fit in any case.
 */
export function stopOf(loop: Loop, message: string, after: number, runtime: Runtime): number | null {
  const isMine = ({ process, started }: AnsweredStop) =>
    process === runtime.process && started === runtime.started;
  const words = hash(message);
  const same = loop.answered.filter((stop) => stop.n > after && stop.words === words);
  return (same.find(isMine) ?? same[0])?.n ?? null;
}
