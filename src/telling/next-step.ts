/** What a person can do next about a loop that rests or has ended, as values, and what raises its limits. */
import { isCircuitOpen, isToolSession, hasPassesLeft, needsPerson, workedMs, type Loop } from '#law/loop.ts';
import { openRequestsOf } from '#law/waiting/requests.ts';
import { duration, plural } from '#law/words/phrases.ts';
import { sayCount, sayUsd } from '#law/words/figures.ts';
import { advise, sayAdvice, type Advice, type Audience, type AdvisedCommand } from './advice.ts';
import { fatalAdvice } from './person/fault.ts';
import { answersTo } from './person/requests.ts';

/** The loop ended because it needs its person, and a word from them is enough to continue. */
export function waitsForPerson(loop: Loop): boolean {
  return needsPerson(loop) && hasPassesLeft(loop.frame);
}

/** What a step is for. `nothing`, `elsewhere`, `stays`: nobody has to do anything. */
export type StepRole =
  | 'nothing'
  | 'elsewhere'
  | 'stays'
  | 'continue'
  | 'continue-now'
  | 'continue-asking'
  | 'reopen'
  | 'run'
  | 'open-session'
  | 'open-its-session'
  | 'open-again'
  | 'answer'
  | 'find-request'
  | 'change-gates'
  | 'watch'
  | 'find-worker'
  | 'show'
  | 'stop'
  | 'end'
  | 'explain'
  | 'show-proof';

export interface NextStep {
  readonly role: StepRole;
  /** Any of them does it. */
  readonly commands: readonly AdvisedCommand[];
  /** What has to be done before. */
  readonly after?: Advice;
  /** What does the same without a command. */
  readonly or?: string;
}

const DOES: Readonly<Record<StepRole, string>> = {
  nothing: 'nothing is left to do',
  elsewhere: 'it continues elsewhere',
  stays: 'with a larger --max-items continues from it',
  continue: 'continues it',
  'continue-now': 'continues it at once',
  'continue-asking': 'continues it, and you are asked again',
  reopen: 'reopens it',
  run: 'runs it',
  'open-session': 'opens a session for it',
  'open-its-session': 'opens its session',
  'open-again': 'opens it again',
  answer: 'answers it',
  'find-request': 'lists what is open',
  'change-gates': 'changes the gates instead',
  watch: 'watches it',
  'find-worker': 'tells whether a worker can take it',
  show: 'shows it',
  stop: 'stops it',
  end: 'ends it',
  explain: 'says why',
  'show-proof': 'shows the proof',
};

