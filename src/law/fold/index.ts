/** Folds events into a loop: pure, one event at a time, and of bounded size however long the journal is. */
import type { Event, EventOf } from '../record/events.ts';
import { createLoop, happened, statusAfter, awaitedAfter } from './lifecycle.ts';
import { settleRequests } from './requests.ts';
import {
  hasEnded,
  isAwaitingCheck,
  isLive,
  spentWith,
  withPart,
  workedMs,
  type Frame,
  type LastHearing,
  type Loop,
} from '../loop.ts';
import { itemsPassing } from '../gates.ts';
import type { Verdict } from '../record/verdict.ts';
import { turned } from './frames.ts';

export function fold(loop: Loop | null, event: Event): Loop | null {
  if (event.type === 'created') return loop ?? createLoop(event);
  if (loop === null) return null;
  const applied = apply(loop, event);
  // Most loops never ask, so they never load the code that follows what was asked.
  const next = applied.people.requests.length === 0 ? applied : settleRequests(applied);
  return {
    ...next,
    events: loop.events + 1,
    updatedAt: event.at,
    activeAt: isActivity(event) ? event.at : loop.activeAt,
    clock: tick(loop, next, event),
  };
}

/**
 * The current stop, and events that belong to it before its verdict, do not count as activity. Staleness is
 * measured from what came before them.
 */
function isActivity(event: Event): boolean {
  return (
    event.type !== 'stop' && event.type !== 'lost' && !(event.type === 'bound' && event.how === 'takeover')
  );
}

/**
 * Events that a hearing writes are folded here. All others are in `lifecycle.ts`, which a common stop never
 * loads.
 */
function apply(loop: Loop, event: Exclude<Event, { type: 'created' }>): Loop {
  if (event.type === 'stop') return claimed(loop, event);
  return event.type === 'verdict' ? judged(loop, event) : happened(loop, event);
}

/**
 * The clock runs while the loop is being worked on, or a check is awaited. Any other hold, a pause or an
 * interruption stops it.
 */
function tick(before: Loop, after: Loop, event: Event): Loop['clock'] {
  const { clock } = after;
  const isGone = hadDied(before, event);
  const waited = isAwaitingCheck(before);
  const runs = isAwaitingCheck(after) || (after.status.is === 'running' && !after.session.awaited);
  const died = clock.since !== null && !waited && isGone;
  if (runs && !died && !waited) return { ...clock, since: clock.since ?? event.at };
  if (clock.since === null) return clock;
  const until = died ? before.updatedAt : event.at;
  return {
    workedMs: workedMs({ ...before, clock }, until),
    since: runs ? event.at : null,
    until,
  };
}

/**
 * A running loop is resumed, moved to another machine or taken by another driver only if its process is gone.
 * We don't know when that died, so nothing after the last event counts as work: else a kill in the evening
 * would use up the time until the morning.
 */
function hadDied({ driver, session: { owner } }: Loop, event: Event): boolean {
  return (
    event.type === 'resumed' ||
    event.type === 'moved' ||
    (event.type === 'taken' &&
      driver === 'fresh' &&
      (owner?.process !== event.process || owner.machine !== event.machine))
  );
}

/**
 * How many answered stops to compare a late second delivery with. A host delivers it within a few stops, if
 * at all.
 */
const MAX_ANSWERED_KEPT = 4;

/** The first line for an ordinal wins. Any other claim on it is void, and its writer finds that out here. */
function claimed(loop: Loop, event: EventOf<'stop'>): Loop {
  if (event.n !== loop.stops + 1 || loop.open !== null || !isLive(loop)) return loop;
  const { type: _type, at: _at, continuedByHook: _continued, ...open } = event;
  return withPart({ ...loop, stops: open.n, open }, 'session', { unconfirmed: null, awaited: false });
}

