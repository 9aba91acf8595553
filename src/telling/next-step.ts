/** What a person can do next about a loop that rests or has ended, and the command that raises its limits. */
import { isCircuitOpen, isToolSession, hasPassesLeft, needsPerson, workedMs, type Loop } from '#law/loop.ts';
import { duration, plural } from '#law/words/phrases.ts';
import { fatalAdvice } from './person/fault.ts';
import { sayCount, sayUsd } from '#law/words/figures.ts';
import { howToAnswer } from './person/requests.ts';

/** The loop ended because it needs its person, and a word from them is enough to continue. */
export function waitsForPerson(loop: Loop): boolean {
  return needsPerson(loop) && hasPassesLeft(loop.frame);
}

/** What to do about files that were planted. */
const PLANTED = 'look at these files; remove them, or agree with dacapo trust in that folder';

/**
 * For a session. `resume`: what the reader types. Empty: nothing is left to do, or another sentence says it.
 */
export function sayAgain(loop: Loop, resume: string): string {
  const { status, id } = loop;
  if (status.is !== 'exhausted' && status.is !== 'escalated' && status.is !== 'stuck') return '';
  if (status.is === 'exhausted' && status.limit === 'items') return '';
  const command = withMore(loop, loop.updatedAt);
  if (command !== `dacapo resume ${id}`) return `\`${command}\` gives it more.`;
  if (isCircuitOpen(loop))
    return `It may be waiting for you: read its last message. ${resume} lets it try once more.`;
  if (status.is !== 'escalated') return `\`${command}\` continues it.`;
  const { why } = status;
  // A veto may name the command itself.
  if (why.is === 'vetoed' && why.why.includes('dacapo resume')) return '';
  if (why.is === 'unanswered') return `${resume} continues it, and you are asked again.`;
  if (why.is === 'undone') return why.items > 0 ? `${resume} gives what is undone another turn.` : '';
  const fix =
    why.is === 'planted' ? PLANTED : (why.is === 'fatal' && fatalAdvice(why, id)?.fix) || 'fix that';
  return `${fix.charAt(0).toUpperCase()}${fix.slice(1)}, then ${resume} continues it.`;
}

/**
 * For a terminal. `runner`: its run has just ended there; null: nothing is left to do. `onlooker`: as in
 * `dacapo status`.
 */
export function nextStep(loop: Loop, now: string, reader: 'onlooker'): string;
export function nextStep(loop: Loop, now: string, reader: 'runner'): string | null;
export function nextStep(loop: Loop, now: string, reader: 'runner' | 'onlooker'): string | null {
  const { id, status } = loop;
  const isRunner = reader === 'runner';
  const explain = `dacapo explain ${id} tells why`;
  const cancel = `dacapo cancel ${id} ends it`;
  const watch = `dacapo logs -f ${id} watches it`;
  switch (status.is) {
    case 'completed':
      return isRunner ? null : `nothing is left to do; dacapo explain ${id} shows the proof`;
    case 'exhausted':
      return status.limit === 'items'
        ? `${explain}; its work stays, and a new dacapo run with a larger --max-items continues from it`
        : `${withMore(loop, now)} continues it; ${explain}`;
    case 'cancelled':
      return `${withMore(loop, now)} reopens it`;
    case 'aborted':
      return explain;
    case 'escalated': {
      if (status.why.is === 'unanswered')
        return `${withMore(loop, now)} continues it, and you are asked again`;
      const advice = status.why.is === 'fatal' ? fatalAdvice(status.why, id) : null;
      if (status.why.is === 'planted') return `${PLANTED}, then ${withMore(loop, now)} continues it`;
      return advice === null
        ? `${explain}; fix that, then ${withMore(loop, now)} continues it`
        : `${advice.fix}, then ${withMore(loop, now)} continues it; ${explain}`;
    }
    case 'stuck':
      return `${explain}; fix that, then ${withMore(loop, now)} continues it`;
    case 'waiting':
    case 'running':
      // The run is over, so another process has taken the loop up.
      if (isRunner) return `it continues elsewhere; dacapo status ${id} shows it`;
      if (status.is === 'running') return `${watch}; dacapo pause ${id} stops it`;
      if (status.for === 'approval') return `${howToAnswer(loop)}; ${cancel}`;
      return status.for === 'limit' || status.for === 'retry' || status.for === 'check'
        ? `dacapo resume ${id} continues it at once; ${cancel}`
        : `${watch}; ${cancel}`;
    case 'pending':
      return isRunner ? `dacapo resume ${id} continues it, ${cancel}` : `${begin(loop)}; ${cancel}`;
    case 'paused':
    case 'interrupted': {
      const isCalled = status.is === 'interrupted' && isToolSession(loop.session.owner?.session ?? '');
      // The session of a fault is still open, and a prompt there is enough.
      const here = status.is === 'interrupted' && status.why === 'fault' && loop.driver === 'hook';
      const resume = `${here ? 'your next prompt in its session, or ' : ''}dacapo resume ${id}`;
      return `${isCalled ? 'the next call about it' : resume} continues it, ${cancel}`;
    }
  }
}

