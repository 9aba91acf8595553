/** What a verdict other than "continue" leaves behind. Most stops continue the loop and never load this file. */
import type { EventOf } from '../record/events.ts';
import type { Verdict } from '../record/verdict.ts';
import type { Loop, Status } from '../loop.ts';

const SHELLS_KEPT = 32;

/** What a stop that was only let through waits for. */
export function waitAfter({ session }: Loop, { at, verdict }: EventOf<'verdict'>): Partial<Loop['session']> {
  if (verdict.is !== 'allow' || verdict.why === 'approval') return {};
  if (verdict.why === 'queue') return { yielded: true, hold: session.hold };
  return {
    hold: session.hold ?? { until: verdict.until ?? at },
    shellsHeld: [...new Set([...session.shellsHeld, ...verdict.shells])].slice(-SHELLS_KEPT),
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
      return verdict.why === 'background' ? { is: 'waiting', for: 'background' } : loop.status;
  }
}
