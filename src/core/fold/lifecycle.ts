/** Folds every event that no hearing writes: a loop begins, changes hands, is paused, amended, ended or reopened. */
import { withNewGates } from '../amend.ts';
import type { Event, EventOf } from '../record/events.ts';
import { faulted, spentWith } from './fault.ts';
import { answered, expired, released, requested, steered, told } from './requests.ts';
import { frameOf, pushed, retried, revised, shortened } from './frames.ts';
import {
  isToolSession,
  CLOSED,
  isOpen,
  hasEnded,
  hasPassesLeft,
  iterationsInAll,
  needsPerson,
  topFrame,
  withTop,
  type Loop,
  type Status,
} from '../loop.ts';

export function begin(event: EventOf<'created'>): Loop {
  const { name, driver, timeMs, staleMs, costUsd, tokens, stalls, stallsAsked, checking, config, ...rest } =
    event.definition;
  const {
    passes,
    views: _,
    protect,
    baseline,
    unmatched = [],
    tree = null,
    exposed = [],
    approvals = null,
    notify = [],
    ...fields
  } = rest;
  const frame = { ...frameOf({ ...fields, item: null }, 1, true), passes };
  return {
    id: event.id,
    project: event.project,
    host: event.host,
    name,
    driver,
    frames: [frame],
    timeMs,
    staleMs,
    costUsd,
    tokens,
    stalls,
    stallsAsked,
    spent: { costUsd: 0, tokens: 0 },
    circuit: CLOSED,
    begunTree: tree,
    worked: false,
    questioned: false,
    context: null,
    checking,
    config,
    protect,
    baseline,
    unmatched,
    exposed,
    notify,
    slipped: null,
    noted: {},
    said: null,
    notes: [],
    approvals,
    requested: 0,
    requests: [],
    steers: [],
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
    plan: null,
    faults: { total: 0, inARow: 0, last: null },
    resetsAt: null,
    view: null,
    views: [],
    woken: null,
    clock: { workedMs: 0, since: null, until: null },
    revisions: [{ from: 1, frame: 1, prompt: frame.prompt, iterations: frame.iterations }],
    startedAt: event.at,
    boundAt: event.at,
    updatedAt: event.at,
    activeAt: event.at,
    events: 1,
  };
}

/**
 * A session or a host that comes back late does not undo an ending; only a person in a terminal does. A loop that needs
 * its person is the exception: that person may be in the session.
 */
function isReopening(loop: Loop, event: Event): boolean {
  if (event.type !== 'resumed' || event.by === 'host') return false;
  return event.by !== 'session' || needsPerson(loop);
}

/** New checks for a loop that ended because one of its checks could not be run. They count when it is resumed. */
function changesGates({ status }: Loop, event: Event): boolean {
  if (event.type !== 'amended' || event.by !== 'terminal' || status.is === 'completed') return false;
  return event.checks !== undefined || event.promise !== undefined;
}

/** A paused loop stays paused when a new owner takes it. */
function statusWhenBound({ status }: Loop, how: EventOf<'bound'>['how']): Status {
  if (how === 'clear') return { is: 'paused', by: 'session', why: 'clear' };
  return status.is === 'paused' && (how === 'takeover' || how === 'start') ? status : { is: 'running' };
}

export function happened(loop: Loop, event: Exclude<Event, { type: 'created' | 'stop' | 'verdict' }>): Loop {
  // An ended loop stays ended: later events in the file are void. Only a person reopens a loop.
  if (hasEnded(loop) && !isReopening(loop, event) && !changesGates(loop, event)) return loop;
  switch (event.type) {
    case 'bound':
      // A prepared loop belongs to the first session that submits its prompt. A second session finds out here.
      if (event.how === 'prompt' && loop.owner !== null) return loop;
      return {
        ...carriedOn(loop, event.prompt),
        frames: event.how === 'takeover' ? loop.frames : begun(loop),
        owner: ownerOf(event.session, event),
        awaited: event.process === null && (event.how === 'start' || event.how === 'adopt'),
        boundAt: event.at,
        hold: null,
        queue: queueOf(loop, event.session),
        context: null,
        status: statusWhenBound(loop, event.how),
        driver: event.how === 'command' || event.how === 'prompt' ? 'hook' : loop.driver,
      };
    case 'taken':
      return event.n === loop.events + 1 ? taken(loop, event) : loop;
    case 'moved':
      return moved(loop, event);
    case 'prompted':
      return prompted(loop, event.prompt);
    case 'pushed':
      return pushed(event.prompt === null ? loop : prompted(loop, event.prompt), event);
    case 'lost':
      // What was said belonged to that stop. The agent can say it again.
      return loop.open?.n === event.n ? { ...loop, open: null, said: null } : loop;
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
    case 'bounded':
      return {
        ...loop,
        timeMs: event.timeMs ?? loop.timeMs,
        costUsd: event.costUsd ?? loop.costUsd,
        tokens: event.tokens ?? loop.tokens,
      };
    case 'altered':
      return { ...loop, [event.by === 'unknown' ? 'slipped' : 'baseline']: event.digest };
    case 'shortened':
      return shortened(loop, event);
    case 'compacted':
      return { ...loop, compacted: true, context: null };
    case 'woken':
      return loop.woken?.n === event.n ? loop : { ...loop, woken: { n: event.n, ...holderOf(event) } };
    case 'planned':
      return { ...loop, plan: event.plan };
    case 'faulted':
      return faulted(loop, event);
    case 'held':
      return { ...loop, status: { is: 'waiting', for: event.for, until: event.until } };
    case 'spent':
      return { ...loop, spent: spentWith(loop, event.used) };
    case 'recorded':
      return loop;
    case 'viewed':
      return viewed(loop, event);
    case 'requested':
      return requested(loop, event);
    case 'answered':
      return answered(loop, event);
    case 'expired':
      return expired(loop, event);
    case 'released':
      return released(loop, event);
    case 'steered':
      return steered(loop, event);
    case 'told':
      return told(loop, event);
    case 'asked':
    case 'checkpointed':
    case 'restored':
      return { ...loop, noted: { ...loop.noted, [event.type]: event } };
    case 'said':
      return { ...loop, said: { what: event.what, words: event.words } };
    case 'noted':
      return withNote(loop, event.words);
  }
}

