/**
 * Folds every event that no hearing writes: a loop begins, changes hands, is paused, amended, ended or
 * reopened. Most stops continue their loop and never load this file.
 */
import {
  CLOSED,
  hasEnded,
  iterationsInAll,
  needsPerson,
  spentWith,
  withPart,
  type Loop,
  type Status,
  isLive,
} from '../loop.ts';
import { reviewerOf } from '../gates.ts';
import type { Event, EventOf } from '../record/events.ts';
import { amended, pushed, shortened, frameOf } from './frames.ts';
import { bound, holderOf, identified, moved, prompted, resumed, taken } from './owner.ts';
import { answered, expired, gatesChanged, released, requested, steered, told } from './requests.ts';
import type { Verdict } from '../record/verdict.ts';

/**
 * A session or a host that comes back late does not undo an ending; only a person in a terminal does. A loop
 * that needs its person is the exception: that person may be in the session.
 */
function isReopening(loop: Loop, event: Event): boolean {
  if (event.type !== 'resumed' || event.by === 'host') return false;
  return event.by !== 'session' || needsPerson(loop);
}

/**
 * New checks for a loop that ended because one of its checks could not be run. They count when it is resumed.
 */
function changesGates({ status }: Loop, event: Event): boolean {
  if (event.type !== 'amended' || event.by !== 'terminal' || status.is === 'completed') return false;
  return (event.checks ?? event.promise ?? event.measures) !== undefined;
}

function mayFollowEnding(loop: Loop, event: Event): boolean {
  if (loop.pruned === true) return false;
  return event.type === 'pruned' || isReopening(loop, event) || changesGates(loop, event);
}

type Happening = Exclude<Event['type'], 'created' | 'stop' | 'verdict'>;

const CHANGES: { readonly [K in Happening]: (loop: Loop, event: EventOf<K>) => Loop } = {
  bound,
  taken,
  identified,
  moved,
  prompted,
  pushed: (loop, event) => pushed(event.prompt === null ? loop : prompted(loop, event), event),
  lost,
  paused: (loop, { by, why }) =>
    rests(loop, { is: 'paused', by, why: why === 'prompt' && isCapped(loop) ? 'capped' : why }),
  resumed,
  interrupted: (loop, { why, detail }) =>
    rests(loop, { is: 'interrupted', why: isCapped(loop) ? 'capped' : why, detail }),
  cancelled: (loop, { by, prompt }) => ({ ...loop, status: { is: 'cancelled', by, prompt } }),
  aborted: (loop, { why, detail, evidence }) => ({
    ...loop,
    status: { is: 'aborted', why, detail, evidence },
  }),
  amended: (loop, event) => gatesChanged(amended(loop, event), event),
  bounded,
  altered: (loop, { by, digest }) => ({
    ...loop,
    protection: { ...loop.protection, [by === 'unknown' ? 'slipped' : 'baseline']: digest },
  }),
  shortened,
  compacted: (loop) => withPart(loop, 'session', { compacted: true, context: null }),
  woken,
  planned: (loop, { plan }) => withPart(loop, 'run', { plan }),
  planted: (loop, { host, files }) => ({
    ...loop,
    status: { is: 'escalated', why: { is: 'planted', host, files } },
  }),
  faulted,
  held: (loop, { for: what, until, reserve }) => ({
    ...loop,
    status: { is: 'waiting', for: what, until, ...(reserve && { reserve }) },
  }),
  metered: (loop, { host, windows }) => withPart(loop, 'run', { metered: { host, windows } }),
  spent: (loop, { used }) => ({ ...loop, spent: spentWith(loop, used) }),
  slept,
  recorded: (loop) => loop,
  refused: (loop) => loop,
  viewed,
  requested,
  answered,
  expired,
  released,
  steered,
  told,
  asked: lastOfKind,
  checkpointed: lastOfKind,
  reviewed: (loop, event) => ({
    ...loop,
    spent: spentWith(loop, event.used),
    noted: { ...loop.noted, reviewed: { ...loop.noted.reviewed, [reviewerOf(event)]: event } },
  }),
  restored: lastOfKind,
  pruned: (loop) => (hasEnded(loop) ? { ...loop, pruned: true } : loop),
  said: (loop, { what, words }) => withPart(loop, 'session', { said: { what, words } }),
  noted,
};

