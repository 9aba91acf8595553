/** New limits for a loop that goes on: `dacapo resume ID --timeout 2h --max-cost 10`. They count from its beginning. */
import { readCost, readDuration, readMaxIterations, readTokens, type Reading } from '../../flags/values.ts';
import { topFrame, workedMs, type Loop } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { duration, plural } from '../../core/phrases.ts';
import { sayTokens, sayUsd } from '../../text/usage.ts';

/** As they were typed. */
export interface LimitFlags {
  readonly maxIterations?: string;
  readonly timeout?: string;
  readonly maxCost?: string;
  readonly maxTokens?: string;
}

/** Undefined: as it was. */
export interface NewLimits {
  /** Null: none, asked for by name. */
  readonly iterations: number | null | undefined;
  readonly timeMs: number | undefined;
  readonly costUsd: number | undefined;
  readonly tokens: number | undefined;
}

export function readNewLimits(flags: LimitFlags): { readonly ok: true; readonly value: NewLimits } | Refusal {
  const iterations = read('--max-iterations', flags.maxIterations, readMaxIterations);
  if (!iterations.ok) return iterations;
  const timeMs = read('--timeout', flags.timeout, readDuration);
  if (!timeMs.ok) return timeMs;
  const costUsd = read('--max-cost', flags.maxCost, readCost);
  if (!costUsd.ok) return costUsd;
  const tokens = read('--max-tokens', flags.maxTokens, readTokens);
  if (!tokens.ok) return tokens;
  return {
    ok: true,
    value: {
      iterations: iterations.value,
      timeMs: timeMs.value,
      costUsd: costUsd.value,
      tokens: tokens.value,
    },
  };
}

function read<T>(
  flag: string,
  text: string | undefined,
  reader: (text: string) => Reading<T>,
): Reading<T | undefined> {
  if (text === undefined) return { ok: true, value: undefined };
  const reading = reader(text);
  return reading.ok ? reading : { ...reading, message: `${flag} ${reading.message}` };
}

export function isAsked(limits: NewLimits): boolean {
  return Object.values(limits).some((limit) => limit !== undefined);
}

/** Null: with these limits it has something left to go on with. */
export function refuseUsedUp(loop: Loop, name: string, limits: NewLimits, now: string): Refusal | null {
  for (const { used, bound, given, isUsedUp } of boundsOf(loop, limits, now))
    if (isUsedUp)
      return refuse(
        'used-up',
        `${name} has used ${used}, so ${given ? 'a limit' : 'its limit'} of ${bound} leaves none.`,
        `give it more: ${withMore(loop, now, limits)}`,
      );
  return null;
}

interface Bound {
  readonly flag: string;
  readonly used: string;
  readonly bound: string;
  /** A new one. */
  readonly given: boolean;
  readonly isUsedUp: boolean;
  /** As the flag takes it: half as much again as there was, or as was used. */
  readonly more: string;
}

function boundsOf(loop: Loop, limits: NewLimits, now: string): Bound[] {
  const { passes, iterations } = topFrame(loop);
  const worked = workedMs(loop, now);
  const { costUsd, tokens } = loop.spent;
  // A pass may have been ended a little before its money was spent: what ended the loop once would end it again.
  const endedBy = loop.status.is === 'exhausted' ? loop.status.limit : null;
  return [
    bound('--max-iterations', passes, limits.iterations, iterations, {
      isOver: false,
      say: (count) => plural(count, 'iteration'),
      more: (most) => String(passes + Math.max(5, Math.ceil(most / 2))),
    }),
    bound('--timeout', worked, limits.timeMs, loop.timeMs, {
      isOver: endedBy === 'time',
      say: (ms) => `${duration(ms)} of work`,
      more: moreTime,
    }),
    bound('--max-cost', costUsd, limits.costUsd, loop.costUsd, {
      isOver: endedBy === 'cost',
      say: sayUsd,
      more: (most) => (Math.ceil(most * 150) / 100).toFixed(2),
    }),
    bound('--max-tokens', tokens, limits.tokens, loop.tokens, {
      isOver: endedBy === 'tokens',
      say: (count) => `${sayTokens(count)} tokens`,
      more: (most) => String(Math.ceil(most * 1.5)),
    }),
  ];
}

interface Manner {
  /** The limit of before has ended the loop. */
  readonly isOver: boolean;
  readonly say: (amount: number) => string;
  readonly more: (most: number) => string;
}

function bound(
  flag: string,
  used: number,
  wanted: number | null | undefined,
  before: number | null,
  { isOver, say, more }: Manner,
): Bound {
  const most = wanted === undefined ? before : wanted;
  const enough = isOver ? Math.max(used, before ?? 0) : used;
  return {
    flag,
    used: say(used),
    bound: say(most ?? 0),
    given: wanted !== undefined,
    isUsedUp: most !== null && most <= enough,
    more: more(Math.max(before ?? 0, used)),
  };
}

/** In the largest unit of which it is at least two. */
function moreTime(most: number): string {
  const wanted = most * 1.5;
  if (wanted >= 7_200_000) return `${Math.ceil(wanted / 3_600_000)}h`;
  return wanted >= 120_000 ? `${Math.ceil(wanted / 60_000)}m` : `${Math.ceil(wanted / 1_000)}s`;
}

const AS_IT_IS: NewLimits = {
  iterations: undefined,
  timeMs: undefined,
  costUsd: undefined,
  tokens: undefined,
};

/** The command that gives it more of whatever it has used up. */
export function withMore(loop: Loop, now: string, limits: NewLimits = AS_IT_IS): string {
  const flags = boundsOf(loop, limits, now)
    .filter(({ isUsedUp }) => isUsedUp)
    .map(({ flag, more }) => `${flag} ${more}`);
  return ['dacapo resume', loop.id, ...flags].join(' ');
}
