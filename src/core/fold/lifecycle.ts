/** Folds every event that no hearing writes: a loop changes hands, is paused, amended, ended or reopened. */
import { hasEnded, iterationsInAll, needsPerson, spentWith, type Loop } from '../loop.ts';
import type { Event, EventOf } from '../record/events.ts';
import { amended } from './amend.ts';
import { faulted } from './fault.ts';
import { pushed, shortened } from './frames.ts';
import { bound, holderOf, moved, prompted, resumed, taken } from './owner.ts';
import { answered, expired, released, requested, steered, told } from './requests.ts';

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

export function happened(loop: Loop, event: Exclude<Event, { type: 'created' | 'stop' | 'verdict' }>): Loop {
  // An ended loop stays ended: later events in the file are void. Only a person reopens a loop.
  if (hasEnded(loop) && !isReopening(loop, event) && !changesGates(loop, event)) return loop;
  switch (event.type) {
    case 'bound':
      return bound(loop, event);
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
      return loop.open?.n === event.n
        ? { ...loop, open: null, session: { ...loop.session, said: null } }
        : loop;
    case 'paused':
      return {
        ...loop,
        status: {
          is: 'paused',
          by: event.by,
          why: event.why === 'prompt' && loop.session.unconfirmed?.capped ? 'capped' : event.why,
        },
        session: { ...loop.session, unconfirmed: null },
      };
    case 'resumed':
      return resumed(loop, event);
    case 'interrupted':
      return {
        ...loop,
        status: {
          is: 'interrupted',
          why: loop.session.unconfirmed?.capped ? 'capped' : event.why,
          detail: event.detail,
        },
        session: { ...loop.session, unconfirmed: null },
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
        limits: {
          ...loop.limits,
          timeMs: event.timeMs ?? loop.limits.timeMs,
          costUsd: event.costUsd ?? loop.limits.costUsd,
          tokens: event.tokens ?? loop.limits.tokens,
        },
      };
    case 'altered':
      return {
        ...loop,
        protection: { ...loop.protection, [event.by === 'unknown' ? 'slipped' : 'baseline']: event.digest },
      };
    case 'shortened':
      return shortened(loop, event);
    case 'compacted':
      return { ...loop, session: { ...loop.session, compacted: true, context: null } };
    case 'woken':
      return loop.session.woken?.n === event.n
        ? loop
        : { ...loop, session: { ...loop.session, woken: { n: event.n, ...holderOf(event) } } };
    case 'planned':
      return { ...loop, run: { ...loop.run, plan: event.plan } };
    case 'faulted':
      return faulted(loop, event);
    case 'held':
      return { ...loop, status: { is: 'waiting', for: event.for, until: event.until } };
    case 'spent':
      return { ...loop, spent: spentWith(loop, event.used) };
    case 'slept':
      return { ...loop, clock: clockAfterSleep(loop, event) };
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
      return { ...loop, session: { ...loop.session, said: { what: event.what, words: event.words } } };
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
  if (kind === 'markdown') return { ...loop, files: { ...loop.files, view: file } };
  return {
    ...loop,
    files: {
      ...loop.files,
      views: [...loop.files.views.filter((view) => view.kind !== kind), { kind, file }],
    },
  };
}

/** The span that is being counted begins later by as much. */
function clockAfterSleep({ clock }: Loop, { at, ms }: EventOf<'slept'>): Loop['clock'] {
  if (clock.since === null) return clock;
  const since = Math.min(Date.parse(clock.since) + ms, Date.parse(at));
  return { ...clock, since: new Date(since).toISOString() };
}