export function happened(loop: Loop, event: EventOf<Happening>): Loop {
  // An ended loop stays ended: later events in the file are void. Only a person reopens a loop.
  return hasEnded(loop) && !mayFollowEnding(loop, event) ? loop : change(loop, event);
}

function change<K extends Happening>(loop: Loop, event: EventOf<K>): Loop {
  return CHANGES[event.type](loop, event);
}

/** What was said belonged to that stop. The agent can say it again. */
function lost(loop: Loop, { n }: EventOf<'lost'>): Loop {
  return loop.open?.n === n ? withPart({ ...loop, open: null }, 'session', { said: null }) : loop;
}

function bounded(loop: Loop, event: EventOf<'bounded'>): Loop {
  return withPart(loop, 'limits', {
    timeMs: event.timeMs ?? loop.limits.timeMs,
    costUsd: event.costUsd ?? loop.limits.costUsd,
    tokens: event.tokens ?? loop.limits.tokens,
  });
}

/** Not after a later stop, which has a waker of its own, and not while a person holds the loop. */
function woken(loop: Loop, event: EventOf<'woken'>): Loop {
  if (event.n !== loop.stops || !isLive(loop) || loop.session.woken?.n === event.n) return loop;
  return withPart(loop, 'session', { woken: { n: event.n, ...holderOf(event) } });
}

function lastOfKind(loop: Loop, event: EventOf<Exclude<keyof Loop['noted'], 'reviewed'>>): Loop {
  return { ...loop, noted: { ...loop.noted, [event.type]: event } };
}

/** The host has probably overridden the last continue by its cap. */
function isCapped({ session: { unconfirmed } }: Loop): boolean {
  return unconfirmed?.capped === true;
}

function rests(loop: Loop, status: Status): Loop {
  return withPart({ ...loop, status }, 'session', { unconfirmed: null });
}

/** A later pass needs the latest lessons. More would crowd out the task. */
const MAX_NOTES_KEPT = 12;

/** A note that is given twice counts once, at its later place. */
function noted(loop: Loop, { words }: EventOf<'noted'>): Loop {
  const others = loop.notes.filter((note) => note.words !== words);
  return { ...loop, notes: [...others, { pass: iterationsInAll(loop) + 1, words }].slice(-MAX_NOTES_KEPT) };
}

function viewed(loop: Loop, { kind, file }: EventOf<'viewed'>): Loop {
  if (kind === 'markdown') return withPart(loop, 'files', { view: file });
  const others = loop.files.views.filter((view) => view.kind !== kind);
  return withPart(loop, 'files', { views: [...others, { kind, file }] });
}

/** The span that is being counted begins later by as much. */
function slept(loop: Loop, { at, ms }: EventOf<'slept'>): Loop {
  const { clock } = loop;
  if (clock.since === null) return loop;
  const since = Math.min(Date.parse(clock.since) + ms, Date.parse(at));
  return { ...loop, clock: { ...clock, since: new Date(since).toISOString() } };
}

/** A pass failed through no fault of the agent. Its cost counts, and the pass may be retried. */
function faulted(loop: Loop, event: EventOf<'faulted'>): Loop {
  const { at, fault, detail, until, used } = event;
  const { total, inARow } = loop.run.faults;
  const after = { ...loop, spent: spentWith(loop, used), status: statusAfterFault(loop, event) };
  return withPart(after, 'run', {
    faults: { total: total + 1, inARow: inARow + 1, last: { at, fault, detail } },
    resetsAt: fault === 'limit' ? until : null,
  });
}