export interface NewLimits {
  /** Null: no limit, as the person asked explicitly. */
  readonly iterations?: number | null | undefined;
  readonly timeMs?: number | undefined;
  readonly costUsd?: number | undefined;
  readonly tokens?: number | undefined;
}

/** For each limit, what the loop has used and what it may use. `limits` replaces the loop's own. */
export function boundsOf(loop: Loop, limits: NewLimits, now: string) {
  const { passes, iterations } = loop.frame;
  const worked = workedMs(loop, now);
  const { costUsd, tokens } = loop.spent;
  // A pass may end a little before its budget is spent. A limit that ended the loop once would end it again.
  const endedBy = loop.status.is === 'exhausted' ? loop.status.limit : null;
  return [
    bound('--max-iterations', passes, limits.iterations, iterations, {
      isOver: false,
      say: (count) => plural(count, 'iteration'),
      more: (most) => String(passes + Math.max(5, Math.ceil(most / 2))),
    }),
    bound('--timeout', worked, limits.timeMs, loop.limits.timeMs, {
      isOver: endedBy === 'time',
      say: (ms) => `${duration(ms)} of work`,
      more: moreTime,
    }),
    bound('--max-cost', costUsd, limits.costUsd, loop.limits.costUsd, {
      isOver: endedBy === 'cost',
      say: sayUsd,
      more: (most) => (Math.ceil(most * 150) / 100).toFixed(2),
    }),
    bound('--max-tokens', tokens, limits.tokens, loop.limits.tokens, {
      isOver: endedBy === 'tokens',
      say: (count) => `${sayCount(count)} tokens`,
      more: (most) => String(Math.ceil(most * 1.5)),
    }),
  ];
}

interface LimitFormat {
  readonly isOver: boolean;
  readonly say: (amount: number) => string;
  readonly more: (most: number) => string;
}

function bound(
  flag: string,
  used: number,
  wanted: number | null | undefined,
  before: number | null,
  { isOver, say, more }: LimitFormat,
) {
  const most = wanted === undefined ? before : wanted;
  const enough = isOver ? Math.max(used, before ?? 0) : used;
  return {
    flag,
    used: say(used),
    bound: say(most ?? 0),
    given: wanted !== undefined,
    isUsedUp: most !== null && most <= enough,
    // The value for the flag: half as much again as the limit was, or as was used.
    more: more(Math.max(before ?? 0, used)),
  };
}

function moreTime(most: number): string {
  const wanted = most * 1.5;
  if (wanted >= 7_200_000) return `${Math.ceil(wanted / 3_600_000)}h`;
  return wanted >= 120_000 ? `${Math.ceil(wanted / 60_000)}m` : `${Math.ceil(wanted / 1_000)}s`;
}

export function withMore(loop: Loop, now: string, limits: NewLimits = {}): string {
  const flags = boundsOf(loop, limits, now)
    .filter(({ isUsedUp }) => isUsedUp)
    .map(({ flag, more }) => `${flag} ${more}`);
  return ['dacapo resume', loop.id, ...flags].join(' ');
}

function begin({ id, driver, session: { owner } }: Loop): string {
  if (driver === 'fresh') return `dacapo run --loop ${id} runs it`;
  if (owner === null) return `dacapo resume ${id} opens a session for it`;
  return owner.process === null
    ? `dacapo resume ${id} opens its session`
    : `type anything in its session, or dacapo resume ${id} opens it again`;
}
