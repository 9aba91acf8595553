/** A person changes a loop that has begun: its prompt, its iterations, its checks or its promise. */
import { promiseOf } from '../gates.ts';
import { topFrame, withTop, type Frame, type LastHearing, type Loop } from '../loop.ts';
import type { Gate } from '../record/definition.ts';
import type { EventOf } from '../record/events.ts';
import { revised } from './frames.ts';

export function amended(loop: Loop, event: EventOf<'amended'>): Loop {
  const frame = topFrame(loop);
  const iterations = event.iterations === 'unlimited' ? null : (event.iterations ?? frame.iterations);
  const amending = withNewGates(changed(loop, event.prompt ?? frame.prompt, iterations), event);
  // A changed prompt is new to the agent, so it gets the whole text once.
  return {
    ...amending,
    last: promiseOf(topFrame(amending)) === promiseOf(frame) ? loop.last : unlooked(loop.last),
    session: { ...amending.session, compacted: loop.session.compacted || event.prompt !== null },
  };
}

/** The last verdict was on another promise. It does not say whether this one was given. */
function unlooked(last: LastHearing | null): LastHearing | null {
  return last && { ...last, looked: null };
}

export function changed(loop: Loop, prompt: string, iterations: number | null): Loop {
  const frame = topFrame(loop);
  if (prompt === frame.prompt && iterations === frame.iterations) return loop;
  return revised({ ...loop, frames: withTop(loop, { ...frame, prompt, iterations }) });
}

/**
 * Changes the frame at work. If that is an item's frame, the list around it changes too, since later items take their
 * checks from it. An item is claimed by its own signal, so a new promise goes to the list alone.
 */
function withNewGates(loop: Loop, { checks, promise }: EventOf<'amended'>): Loop {
  const [outermost, ...inner] = loop.frames;
  const from = topFrame(loop).item === null ? inner.length : inner.length - 1;
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

/** If the same command is given twice, the new check replaces the old one. */
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
