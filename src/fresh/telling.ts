/** What a run tells beside its passes: how it begins and ends, and its checks as they run. */
import { iterationsInAll, workedMs, type Loop } from '../core/loop.ts';
import { MEASURED, SAYS_NOT_YET } from '../core/words/seldom.ts';
import type { Runtime } from '../store/runtime.ts';
import { nextStep } from '../text/next-step.ts';
import { sayStatus, title } from '../text/status.ts';
import { sayGoesOn, sayInner, sayStarted } from '../text/to-person.ts';
import type { FreshRun } from './options.ts';
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
    const isMeasured = how === MEASURED;
    const passed = isMeasured || how === SAYS_NOT_YET ? null : how === 'passed' || how === 'holds';
    const said = passed || isMeasured ? '' : [tail.trimEnd(), how].filter(Boolean).join('\n');
    const measured = isMeasured && { measured: true as const };
    tell({ is: 'check-ended', command: what, passed, ...measured, ms, tail: said });
  };
}

export function beginningOf(loop: Loop): RunEventBody {
  const isNew = loop.session.owner === null && loop.stops === 0;
  return { is: 'begins', loop: loop.id, text: isNew ? sayStarted(loop) : sayGoesOn(loop) };
}

export function endingOf(loop: Loop, now: string): RunEventBody {
  const said = [`loop ${title(loop)} ${sayStatus(loop)}`, sayInner(loop)].filter(Boolean).join('. ');
  return {
    is: 'ends',
    status: loop.status.is,
    reason: said.replace(/\.$/, ''),
    iterations: iterationsInAll(loop),
    workedMs: workedMs(loop, now),
    next: nextStep(loop, now, 'runner'),
  };
}

const ASKED = /^OTEL_EXPORTER_OTLP_((TRACES|METRICS)_)?ENDPOINT$/;

/** Shows what a run tells, and counts it where somebody asked for telemetry: else its code is not loaded. */
export async function withTelemetry(loop: Loop, { env, now }: Runtime, show: FreshRun['tell']) {
  const isAsked = Object.entries(env).some(([name, value]) => ASKED.test(name) && value);
  const isOn = isAsked && env['OTEL_SDK_DISABLED']?.toLowerCase() !== 'true';
  const { openTelemetry = null } = isOn ? await import('./telemetry.ts') : {};
  const telemetry = openTelemetry?.(loop, env, (text) => show({ is: 'warning', text }));
  const tell: FreshRun['tell'] = (what) => {
    telemetry?.hear({ at: now(), ...what });
    return show(what);
  };
  return { tell, close: async () => telemetry?.close() };
}
