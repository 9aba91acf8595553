/**
 * The status of a loop as people see it, and in words that follow its name: "completed after 3 iterations:
 * …".
 */
import type { Actor, Context } from '#law/record/events.ts';
import { oneLine } from '#base/words/sanitize.ts';
import {
  outermostOf,
  hasEnded,
  isLive,
  isToolSession,
  iterationsInAll,
  stallsOnlyWhenIdle,
  type Frame,
  type Loop,
  type Status,
  type WaitFor,
  hasPassesLeft,
  workedMs,
} from '#law/loop.ts';
import { doneOf, type Done } from '#law/proof/done.ts';
import {
  duration,
  few,
  ofIterations,
  plural,
  sayEscalation,
  sayCheck,
  sayReviews,
} from '#law/words/phrases.ts';
import { sayNotYet } from '#law/words/check-outcomes.ts';
import { clockTime, timeOfDay } from '../time.ts';
import { sayCount, sayUsd } from '#law/words/figures.ts';
import {
  byGateKind,
  checksOf,
  claimLine,
  featuresOf,
  hasChoice,
  hooksOf,
  movedBaselineOf,
  type ByGateKind,
} from '#law/gates.ts';
import { sayGoalsOf } from '#law/measures.ts';
import { asksIfDone } from '#law/waiting/requests.ts';
import { ANSWERERS } from './answerers.ts';
import { sayReserve } from './reserve.ts';

export function title({ name, id }: Loop): string {
  return name === null ? id : `"${name}" (${id})`;
}

/** In words that follow its name: "is running, iteration 3 of 5". */
export function sayStatus(loop: Loop): string {
  return `${isLive(loop) || loop.status.is === 'pending' ? 'is ' : ''}${sayState(loop)}`;
}

/** In words that stand alone: "running, iteration 3 of 5". */
export function sayState(loop: Loop): string {
  const spent = used(loop);
  const { status } = loop;
  switch (status.is) {
    case 'pending':
      return `ready and ${sayReady(loop)}`;
    case 'running':
      return `running, iteration ${ofIterations(loop)}`;
    case 'waiting':
      return `waiting for ${sayWait(loop, status)}, iteration ${ofIterations(loop)}`;
    case 'paused':
      return (
        'paused after ' +
        `${spent}${status.why === 'command' ? ` (${ACTORS[status.by]})` : `: ${PAUSES[status.why]}`}`
      );
    case 'interrupted':
      return `interrupted after ${spent}: ${sayInterruption(loop, status)}`;
    case 'completed':
      return (
        `completed after ${spent}: ` +
        `${sayWhyDone(loop)}${status.unchanged ? ', but nothing was changed' : ''}`
      );
    case 'exhausted':
      return `stopped: ${sayExhausted(loop, status, spent)}`;
    case 'stuck':
      if (status.limit === 'stagnation') return `stuck after ${spent}: ${status.detail}`;
      return (
        `stopped as stale after ${spent}: nothing happened for more than ` +
        `${duration(loop.limits.staleMs)}`
      );
    case 'escalated':
      return `stopped after ${spent} and needs you: ${sayEscalation(status.why)}`;
    case 'cancelled':
      return `cancelled after ${spent} (${ACTORS[status.by]})`;
    case 'aborted':
      return (
        `aborted after ${spent}: ${oneLine(status.detail, 300)}` +
        (status.evidence === null ? '' : `; what was found is kept in ${status.evidence}`)
      );
  }
}

function sayExhausted(loop: Loop, { limit }: Extract<Status, { is: 'exhausted' }>, used: string): string {
  const { frame } = loop;
  switch (limit) {
    case 'items':
      return frame.items === null
        ? `the agent says that it has done as many issues as it may (${used})`
        : `max items reached (${frame.handled.length}, in ${used})`;
    case 'iterations':
      // With iterations left, the agent ended the frame by a signal of its mode.
      return hasPassesLeft(frame)
        ? `the agent says that it has used up its iterations (${used})`
        : `max iterations reached (${used})`;
    case 'time':
      return `time limit of ${duration(loop.limits.timeMs ?? 0)} reached after ${used}`;
    case 'cost': {
      const isEstimated = loop.driver === 'hook' || loop.spent.estimated === true;
      const cost = `${sayUsd(loop.spent.costUsd)}${isEstimated ? ', estimated from tokens' : ''}`;
      return `budget of ${sayUsd(loop.limits.costUsd ?? 0)} used up after ${used} (${cost})`;
    }
    case 'tokens':
      return (
        `budget of ${sayCount(loop.limits.tokens ?? 0)} tokens used up after ${used} ` +
        `(${sayCount(loop.spent.tokens)})`
      );
  }
}

