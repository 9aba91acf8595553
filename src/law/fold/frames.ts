/**
 * Pushes, pops and amends the frames of a loop. Their size is bounded: a maximum depth, and the last few
 * outcomes.
 */
import type { FrameRecord, NextItem, Gate } from '../record/definition.ts';
import type { EventOf } from '../record/events.ts';
import type { Popped } from '../record/verdict.ts';
import { featuresOf, itemsPassing, promiseOf } from '../gates.ts';
import { measuresGate } from '../measures.ts';
import { withoutBest } from '../trend.ts';
import {
  endedUndone,
  framesOf,
  MAX_FRAMES,
  withPart,
  type Frame,
  type MissingItems,
  type Inner,
  type Loop,
} from '../loop.ts';

const MAX_REVISIONS_KEPT = 16;
/** The journal keeps all outcomes. */
const MAX_OUTCOMES_KEPT = 20;

const NONE: Inner = { complete: 0, exhaust: 0, escalate: 0, iterations: 0, last: [] };

const NOBODY: MissingItems = { count: 0, items: [] };

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

const OF_ITEMS: readonly string[] = ['check', 'hooks', 'measures', 'review'] satisfies Gate['kind'][];

/**
 * The frame of an item. It takes over the limits, checks, measures and stop hooks that were given for the
 * list.
 */
export function itemFrame(
  list: Pick<FrameRecord, 'gates' | 'atLeast' | 'confirm' | 'measures' | 'iterations'>,
  { prompt, ...item }: NextItem,
): FrameRecord {
  const { gates, atLeast, confirm, measures, iterations } = list;
  return {
    mode: 'issue',
    prompt,
    gates: [{ kind: 'signal' }, ...gates.filter(({ kind }) => OF_ITEMS.includes(kind))],
    require: 'all',
    atLeast,
    ...(confirm !== undefined && { confirm }),
    ...(measures !== undefined && { measures }),
    iterations,
    items: null,
    item,
  };
}

/** The answer to an agent's own call gives it the task, as a prompt does. */
export function pushed(loop: Loop, { by, frame, prompt, passes }: EventOf<'pushed'>): Loop {
  return loop.around.length + 1 < MAX_FRAMES
    ? push(loop, frame, prompt !== null || by === 'mcp', passes)
    : loop;
}

/** Applies the frames that a stop ended and the item whose frame it began, if any. */
export function turned(loop: Loop, popped: readonly Popped[], item: NextItem | null): Loop {
  const left = popped.reduce(pop, loop);
  return item === null ? unseen(revised(left)) : push(left, itemFrame(left.frame, item), true);
}

function push(loop: Loop, fields: FrameRecord, promptGiven: boolean, passes = 0): Loop {
  const frame = { ...frameOf(fields, loop.events + 1, promptGiven), passes };
  return unseen(revised({ ...loop, around: framesOf(loop), frame }));
}

function pop(loop: Loop, popped: Popped): Loop {
  const frame = loop.around.at(-1);
  if (frame === undefined) return loop;
  const { item } = loop.frame;
  const had = item === null ? [] : [item.id];
  const handled = [...frame.handled, ...had];
  const undone = popped.outcome === 'complete' ? frame.undone : [...frame.undone, ...had];
  return {
    ...loop,
    around: loop.around.slice(0, -1),
    frame: { ...frame, promptGiven: true, handled, undone, inner: counted(frame.inner, popped) },
  };
}

/** Gives each undone item of an ended list one more turn. Items that are done get none. */
export function retried(loop: Loop): Loop {
  if (!endedUndone(loop)) return loop;
  const { undone, inner, ...frame } = loop.frame;
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
  return { ...loop, frame: again };
}

/** Records the items that left the list of the event's frame without a turn. */
export function shortened(loop: Loop, { frame: id, count, items }: EventOf<'shortened'>): Loop {
  return withEachFrame(loop, (frame) => (frame.id === id ? { ...frame, gone: { count, items } } : frame));
}

