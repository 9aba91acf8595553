/** What a person changes about a loop that has begun: its checks and its promise, as an `amended` event tells it. */
import type { Gate } from './record/definition.ts';
import type { EventOf } from './record/events.ts';
import type { Frame, Loop } from './loop.ts';

/**
 * The frame at work is changed; where that is an item's, so is the list around it, from which later items take their
 * checks. An item is claimed by its own signal, so a promise is the list's alone.
 */
export function withNewGates(loop: Loop, { checks, promise }: EventOf<'amended'>): Loop {
  if (checks === undefined && promise === undefined) return loop;
  const [outermost, ...inner] = loop.frames;
  const last = inner.length;
  const from = loop.frames[last]?.item ? last - 1 : last;
  const change = (frame: Frame, at: number): Frame => {
    if (at < from) return frame;
    const kept = checks === undefined ? frame.gates : recheck(frame.gates, checks);
    return {
      ...frame,
      gates: promise === undefined || frame.item !== null ? kept : repromise(kept, promise),
    };
  };
  return { ...loop, frames: [change(outermost, 0), ...inner.map((frame, k) => change(frame, k + 1))] };
}

/** The same command twice is one check: the new one. */
function recheck(
  gates: readonly Gate[],
  { add, remove }: NonNullable<EventOf<'amended'>['checks']>,
): readonly Gate[] {
  const gone = [...remove, ...add.map(({ command }) => command)];
  return [...gates.filter((gate) => gate.kind !== 'check' || !gone.includes(gate.command)), ...add];
}

function repromise(gates: readonly Gate[], text: string): readonly Gate[] {
  return [{ kind: 'promise', text }, ...gates.filter(({ kind }) => kind !== 'promise' && kind !== 'signal')];
}