/** `runner`: its run has just ended in their terminal. `onlooker`: as in `dacapo status`. */
export function nextSteps(loop: Loop, now: string, reader: 'runner' | 'onlooker'): readonly NextStep[] {
  const { id, status } = loop;
  const isRunner = reader === 'runner';
  const step = (role: StepRole, verb: AdvisedCommand['verb']): NextStep => ({
    role,
    commands: [{ verb, loop: id }],
  });
  const [explain, end] = [step('explain', 'explain'), step('end', 'cancel')];
  const more = (role: StepRole, after?: Advice): NextStep => ({
    role,
    commands: [withMore(loop, now)],
    ...(after !== undefined && { after }),
  });
  switch (status.is) {
    case 'completed':
      return isRunner ? [] : [{ role: 'nothing', commands: [] }, step('show-proof', 'explain')];
    case 'exhausted':
      return status.limit === 'items'
        ? [explain, { role: 'stays', commands: [{ verb: 'run' }], or: 'its work stays, and a new ' }]
        : [more('continue'), explain];
    case 'cancelled':
      return [more('reopen')];
    case 'aborted':
      return [explain];
    case 'escalated': {
      const { why } = status;
      if (why.is === 'unanswered') return [more('continue-asking')];
      if (why.is === 'planted')
        return [{ role: 'continue', commands: [{ ...withMore(loop, now), verb: 'trust' }], or: PLANTED }];
      const fix = why.is === 'fatal' ? fatalAdvice(why, id)?.fix : undefined;
      return fix === undefined ? [explain, more('continue', FIX)] : [more('continue', fix), explain];
    }
    case 'stuck':
      return [explain, more('continue', FIX)];
    case 'waiting':
    case 'running':
      // The run is over, so another process has taken the loop up.
      if (isRunner) return [{ role: 'elsewhere', commands: [] }, step('show', 'status')];
      if (status.is === 'running') return [step('watch', 'follow'), step('stop', 'pause')];
      if (status.for === 'approval') return [...answerSteps(loop), end];
      return status.for === 'limit' || status.for === 'retry' || status.for === 'check'
        ? [step('continue-now', 'resume'), end]
        : [step('watch', 'follow'), end];
    case 'pending':
      return [isRunner ? step('continue', 'resume') : beginStep(loop), end];
    case 'paused':
    case 'interrupted': {
      if (status.is === 'interrupted' && isToolSession(loop.session.owner?.session ?? ''))
        return [{ role: 'continue', commands: [], or: 'the next call about it ' }, end];
      if (status.is === 'interrupted' && status.why === 'reserve')
        return [{ ...step('continue', 'resume'), after: reserveOver(id) }, end];
      // The session of a fault is still open, and a prompt there is enough.
      const isHere = status.is === 'interrupted' && status.why === 'fault' && loop.driver === 'hook';
      const resume = step('continue', 'resume');
      return [isHere ? { ...resume, or: 'your next prompt in its session, or ' } : resume, end];
    }
  }
}

/** The steps as one sentence without its end. The commands in it are still values. */
export function adviseSteps(steps: readonly NextStep[]): Advice {
  return steps.flatMap((step, at) => {
    const isPair = step.role === 'end' && steps[at - 1]?.role === 'continue';
    return at === 0 ? partsOf(step) : [isPair ? ', ' : '; ', ...partsOf(step)];
  });
}

function partsOf({ role, commands, after, or }: NextStep): readonly (string | AdvisedCommand)[] {
  const first = after === undefined ? [] : [...(typeof after === 'string' ? [after] : after), ', then '];
  const named = commands.flatMap((command, at) => (at === 0 ? [command] : [' or ', command]));
  return [...first, or ?? '', ...named, `${named.length === 0 ? '' : ' '}${DOES[role]}`];
}

export function sayNextSteps(steps: readonly NextStep[], audience: Audience): string {
  return sayAdvice(adviseSteps(steps), audience);
}

/** What answers the first open request of a loop. */
export function answerSteps(loop: Loop): readonly NextStep[] {
  const [first] = openRequestsOf(loop);
  if (first === undefined) return [{ role: 'find-request', commands: [{ verb: 'approvals' }] }];
  const change: NextStep = { role: 'change-gates', commands: [{ verb: 'amend', loop: loop.id }] };
  return [{ role: 'answer', commands: answersTo(first) }, ...(first.kind === 'acceptance' ? [change] : [])];
}

function beginStep({ id, driver, session: { owner } }: Loop): NextStep {
  if (driver === 'fresh') return { role: 'run', commands: [{ verb: 'run-loop', loop: id }] };
  const commands = [{ verb: 'resume', loop: id } as const];
  if (owner === null) return { role: 'open-session', commands };
  return owner.process === null
    ? { role: 'open-its-session', commands }
    : { role: 'open-again', commands, or: 'type anything in its session, or ' };
}

/** A loop that has reached its reserve of a week begins no pass before that. */
function reserveOver(loop: string): Advice {
  return advise`wait until the window resets (${{ verb: 'reserve-less', loop }} reserves less)`;
}

const PLANTED = 'look at these files; remove them, or agree with ';
const FIX = 'fix that';