function sayWait({ last }: Loop, status: Extract<Status, { is: 'waiting' }>): string {
  if (status.for === 'background') return 'background work';
  if (status.for === 'check')
    return `${sayNotYet(last?.proofs ?? []) || WAITS.check}, next look ${timeOfDay(status.until)}`;
  if (status.reserve)
    return `${WAITS.limit}, until ${clockTime(status.until)}: ${sayReserve(status.reserve)}`;
  return `${WAITS[status.for]}, until ${clockTime(status.until)}`;
}

const WAITS: Readonly<Record<WaitFor, string>> = {
  approval: 'your answer (dacapo approvals)',
  retry: 'the host to recover',
  limit: "the host's usage limit to reset",
  pause: 'the next iteration',
  rate: 'the limit of calls per hour',
  circuit: 'another try, because nothing changed',
  check: 'a check that says "not yet"',
};

/** What a loop that is ready waits for. */
export function sayReady({ session: { owner }, stops, driver }: Loop): string {
  if (driver === 'fresh') return 'waits for dacapo run';
  if (owner === null) return 'waits for a prompt';
  return `${stops === 0 ? 'begins' : 'continues'} with the next prompt or stop of session ${owner.session}`;
}

const PAUSES = {
  prompt: 'you typed a prompt of your own',
  clear: 'the session was cleared',
  capped: "the host's cap on stops without a tool call ended the turn",
};

/** Null: the host has a cap of unknown size. */
export function capWords(cap: number | null): string {
  return cap === null ? 'on stops' : `of ${cap} stops`;
}

function sayInterruption(loop: Loop, status: Extract<Status, { is: 'interrupted' }>): string {
  switch (status.why) {
    case 'session-end':
      if (loop.driver === 'fresh') return oneLine(status.detail, 60);
      // The person who quit in a common way knows it without the host's words.
      return `the session ended${isUsualExit(status.detail) ? '' : ` (${oneLine(status.detail, 60)})`}`;
    case 'fault':
      return `the host reported an error (${oneLine(status.detail, 160)})`;
    case 'reserve':
      return oneLine(status.detail, 200);
    case 'capped':
      return `the host's cap ${capWords(loop.session.cap)} in a row without a tool call ended the turn`;
    case 'gone':
      return loop.driver === 'fresh'
        ? 'the process that ran it is gone'
        : isToolSession(loop.session.owner?.session ?? '')
          ? 'the client that drove it is gone'
          : 'the process of its session is gone';
    case 'idle':
      return 'nothing runs in its session, as after Esc';
  }
}

export function isUsualExit(reason: string): boolean {
  return ['', 'prompt_input_exit', 'other'].includes(reason);
}

export const ACTORS: Readonly<Record<Actor, string>> = {
  session: 'from the session',
  terminal: 'from a terminal',
  page: 'from the page',
  view: 'its state file was deleted',
  status: 'its state file says stopped',
  agent: 'by the agent itself, on the command line',
  mcp: 'by the agent itself, over MCP',
  host: 'by the host',
};

function used(loop: Loop): string {
  const all = iterationsInAll(loop);
  const { passes, items } = outermostOf(loop);
  if (all === passes || items !== null) return plural(all, 'iteration');
  return `${plural(passes, 'iteration')} + ${all - passes} in inner tasks`;
}

/** More checks than these are counted, not named. */
const MAX_CHECKS_LISTED = 2;
const MAX_PATH_CHARS = 120;

function sayWhyDone(loop: Loop): string {
  const { kind, answer } = loop.people.requests.findLast(asksIfDone) ?? {};
  const done = doneOf(loop);
  const how = done === null || isClaimAlone(loop.frame) ? '' : ` (${sayDone(done)})`;
  if (answer?.is !== 'approved') return `${proof(loop)}${how}`;
  const by = ANSWERERS[answer.by];
  return kind === 'acceptance'
    ? `accepted ${by}, because the gates could not show it`
    : `${proof(loop)}, confirmed ${by}${how}`;
}

/** The proof itself says that. */
function isClaimAlone({ gates, items }: Frame): boolean {
  return items === null && gates.every(({ kind }) => kind === 'promise' || kind === 'signal');
}

const MAX_FILES_LISTED = 5;

/** By what a loop is done, in a few words: the one place that makes words from that value. */
export function sayDone(done: Done): string {
  const vacuous = done.hasVacuousTests ? '; the new tests pass without the work as well' : '';
  return `${sayDoneBy(done)}${vacuous}`;
}

