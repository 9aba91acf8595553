/** What a run tells beside its passes: how it begins and ends, and its checks as they run. */
import { iterationsInAll, workedMs, type Loop } from '../core/loop.ts';
import { SAYS_NOT_YET } from '../core/words/seldom.ts';
import type { Runtime } from '../store/runtime.ts';
import { nextStep } from '../text/next-step.ts';
import { sayStatus } from '../text/status.ts';
import { sayGoesOn, sayInner, sayStarted, title } from '../text/to-person.ts';
import type { Environment } from '../hosts/arrival.ts';
import type { RunEventBody } from './run-event.ts';
import type { Telemetry } from './telemetry.ts';

export function provingTeller(tell: (what: RunEventBody) => boolean): NonNullable<Runtime['proving']> {
  const begun = new Map<string, number>();
  return (what, how, tail) => {
    if (how === null) {
      begun.set(what, Date.now());
      tell({ is: 'checks-begin', commands: [what] });
      return;
    }
    const ms = Date.now() - (begun.get(what) ?? Date.now());
    const passed = how === SAYS_NOT_YET ? null : how === 'passed' || how === 'holds';
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

const ASKED = /^OTEL_EXPORTER_OTLP_((TRACES|METRICS)_)?ENDPOINT$/;

/** Null: nobody asked for it, and its code is not loaded. */
export async function telemetryOf(
  loop: Loop,
  env: Environment,
  tell: (what: RunEventBody) => boolean,
): Promise<Telemetry | null> {
  const isAsked = Object.entries(env).some(([name, value]) => ASKED.test(name) && value);
  if (!isAsked || env['OTEL_SDK_DISABLED'] === 'true') return null;
  const { openTelemetry } = await import('./telemetry.ts');
  return openTelemetry(loop, env, (text) => tell({ is: 'warning', text }));
}