function judged(loop: Loop, event: EventOf<'verdict'>): Loop {
  const claim = loop.open;
  if (claim === null || claim.n !== event.n) return loop;
  const { verdict } = event;
  if (!isLive(loop)) {
    // An ended loop stays ended: any later event in the file, even a verdict, is void.
    if (hasEnded(loop)) return loop;
    // Paused in the middle of a hearing: the pause came first and holds, unless the work is proven done.
    if (verdict.is !== 'complete') return { ...loop, open: null };
  }
  const { frame } = loop;
  const base: Loop = {
    ...loop,
    open: null,
    answered: [...loop.answered, { ...claim, at: event.at }].slice(-MAX_ANSWERED_KEPT),
    session: sessionAfter(loop, event, claim.prompt),
    spent: spentWith(loop, event.used),
    worked: loop.worked || event.toolUsed,
    circuit: {
      times: event.stalls,
      tree: event.tree ?? loop.circuit.tree,
      half: false,
      trend: event.trend ?? loop.circuit.trend,
    },
    last: hearingOf(loop, event),
    frame: endsPass(verdict) ? frameAfter(frame, event) : frame,
    status: verdict.is === 'continue' ? { is: 'running' } : statusAfter(loop, verdict),
    run: {
      ...loop.run,
      faults: { ...loop.run.faults, inARow: 0 },
      // A judged stop proves that the usage limit is over.
      resetsAt: null,
    },
  };
  return verdict.is === 'allow' ? base : afterTurn(base, verdict);
}

function sessionAfter(loop: Loop, event: EventOf<'verdict'>, prompt: string | null): Loop['session'] {
  const { verdict } = event;
  return {
    ...loop.session,
    chain: prompt ?? loop.session.chain,
    cap: event.cap,
    queue: event.queue,
    // It was said for this stop.
    said: null,
    context: event.context ?? loop.session.context,
    yielded: false,
    hold: null,
    awaits: null,
    ...(verdict.is === 'continue'
      ? {
          streak: event.toolUsed && event.toolResetsCap !== false ? 1 : loop.session.streak + 1,
          unconfirmed: { capped: verdict.capped },
          compacted: false,
        }
      : awaitedAfter(loop, event)),
  };
}

function hearingOf({ last, frame }: Loop, event: EventOf<'verdict'>): LastHearing {
  const { verdict } = event;
  return {
    n: event.n,
    at: event.at,
    iteration: frame.passes + 1,
    verdict,
    // A stop that was only let through, or that gave the frame its task, tested no gates, so the earlier
    // result still holds. Before a person is asked to confirm the completion, all of them held, and where a
    // check says "not yet", all others.
    looked:
      (verdict.is === 'allow' && verdict.why !== 'not-yet' && verdict.asks?.kind !== 'completion') ||
      !frame.promptGiven
        ? (last?.looked ?? null)
        : verdict,
    proofs: verdict.is === 'allow' && event.proofs.length === 0 ? (last?.proofs ?? []) : event.proofs,
    gateResults:
      event.gateResults.length > 0 || verdict.is === 'complete'
        ? event.gateResults
        : (last?.gateResults ?? []),
    features: event.features ?? last?.features ?? null,
  };
}

/** Most verdicts leave the frames as they are and never load `frames.ts`. */
function afterTurn(loop: Loop, verdict: Exclude<Verdict, { is: 'allow' }>): Loop {
  const { popped = [] } = verdict;
  const item = verdict.is === 'continue' ? verdict.item : null;
  return popped.length > 0 || item !== null ? turned(loop, popped, item) : loop;
}

/**
 * An item that is marked while a check fails is not proven. It stays a claim, and the checks run again. A
 * frame whose prompt is not given yet gets it now, and no pass has ended.
 */
function frameAfter(frame: Frame, { features, proofs, verdict }: EventOf<'verdict'>): Frame {
  if (!frame.promptGiven) return { ...frame, promptGiven: true };
  const passing = (features && itemsPassing(features)) ?? frame.itemsPassing;
  const proven = proofs.every(({ outcome }) => outcome.is === 'passed');
  return {
    ...frame,
    passes: frame.passes + 1,
    questioned:
      'missing' in verdict && verdict.missing[0]?.gate === 'news' ? frame.passes + 1 : frame.questioned,
    itemsPassing: proven ? passing : Math.min(passing, frame.itemsPassing),
  };
}

/**
 * A stop that is only let through (queued input, background work, a stale chain) ends no pass. Neither does a
 * stop that gives out the next item: the frame that it ended is gone, and its record counts the pass.
 */
function endsPass(verdict: Verdict): boolean {
  if (verdict.is === 'continue') return verdict.item === null;
  return verdict.is !== 'allow' && !(verdict.is === 'exhaust' && verdict.limit === 'staleness');
}
