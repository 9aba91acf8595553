/** From events to the loop they tell of: pure, one event at a time, and of bounded size however long the journal. */
import type { Definition, Event, EventOf } from './events.ts';
import { itemsPassing } from './features.ts';
import { claimed, judged } from './heard.ts';
import {
  featuresOf,
  hasEnded,
  topFrame,
  withTop,
  type Frame,
  type Loop,
  type Revision,
  type Status,
} from './loop.ts';

const REVISIONS_KEPT = 16;

export function fold(loop: Loop | null, event: Event): Loop | null {
  if (event.type === 'created') return loop ?? begin(event);
  if (loop === null) return null;
  const next = apply(loop, event);
  const activeAt = isActivity(event) ? event.at : loop.activeAt;
  return {
    ...next,
    clock: tick(loop, next, event.at),
    events: loop.events + 1,
    updatedAt: event.at,
    activeAt,
  };
}

/** The stop at hand, and what comes of it before it is judged, are no sign of life: staleness looks behind them. */
function isActivity(event: Event): boolean {
  return (
    event.type !== 'stop' && event.type !== 'lost' && !(event.type === 'bound' && event.how === 'takeover')
  );
}

function begin(event: EventOf<'created'>): Loop {
  const { definition } = event;
  const frame = frameOf(definition);
  return {
    id: event.id,
    project: event.project,
    host: event.host,
    name: definition.name,
    driver: definition.driver,
    frames: [frame],
    timeMs: definition.timeMs,
    staleMs: definition.staleMs,
    protect: definition.protect,
    baseline: definition.baseline,
    slipped: null,
    status: { is: 'pending' },
    owner: null,
    awaited: false,
    origin: { session: event.by.session, prompt: event.by.prompt },
    chain: null,
    stops: 0,
    open: null,
    answered: [],
    last: null,
    unconfirmed: null,
    streak: 0,
    cap: null,
    hold: null,
    shellsHeld: [],
    yielded: false,
    compacted: false,
    queue: { offset: 0, waiting: 0 },
    view: null,
    woken: null,
    clock: { workedMs: 0, since: null },
    revisions: [{ from: 1, prompt: frame.prompt, iterations: frame.iterations }],
    startedAt: event.at,
    boundAt: event.at,
    updatedAt: event.at,
    activeAt: event.at,
    events: 1,
  };
}

function frameOf(definition: Definition): Frame {
  const { mode, prompt, gates, require, atLeast, iterations } = definition;
  const begun = itemsPassing(featuresOf(definition)?.begun ?? null);
  return { mode, prompt, gates, require, atLeast, iterations, passes: 0, itemsPassing: begun ?? 0 };
}

/** A session or a host that comes back late does not undo an ending: only a hand in a terminal does. */
function isReopening(event: Event): boolean {
  return event.type === 'resumed' && (event.by === 'terminal' || event.by === 'agent');
}

/** A new owner of a paused loop finds it paused. */
function statusWhenBound({ status }: Loop, how: EventOf<'bound'>['how']): Status {
  if (how === 'clear') return { is: 'paused', by: 'session', why: 'clear' };
  return status.is === 'paused' && (how === 'takeover' || how === 'start') ? status : { is: 'running' };
}

