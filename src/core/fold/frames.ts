/**
 * Pushes and pops the frames of a loop as its events say. The size is bounded: a maximum depth, and the last few
 * outcomes.
 */
import type { FrameRecord, NextItem } from '../record/definition.ts';
import type { EventOf } from '../record/events.ts';
import type { Popped } from '../record/verdict.ts';
import { featuresOf, itemsPassing } from '../gates.ts';
import {
  endedUndone,
  MOST_FRAMES,
  topFrame,
  withTop,
  type Frame,
  type Gone,
  type Inner,
  type Loop,
} from '../loop.ts';

const REVISIONS_KEPT = 16;
/** The journal keeps all outcomes. */
const OUTCOMES_KEPT = 20;

const NONE: Inner = { complete: 0, exhaust: 0, escalate: 0, iterations: 0, last: [] };

const NOBODY: Gone = { count: 0, items: [] };

export function frameOf(fields: FrameRecord, id: number, promptGiven: boolean): Frame {
  return {
    ...fields,
    id,
    promptGiven,
    handled: [],
    undone: [],
    gone: NOBODY,
    inner: NONE,
    passes: 0,
    questioned: null,
    itemsPassing: itemsPassing(featuresOf(fields)?.begun ?? null) ?? 0,
  };
}

/** The frame of an item. It takes over the limits, the checks and the stop hooks that were given for the list. */
export function itemFrame(
  { gates, atLeast, iterations }: Pick<FrameRecord, 'gates' | 'atLeast' | 'iterations'>,
  { prompt, ...item }: NextItem,
): FrameRecord {
  return {
    mode: 'issue',
    prompt,
    gates: [{ kind: 'signal' }, ...gates.filter(({ kind }) => kind === 'check' || kind === 'hooks')],
    require: 'all',
    atLeast,
    iterations,
    items: null,
    item,
  };
}

/** The answer to an agent's own call gives it the task, as a prompt does. */
export function pushed(loop: Loop, { by, frame, prompt, passes }: EventOf<'pushed'>): Loop {
  return loop.frames.length < MOST_FRAMES ? push(loop, frame, prompt !== null || by === 'mcp', passes) : loop;
}

/** Applies the frames that a stop ended and the item whose frame it began, if any. */
export function turned(loop: Loop, popped: readonly Popped[], item: NextItem | null): Loop {
  const left = popped.reduce(pop, loop);
  return item === null ? unseen(revised(left)) : push(left, itemFrame(topFrame(left), item), true);
}

function push(loop: Loop, fields: FrameRecord, promptGiven: boolean, passes = 0): Loop {
  const frame = { ...frameOf(fields, loop.events + 1, promptGiven), passes };
  return unseen(revised({ ...loop, frames: [...loop.frames, frame] }));
}

function pop(loop: Loop, popped: Popped): Loop {
  const [outermost, ...inner] = loop.frames;
  const ended = inner.pop();
  if (ended === undefined) return loop;
  const left: Loop = { ...loop, frames: [outermost, ...inner] };
  const frame = topFrame(left);
  const had = ended.item === null ? [] : [ended.item.id];
  const handled = [...frame.handled, ...had];
  const undone = popped.outcome === 'complete' ? frame.undone : [...frame.undone, ...had];
  return {
    ...left,
    frames: withTop(left, {
      ...frame,
      promptGiven: true,
      handled,
      undone,
      inner: counted(frame.inner, popped),
    }),
  };
}

/** Gives each undone item of an ended list one more turn. Items that are done get none. */
export function retried(loop: Loop): Loop {
  if (!endedUndone(loop)) return loop;
  const { undone, inner, ...frame } = topFrame(loop);
  const again = {
    ...frame,
    handled: frame.handled.filter((id) => !undone.includes(id)),
    undone: [],
    inner: {
      ...inner,
      exhaust: 0,
      escalate: 0,
      last: inner.last.filter(({ outcome }) => outcome === 'complete'),
    },
  };
  return { ...loop, frames: withTop(loop, again) };
}

/** Records the items that left the list of the event's frame without a turn. */
export function shortened(loop: Loop, { frame: id, count, items }: EventOf<'shortened'>): Loop {
  const [outermost, ...inner] = loop.frames;
  const told = (frame: Frame): Frame => (frame.id === id ? { ...frame, gone: { count, items } } : frame);
  return { ...loop, frames: [told(outermost), ...inner.map(told)] };
}

function counted(inner: Inner, popped: Popped): Inner {
  return {
    ...inner,
    [popped.outcome]: inner[popped.outcome] + 1,
    iterations: inner.iterations + popped.iterations,
    last: [...inner.last, popped].slice(-OUTCOMES_KEPT),
  };
}

/** Clears what was seen of another frame: it says nothing about the one at work now. */
function unseen(loop: Loop): Loop {
  return {
    ...loop,
    last: loop.last && { ...loop.last, looked: null, proofs: [], sights: [], features: null },
  };
}

/**
 * From here on the view shows another frame, prompt or limit. The revision tells a person's edit from an old rendering.
 */
export function revised(loop: Loop): Loop {
  const { id, prompt, iterations } = topFrame(loop);
  const revision = { from: loop.events + 1, frame: id, prompt, iterations };
  return {
    ...loop,
    files: { ...loop.files, revisions: [...loop.files.revisions, revision].slice(-REVISIONS_KEPT) },
  };
}