/** A later pass needs the latest lessons. More would crowd out the task. */
const NOTES_KEPT = 12;

/** A note that is given twice counts once, at its later place. */
function withNote(loop: Loop, words: string): Loop {
  const others = loop.notes.filter((note) => note.words !== words);
  return { ...loop, notes: [...others, { pass: iterationsInAll(loop) + 1, words }].slice(-NOTES_KEPT) };
}

function viewed(loop: Loop, { kind, file }: EventOf<'viewed'>): Loop {
  if (kind === 'markdown') return { ...loop, view: file };
  return { ...loop, views: [...loop.views.filter((view) => view.kind !== kind), { kind, file }] };
}

/** Taking up a loop moves it from one driver to the other. Each pass of the fresh driver is a chain of its own. */
function taken(loop: Loop, event: EventOf<'taken'>): Loop {
  const { at, session, pass } = event;
  return {
    ...carriedOn(loop, pass),
    frames: begun(loop),
    owner: ownerOf(session, event),
    // Another agent said it.
    said: null,
    awaited: false,
    boundAt: at,
    hold: null,
    open: null,
    queue: queueOf(loop, session),
    context: session === loop.owner?.session ? loop.context : null,
    status: { is: 'running' },
    driver: 'fresh',
    resetsAt: null,
  };
}

/**
 * Nothing on the old machine holds the loop any more: neither its owner, whose session can't continue elsewhere, nor a
 * stop that was being heard there.
 */
function moved(loop: Loop, { project }: EventOf<'moved'>): Loop {
  return {
    ...loop,
    project,
    owner: null,
    awaited: false,
    open: null,
    woken: null,
    hold: null,
    context: null,
    queue: { offset: 0, waiting: 0 },
  };
}

function ownerOf(session: string, event: { readonly process: number | null; readonly machine?: string }) {
  return { session, ...holderOf(event) };
}

function holderOf<P>({ process, machine }: { readonly process: P; readonly machine?: string }) {
  return machine === undefined ? { process } : { process, machine };
}

function carriedOn(loop: Loop, prompt: string | null): Loop {
  return { ...loop, chain: prompt, yielded: false, streak: 0, unconfirmed: null };
}

function prompted(loop: Loop, prompt: string | null): Loop {
  return {
    ...carriedOn(loop, prompt),
    awaited: false,
    status: loop.status.is === 'waiting' ? { is: 'running' } : loop.status,
  };
}

/** The agent that takes up the loop gets the task of the frame at work. */
function begun(loop: Loop): Loop['frames'] {
  return withTop(loop, { ...topFrame(loop), begun: true });
}

function resumed(loop: Loop, event: EventOf<'resumed'>): Loop {
  if (loop.status.is === 'completed') return loop;
  const session = event.session ?? loop.owner?.session;
  const base = changed(retried(loop), topFrame(loop).prompt, event.iterations ?? topFrame(loop).iterations);
  // A limit of N iterations means exactly N. A loop that used them up continues only with a higher limit.
  if (hasEnded(loop) && !hasPassesLeft(topFrame(base))) return loop;
  return {
    ...carriedOn(base, event.prompt),
    frames: begun(base),
    owner: session === undefined ? null : ownerOf(session, event),
    said: null,
    // Nothing runs until the session gets a prompt. A program goes on by itself.
    awaited: event.prompt === null && session !== undefined && !isToolSession(session),
    status: session === undefined ? { is: 'pending' } : { is: 'running' },
    open: null,
    compacted: true,
    boundAt: event.at,
    hold: null,
    queue: queueOf(loop, session),
    // Half open: the next identical stop opens the circuit at once.
    circuit: isOpen(loop) ? { ...loop.circuit, half: true } : CLOSED,
  };
}

/** Another session has another transcript, so the read position in the old one is void. */
function queueOf(loop: Loop, session: string | undefined): Loop['queue'] {
  return { offset: session === loop.owner?.session ? loop.queue.offset : 0, waiting: 0 };
}

function amended(loop: Loop, event: EventOf<'amended'>): Loop {
  const frame = topFrame(loop);
  const iterations = event.iterations === 'unlimited' ? null : (event.iterations ?? frame.iterations);
  // A changed prompt is new to the agent, so it gets the whole text once.
  return {
    ...withNewGates(changed(loop, event.prompt ?? frame.prompt, iterations), event),
    compacted: loop.compacted || event.prompt !== null,
  };
}

function changed(loop: Loop, prompt: string, iterations: number | null): Loop {
  const frame = topFrame(loop);
  if (prompt === frame.prompt && iterations === frame.iterations) return loop;
  return revised({ ...loop, frames: withTop(loop, { ...frame, prompt, iterations }) });
}
