/**
 * New limits for a loop that is amended or resumed (`dacapo resume ID --timeout 2h --max-cost 10`). They count from the
 * loop's beginning.
 */
import type { Actor } from '../../core/record/events.ts';
import type { Loop } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { readCost, readDuration, readMaxIterations, readTokens, type Reading } from '../../flags/values.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { boundsOf, withMore, type NewLimits } from '../../text/next-step.ts';

/** As the person typed them. */
export type LimitFlags = Readonly<
  Partial<Record<'maxIterations' | 'timeout' | 'maxCost' | 'maxTokens', string | undefined>>
>;

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

/** Returns null if the loop can still go on within these limits. */
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

/** Writes the limits of time, money and tokens, if there are any. Those of iterations belong to a frame. */
export function writeBounds(
  open: OpenLoop,
  { timeMs, costUsd, tokens }: NewLimits,
  by: Actor,
  runtime: Runtime,
): void {
  if ((timeMs ?? costUsd ?? tokens) === undefined) return;
  open.write({
    type: 'bounded',
    at: runtime.now(),
    by,
    timeMs: timeMs ?? null,
    costUsd: costUsd ?? null,
    tokens: tokens ?? null,
  });
  open.keep();
}