/** For a message at the end of a loop. Empty: nothing is left to do, or another sentence says it. */
export function adviseAgain(loop: Loop): Advice {
  const { status, id } = loop;
  if (status.is === 'interrupted' && status.why === 'reserve')
    return capitalized(advise`${reserveOver(id)}, then ${{ verb: 'resume', loop: id }} continues it.`);
  if (status.is !== 'exhausted' && status.is !== 'escalated' && status.is !== 'stuck') return '';
  if (status.is === 'exhausted' && status.limit === 'items') return '';
  const more = withMore(loop, loop.updatedAt);
  const resume = { verb: 'resume', loop: id } as const;
  if (more.flags !== undefined) return advise`${more} gives it more.`;
  if (isCircuitOpen(loop))
    return advise`It may be waiting for you: read its last message. ${resume} lets it try once more.`;
  if (status.is !== 'escalated') return advise`${{ verb: 'reopen', loop: id }} continues it.`;
  const { why } = status;
  // A veto may name the command itself.
  if (why.is === 'vetoed' && why.why.includes('dacapo resume')) return '';
  if (why.is === 'unanswered') return advise`${resume} continues it, and you are asked again.`;
  if (why.is === 'undone') return why.items > 0 ? advise`${resume} gives what is undone another turn.` : '';
  if (why.is === 'planted')
    return advise`${capitalized(PLANTED)}${{ verb: 'trust', loop: id }} continues it.`;
  const fix = (why.is === 'fatal' && fatalAdvice(why, id)?.fix) || FIX;
  return advise`${capitalized(fix)}, then ${resume} continues it.`;
}

function capitalized(advice: Advice): Advice {
  if (typeof advice === 'string') return `${advice.charAt(0).toUpperCase()}${advice.slice(1)}`;
  const [first = '', ...more] = advice;
  return typeof first === 'string' ? [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...more] : advice;
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
    bound(
      { flag: '--max-iterations', used: passes, wanted: limits.iterations, before: iterations },
      {
        isOver: false,
        say: (count) => plural(count, 'iteration'),
        more: (most) => String(passes + Math.max(5, Math.ceil(most / 2))),
      },
    ),
    bound(
      { flag: '--timeout', used: worked, wanted: limits.timeMs, before: loop.limits.timeMs },
      {
        isOver: endedBy === 'time',
        say: (ms) => `${duration(ms)} of work`,
        more: moreTime,
      },
    ),
    bound(
      { flag: '--max-cost', used: costUsd, wanted: limits.costUsd, before: loop.limits.costUsd },
      {
        isOver: endedBy === 'cost',
        say: sayUsd,
        more: (most) => (Math.ceil(most * 150) / 100).toFixed(2),
      },
    ),
    bound(
      { flag: '--max-tokens', used: tokens, wanted: limits.tokens, before: loop.limits.tokens },
      {
        isOver: endedBy === 'tokens',
        say: (count) => `${sayCount(count)} tokens`,
        more: (most) => String(Math.ceil(most * 1.5)),
      },
    ),
  ];
}

interface LimitFormat {
  readonly isOver: boolean;
  readonly say: (amount: number) => string;
  readonly more: (most: number) => string;
}

interface LimitUse {
  readonly flag: string;
  readonly used: number;
  /** Undefined: it stays as it was. */
  readonly wanted: number | null | undefined;
  readonly before: number | null;
}

function bound({ flag, used, wanted, before }: LimitUse, { isOver, say, more }: LimitFormat) {
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

/** Resumes the loop with more of each limit that is used up. */
export function withMore(loop: Loop, now: string, limits: NewLimits = {}): AdvisedCommand {
  const flags = boundsOf(loop, limits, now)
    .filter(({ isUsedUp }) => isUsedUp)
    .map(({ flag, more }) => `${flag} ${more}`);
  return { verb: 'resume', loop: loop.id, ...(flags.length > 0 && { flags }) };
}