function statusAfterFault({ status }: Loop, { fault, detail, until, login }: EventOf<'faulted'>): Status {
  switch (fault) {
    case 'fatal':
      return { is: 'escalated', why: { is: 'fatal', words: detail, ...(login !== undefined && { login }) } };
    // The pass was cut off, and the work it left is judged.
    case 'timed-out':
    case 'silent':
      return status;
    case 'transient':
    case 'crashed':
    case 'limit':
      if (until === null) return { is: 'interrupted', why: 'fault', detail };
      return { is: 'waiting', for: fault === 'limit' ? 'limit' : 'retry', until };
  }
}

export function createLoop(event: EventOf<'created'>): Loop {
  const { name, driver, timeMs, staleMs, costUsd, tokens, stalls, stallsAsked, checking, config, ...rest } =
    event.definition;
  const { protect, baseline, unmatched = [], ground = null, approvals = null, notify = [], ...others } = rest;
  const { passes, views: _, tree = null, ...fields } = others;
  const frame = { ...frameOf({ ...fields, item: null }, 1, true), passes };
  return {
    id: event.id,
    project: event.project,
    host: event.host,
    name,
    driver,
    frame,
    around: [],
    limits: { timeMs, staleMs, costUsd, tokens, stalls, stallsAsked, checking },
    spent: { costUsd: 0, tokens: 0 },
    circuit: CLOSED,
    begunTree: tree,
    worked: false,
    session: sessionBefore(event),
    config,
    ground,
    protection: { protect, baseline, unmatched, slipped: null },
    people: { notify, approvals, requested: 0, requests: [], steers: [] },
    noted: {},
    notes: [],
    status: { is: 'pending' },
    stops: 0,
    open: null,
    answered: [],
    last: null,
    run: { plan: null, faults: { total: 0, inARow: 0, last: null }, resetsAt: null },
    files: {
      view: null,
      views: [],
      revisions: [{ from: 1, frame: 1, prompt: frame.prompt, iterations: frame.iterations }],
    },
    clock: { workedMs: 0, since: null, until: null },
    startedAt: event.at,
    updatedAt: event.at,
    activeAt: event.at,
    events: 1,
  };
}

/** Before any session has taken the loop. */
function sessionBefore({ at, by }: EventOf<'created'>): Loop['session'] {
  return {
    context: null,
    said: null,
    owner: null,
    awaited: false,
    origin: { session: by.session, prompt: by.prompt },
    chain: null,
    unconfirmed: null,
    streak: 0,
    cap: null,
    hold: null,
    shellsHeld: [],
    awaits: null,
    yielded: false,
    compacted: false,
    queue: { offset: 0, waiting: 0 },
    woken: null,
    boundAt: at,
  };
}

const MAX_SHELLS_KEPT = 32;

/** What a stop that was only let through waits for. */
export function awaitedAfter(
  { session }: Loop,
  { at, verdict }: EventOf<'verdict'>,
): Partial<Loop['session']> {
  if (verdict.is !== 'allow' || verdict.why === 'approval') return {};
  if (verdict.why === 'not-yet') return { awaits: { looks: (session.awaits?.looks ?? 0) + 1 } };
  if (verdict.why === 'queue') return { yielded: true, hold: session.hold };
  return {
    hold: session.hold ?? { until: verdict.until ?? at },
    shellsHeld: [...new Set([...session.shellsHeld, ...verdict.shells])].slice(-MAX_SHELLS_KEPT),
  };
}

export function statusAfter(loop: Loop, verdict: Exclude<Verdict, { is: 'continue' }>): Status {
  switch (verdict.is) {
    case 'complete':
      return verdict.unchanged ? { is: 'completed', unchanged: true } : { is: 'completed' };
    case 'escalate':
      return { is: 'escalated', why: verdict.why };
    case 'exhaust':
      if (verdict.limit === 'stagnation')
        return { is: 'stuck', limit: verdict.limit, detail: verdict.detail };
      return verdict.limit === 'staleness'
        ? { is: 'stuck', limit: verdict.limit }
        : { is: 'exhausted', limit: verdict.limit };
    case 'allow':
      if (verdict.why === 'not-yet' && verdict.until !== null)
        return { is: 'waiting', for: 'check', until: verdict.until };
      return verdict.why === 'background' ? { is: 'waiting', for: 'background' } : loop.status;
  }
}