/** `at`: 0 for the outermost. */
function withEachFrame(loop: Loop, change: (frame: Frame, at: number) => Frame): Loop {
  return { ...loop, around: loop.around.map(change), frame: change(loop.frame, loop.around.length) };
}

function counted(inner: Inner, popped: Popped): Inner {
  return {
    ...inner,
    [popped.outcome]: inner[popped.outcome] + 1,
    iterations: inner.iterations + popped.iterations,
    last: [...inner.last, popped].slice(-MAX_OUTCOMES_KEPT),
  };
}

/** Clears what was seen of another frame: it says nothing about the one at work now. */
function unseen(loop: Loop): Loop {
  return {
    ...loop,
    last: loop.last && { ...loop.last, looked: null, proofs: [], gateResults: [], features: null },
  };
}

/**
 * From here on the view shows another frame, prompt or limit. The revision tells a person's edit from an old
 * rendering.
 */
function revised(loop: Loop): Loop {
  const { id, prompt, iterations } = loop.frame;
  const revision = { from: loop.events + 1, frame: id, prompt, iterations };
  return withPart(loop, 'files', {
    revisions: [...loop.files.revisions, revision].slice(-MAX_REVISIONS_KEPT),
  });
}

/** A person changes a loop that has begun: its prompt, its iterations, its checks or its promise. */
export function amended(loop: Loop, event: EventOf<'amended'>): Loop {
  const { frame } = loop;
  const iterations = event.iterations === 'unlimited' ? null : (event.iterations ?? frame.iterations);
  const amending = withNewMeasures(
    withNewGates(changed(loop, event.prompt ?? frame.prompt, iterations), event),
    event,
  );
  // A verdict on another promise does not say whether this one was given.
  const isSame = promiseOf(amending.frame) === promiseOf(frame);
  const last = isSame ? amending.last : amending.last && { ...amending.last, looked: null };
  // A changed prompt is new to the agent, so it gets the whole text once.
  const compacted = loop.session.compacted || event.prompt !== null;
  // A claim for another task is void.
  const awaits = event.prompt === null ? loop.session.awaits : null;
  return withPart({ ...amending, last }, 'session', { compacted, awaits });
}

export function changed(loop: Loop, prompt: string, iterations: number | null): Loop {
  const { frame } = loop;
  if (prompt === frame.prompt && iterations === frame.iterations) return loop;
  return revised({ ...loop, frame: { ...frame, prompt, iterations } });
}

/**
 * Changes the frame at work. If that is an item's frame, the list around it changes too, since later items
 * take their checks from it. An item is claimed by its own signal, so a new promise goes to the list alone.
 */
function withNewGates(loop: Loop, { checks, promise }: EventOf<'amended'>): Loop {
  const depth = loop.around.length;
  const from = loop.frame.item === null ? depth : depth - 1;
  return withEachFrame(loop, (frame, at) => {
    if (at < from) return frame;
    const kept = checks === undefined ? frame.gates : recheck(frame.gates, checks);
    return {
      ...frame,
      gates: promise === undefined || frame.item !== null ? kept : repromise(kept, promise),
    };
  });
}

/**
 * Measures belong to the whole loop, and to the items of its list. What was measured before says nothing
 * about others.
 */
function withNewMeasures(loop: Loop, { measures }: EventOf<'amended'>): Loop {
  if (measures === undefined) return loop;
  const change = (frame: Frame): Frame => {
    const others = frame.gates.filter(({ kind }) => kind !== 'measures');
    return { ...frame, measures, gates: [...others, ...measuresGate(measures)] };
  };
  const measuring = withEachFrame(loop, (frame, at) =>
    at === 0 || (at === 1 && frame.item !== null) ? change(frame) : frame,
  );
  const last = loop.last && {
    ...loop.last,
    gateResults: loop.last.gateResults.filter(({ gate }) => gate !== 'measures'),
  };
  const circuit = { ...loop.circuit, trend: withoutBest(loop.circuit.trend) };
  return { ...measuring, last, circuit };
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