function sayDoneBy({ by, ground, files, dependencies, proven }: Done): string {
  const names = few(files, (file) => oneLine(file, MAX_PATH_CHARS), MAX_FILES_LISTED).join(', ');
  if (proven) return ground === 'old' ? `proven with the tests of the start; changed: ${names}` : 'proven';
  if (ground === 'changed') {
    const [hasTests, hasOthers] = [files.length > dependencies.length, dependencies.length > 0];
    const what = [...(hasTests ? ['tests'] : []), ...(hasOthers ? ['dependencies'] : [])].join(' and ');
    return `done by changed ${what}: ${names}`;
  }
  if (by.includes('accepted')) return 'accepted by a person';
  if (by.includes('check')) return 'by a check, whose tests could not be compared with those of the start';
  return by.includes('list') ? 'as the agent marked them' : 'said by the agent';
}

function proof(loop: Loop): string {
  const { frame } = loop;
  if (frame.items !== null) return 'every item is done';
  if (hasChoice(frame)) return 'one of its gates holds';
  const proven = [
    ...byGateKind(provenBy(loop), frame),
    ...(claimLine(frame) === null ? [] : ['the agent says that it is done']),
    ...(frame.confirm === undefined ? [] : [`${plural(frame.confirm, 'iteration')} confirmed it`]),
  ];
  const [last = 'every gate holds', ...others] = proven.reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}

function provenBy({ last }: Loop): ByGateKind {
  return {
    check: (frame) => {
      const checks = checksOf(frame);
      if (checks.length > MAX_CHECKS_LISTED) return [`all ${checks.length} checks pass`];
      return checks.map((check) => `${sayCheck(check)} passes`);
    },
    features: (frame) => {
      const list = featuresOf(frame);
      const count = last?.features?.is === 'read' ? ` (${last.features.facts.total})` : '';
      return list === null ? [] : [`all items of ${oneLine(list.file, MAX_PATH_CHARS)} pass${count}`];
    },
    moved: (frame) => {
      const move = movedBaselineOf(frame);
      const [file, folder] = [move?.file, move?.folder].map((path) => oneLine(path ?? '', MAX_PATH_CHARS));
      return move === null ? [] : [`${file} is in ${folder}`];
    },
    hooks: (frame) => (hooksOf(frame) === null ? [] : ['the stop hooks agree']),
    review: sayReviews,
    measures: sayGoalsOf,
    promise: () => [],
    signal: () => [],
  };
}

/**
 * Shows a loop as running only if it really runs. It does not after a continue that the host has probably
 * overridden, with an owner whose process is gone, or before its session has taken it up. The record stays
 * unchanged: the next event of the chain may show that the loop runs after all.
 */
export function asShown(loop: Loop, isAlive: (loop: Loop) => boolean = () => true): Loop {
  if (!isLive(loop)) return loop;
  if (loop.session.awaited)
    return { ...loop, status: { is: 'pending' }, clock: { ...loop.clock, since: null } };
  if (loop.status.is === 'running' && loop.session.unconfirmed?.capped) return interrupted(loop, 'capped');
  const process = loop.session.owner?.process ?? null;
  return process === null || isAlive(loop) ? loop : interrupted(loop, 'gone');
}

/** A person pressed Esc, and no hook reports that: the record says "running" until they type something. */
export function asIdle(loop: Loop): Loop {
  return interrupted(loop, 'idle');
}

function interrupted(loop: Loop, why: 'capped' | 'gone' | 'idle'): Loop {
  const clock = { workedMs: workedMs(loop, loop.updatedAt), since: null, until: loop.updatedAt };
  return { ...loop, status: { is: 'interrupted', why, detail: '' }, clock };
}

export function iterationShown(loop: Loop): number {
  const { passes } = loop.frame;
  return hasEnded(loop) ? passes : passes + 1;
}

/**
 * Above this the agent is told to write things down: hosts compact soon after, and what is only in the
 * context is lost.
 */
const CROWDED_SHARE = 0.8;

export function isCrowded(context: Context | null): boolean {
  return context !== null && context.window !== null && context.tokens >= CROWDED_SHARE * context.window;
}

/** Toward a mere promise a tool call counts as progress, since the work may lie anywhere. */
export function sayStallLimit(loop: Loop, stalls: number): string {
  return `${stalls} stops without ${stallsOnlyWhenIdle(loop) ? 'a tool call' : 'progress'}`;
}
