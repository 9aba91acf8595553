/** What a run tells beside its passes: how it begins and ends, and its checks as they run. */
import { iterationsInAll, workedMs, type Loop } from '../core/loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { nextStep } from '../text/next-step.ts';
import { sayStatus } from '../text/status.ts';
import { sayGoesOn, sayInner, sayStarted, title } from '../text/to-person.ts';
import type { RunEventBody } from './run-event.ts';

export function provingTeller(tell: (what: RunEventBody) => boolean): NonNullable<Runtime['proving']> {
  const begun = new Map<string, number>();
  return (what, how, tail) => {
    if (how === null) {
      begun.set(what, Date.now());
      tell({ is: 'checks-begin', commands: [what] });
      return;
    }
    const ms = Date.now() - (begun.get(what) ?? Date.now());
    const passed = how === 'passed' || how === 'holds';
    const said = passed ? '' : [tail.trimEnd(), how].filter(Boolean).join('\n');
    tell({ is: 'check-ended', command: what, passed, ms, tail: said });
  };
}

export function beginningOf(loop: Loop): RunEventBody {
  const isNew = loop.session.owner === null && loop.stops === 0;
  return { is: 'begins', loop: loop.id, text: isNew ? sayStarted(loop) : sayGoesOn(loop) };
}

export function endingOf(loop: Loop, now: string): RunEventBody {
  return {
    is: 'ends',
    status: loop.status.is,
    reason: [`loop ${title(loop)} ${sayStatus(loop)}`, sayInner(loop)]
      .filter(Boolean)
      .join('. ')
      .replace(/\.$/, ''),
    iterations: iterationsInAll(loop),
    workedMs: workedMs(loop, now),
    next: nextStep(loop, now, 'runner'),
  };
}