function apply(loop: Loop, event: Event): Loop {
  // An ending stands: what comes after it in file order, a verdict included, is void. Only a person reopens a loop.
  if (hasEnded(loop) && !isReopening(event)) return loop;
  switch (event.type) {
    case 'created':
      return loop;
    case 'bound':
      // A loop made ready belongs to the first session that gives its prompt; whoever came second reads that here.
      if (event.how === 'prompt' && loop.owner !== null) return loop;
      return {
        ...carriedOn(loop, event.prompt),
        owner: { session: event.session, process: event.process },
        awaited: event.process === null && (event.how === 'start' || event.how === 'adopt'),
        boundAt: event.at,
        hold: null,
        queue: queueOf(loop, event.session),
        status: statusWhenBound(loop, event.how),
      };
    case 'prompted':
      return {
        ...carriedOn(loop, event.prompt),
        awaited: false,
        status: loop.status.is === 'waiting' ? { is: 'running' } : loop.status,
      };
    case 'stop':
      return claimed(loop, event);
    case 'verdict':
      return judged(loop, event);
    case 'lost':
      return loop.open?.n === event.n ? { ...loop, open: null } : loop;
    case 'paused':
      return {
        ...loop,
        status: {
          is: 'paused',
          by: event.by,
          why: event.why === 'prompt' && loop.unconfirmed?.capped ? 'capped' : event.why,
        },
        unconfirmed: null,
      };
    case 'resumed':
      return resumed(loop, event);
    case 'interrupted':
      return {
        ...loop,
        status: {
          is: 'interrupted',
          why: loop.unconfirmed?.capped ? 'capped' : event.why,
          detail: event.detail,
        },
        unconfirmed: null,
      };
    case 'cancelled':
      return { ...loop, status: { is: 'cancelled', by: event.by, prompt: event.prompt } };
    case 'aborted':
      return {
        ...loop,
        status: { is: 'aborted', why: event.why, detail: event.detail, evidence: event.evidence },
      };
    case 'amended':
      return amended(loop, event);
    case 'altered':
      return { ...loop, [event.by === 'unknown' ? 'slipped' : 'baseline']: event.digest };
    case 'compacted':
      return { ...loop, compacted: true };
    case 'woken':
      return loop.woken?.n === event.n ? loop : { ...loop, woken: { n: event.n, process: event.process } };
    case 'viewed':
      return { ...loop, view: event.file };
  }
}

function carriedOn(loop: Loop, prompt: string | null): Loop {
  return { ...loop, chain: prompt, yielded: false, streak: 0, unconfirmed: null };
}

function resumed(loop: Loop, event: EventOf<'resumed'>): Loop {
  if (loop.status.is === 'completed') return loop;
  const session = event.session ?? loop.owner?.session;
  const base = revised(loop, topFrame(loop).prompt, event.iterations ?? topFrame(loop).iterations);
  // N iterations are exactly N: a loop that has used them up goes on only with a higher limit.
  if (hasEnded(loop) && isUsedUp(topFrame(base))) return loop;
  return {
    ...carriedOn(base, event.prompt),
    owner: session === undefined ? null : { session, process: event.process },
    // Nothing runs before the session is given a prompt.
    awaited: event.prompt === null && session !== undefined,
    status: session === undefined ? { is: 'pending' } : { is: 'running' },
    open: null,
    compacted: true,
    boundAt: event.at,
    hold: null,
    queue: queueOf(loop, session),
  };
}

/** Another session has another transcript: what was read of the old one says nothing about it. */
function queueOf(loop: Loop, session: string | undefined): Loop['queue'] {
  return { offset: session === loop.owner?.session ? loop.queue.offset : 0, waiting: 0 };
}

function isUsedUp({ iterations, passes }: Frame): boolean {
  return iterations !== null && passes >= iterations;
}

function amended(loop: Loop, event: EventOf<'amended'>): Loop {
  const frame = topFrame(loop);
  const iterations = event.iterations === 'unlimited' ? null : (event.iterations ?? frame.iterations);
  // A changed prompt is new to the agent: it is given whole once.
  return {
    ...revised(loop, event.prompt ?? frame.prompt, iterations),
    compacted: loop.compacted || event.prompt !== null,
  };
}

function revised(loop: Loop, prompt: string, iterations: number | null): Loop {
  const frame = topFrame(loop);
  if (prompt === frame.prompt && iterations === frame.iterations) return loop;
  const revision: Revision = { from: loop.events + 1, prompt, iterations };
  return {
    ...loop,
    frames: withTop(loop, { ...frame, prompt, iterations }),
    revisions: [...loop.revisions, revision].slice(-REVISIONS_KEPT),
  };
}

/** The clock runs while someone works on the loop; a hold, a pause or an interruption stops it. */
function tick(before: Loop, after: Loop, at: string): Loop['clock'] {
  const since = before.clock.since;
  const runs = after.status.is === 'running' && !after.awaited;
  if (runs) return { workedMs: after.clock.workedMs, since: since ?? at };
  if (since === null) return after.clock;
  return { workedMs: after.clock.workedMs + Math.max(0, Date.parse(at) - Date.parse(since)), since: null };
}
