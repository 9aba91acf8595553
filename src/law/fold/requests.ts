/**
 * Folds what a loop asks its person, the answers, and the person's own words. The first line for an id wins.
 */
import type { EventOf } from '../record/events.ts';
import {
  hasEnded,
  isAwaitingAnswer,
  isAwaitingCheck,
  isPlain,
  iterationsInAll,
  withPart,
  type Loop,
  type Request,
  type Steer,
} from '../loop.ts';
import {
  asksIfDone,
  MAX_OPEN_REQUESTS,
  nextRequestId,
  openFor,
  openRequestsOf,
} from '../waiting/requests.ts';

/**
 * Settled requests that are kept, to tell a late answer what was answered. Approvals that wait for their call
 * stay.
 */
const MAX_SETTLED_KEPT = 16;
/** Of all requests. A person may approve more calls than the agent ever makes. */
const MAX_REQUESTS_KEPT = 64;
const MAX_STEERS_KEPT = 16;

export function requested(loop: Loop, event: EventOf<'requested'>): Loop {
  const { id, kind, what, why, at, expires } = event;
  if (id !== nextRequestId(loop) || openRequestsOf(loop).length >= MAX_OPEN_REQUESTS) return loop;
  if (what.digest !== null && openFor(loop, what.digest) !== null) return loop;
  const request: Request = { id, kind, what, why, at, expires, answer: null, released: null, told: false };
  const { requested: count, requests } = loop.people;
  const asked = withPart(loop, 'people', { requested: count + 1, requests: bounded([...requests, request]) });
  // The agent works, so the host has carried out the last continue.
  return withPart(asked, 'session', { unconfirmed: null });
}

export function answered(loop: Loop, event: EventOf<'answered'>): Loop {
  const { id, answer, note, by, at } = event;
  const request = openRequestsOf(loop).find((one) => one.id === id);
  if (request === undefined || (answer === 'text' && request.kind !== 'question')) return loop;
  const settled = changed(loop, id, {
    answer: { is: answer, note, by, at, pass: iterationsInAll(loop) + 1 },
  });
  if (!asksIfDone(request) || answer !== 'approved') return settled;
  const { frame } = loop;
  // The word is for the frame at work. The frames around it go on, so the agent claims it, and nothing else
  // is asked of it.
  if (request.kind === 'acceptance' && !isPlain(loop)) {
    const claims = frame.gates.filter(({ kind }) => kind === 'promise' || kind === 'signal');
    const gates = claims.length === 0 ? ([{ kind: 'signal' }] as const) : claims;
    return { ...settled, frame: { ...frame, gates } };
  }
  // The stop that asked ended the last pass.
  return {
    ...settled,
    frame: { ...frame, passes: frame.passes + 1 },
    status: { is: 'completed' },
  };
}

export function expired(loop: Loop, { id, at }: EventOf<'expired'>): Loop {
  const request = openRequestsOf(loop).find((one) => one.id === id);
  if (request === undefined) return loop;
  return {
    ...changed(loop, id, { answer: { is: 'expired', at } }),
    status: { is: 'escalated', why: { is: 'unanswered', words: request.what.text } },
  };
}

export function released(loop: Loop, { id, call }: EventOf<'released'>): Loop {
  const request = loop.people.requests.find((one) => one.id === id);
  if (request?.answer?.is !== 'approved' || request.released !== null) return loop;
  return changed(loop, id, { released: call, told: true });
}

export function steered(loop: Loop, { words, at }: EventOf<'steered'>): Loop {
  const steer = { id: `steer-${loop.events + 1}`, words, at, pass: iterationsInAll(loop) + 1, told: false };
  const steers = [...loop.people.steers, steer].slice(-MAX_STEERS_KEPT);
  // The agent is to hear it, so it no longer waits for a check.
  const status = isAwaitingCheck(loop) ? ({ is: 'running' } as const) : loop.status;
  return withPart(withPart({ ...loop, status }, 'people', { steers }), 'session', { awaits: null });
}

/** Other gates may show what these can't, so nobody has to accept it any more. */
export function gatesChanged(loop: Loop, { at, checks, promise, measures }: EventOf<'amended'>): Loop {
  if ((checks ?? promise ?? measures) === undefined) return loop;
  const note = 'The gates have changed.';
  const answer = { is: 'rejected', note, by: 'terminal', at, pass: iterationsInAll(loop) + 1 } as const;
  const open = openRequestsOf(loop).filter(({ kind }) => kind === 'acceptance');
  return open.reduce((settled, { id }) => changed(settled, id, { answer }), loop);
}

export function told(loop: Loop, { ids }: EventOf<'told'>): Loop {
  const known = <T extends Request | Steer>(one: T): T =>
    ids.includes(one.id) ? { ...one, told: true } : one;
  const { requests, steers } = loop.people;
  return withPart(loop, 'people', { requests: requests.map(known), steers: steers.map(known) });
}

/**
 * A loop at work with an open request waits for the answer, and goes on once none is open. Its end closes
 * what is still open.
 */
export function settleRequests(loop: Loop): Loop {
  if (hasEnded(loop)) return withRequests(loop, (all) => all.filter(({ answer }) => answer !== null));
  const waits = isAwaitingAnswer(loop);
  const open = openRequestsOf(loop);
  if (open.length === 0) return waits ? { ...loop, status: { is: 'running' } } : loop;
  if (!waits && loop.status.is !== 'running') return loop;
  const until = open.map(({ expires }) => expires).reduce((a, b) => (Date.parse(a) < Date.parse(b) ? a : b));
  return { ...loop, status: { is: 'waiting', for: 'approval', until } };
}

function changed(loop: Loop, id: string, change: Partial<Request>): Loop {
  return withRequests(loop, (all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)));
}

function withRequests(loop: Loop, change: (all: readonly Request[]) => readonly Request[]): Loop {
  return withPart(loop, 'people', { requests: change(loop.people.requests) });
}

function bounded(requests: readonly Request[]): readonly Request[] {
  const settled = requests.filter(
    ({ answer, released }) => answer !== null && (answer.is !== 'approved' || released),
  );
  const gone = settled.slice(0, -MAX_SETTLED_KEPT);
  return requests.filter((one) => !gone.includes(one)).slice(-MAX_REQUESTS_KEPT);
}
