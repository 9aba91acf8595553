/** What a run reports beside its passes: its beginning, its end, and its checks as they run. */
import { attempt } from '#base/shape.ts';
import type { Spent } from '#hosts/port/stream.ts';
import { iterationsInAll, workedMs, type Loop } from '#law/loop.ts';
import { hasPassed, isMeasured, outputTailOf, measuredValueOf } from '#law/proof/outcome.ts';
import type { Event } from '#law/record/events.ts';
import { sayProof } from '#law/words/check-outcomes.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { isOwnedByThisProcess, type ProofListener, type Runtime } from '#store/runtime.ts';
import { sayEvent } from '#telling/event.ts';
import type { Audience } from '#telling/advice.ts';
import { nextSteps, sayNextSteps } from '#telling/next-step.ts';
import { asShown, sayStatus, title } from '#telling/person/status.ts';
import { sayInner } from '#telling/person/ended.ts';
import { sayGoesOn, sayStarted } from '#telling/person/to-person.ts';
import type { FreshRun } from './options.ts';
import type { RunEventBody } from '../run-event.ts';

export function provingTeller(tell: (what: RunEventBody) => boolean): ProofListener {
  const begun = new Map<string, number>();
  return (what, outcome) => {
    if (outcome === null) {
      begun.set(what, Date.now());
      tell({ is: 'checks-begin', commands: [what] });
      return;
    }
    const ms = Date.now() - (begun.get(what) ?? Date.now());
    const [passed, measured] = [hasPassed(outcome), isMeasured(outcome)];
    const said = passed
      ? ''
      : [outputTailOf(outcome).trimEnd(), sayProof(outcome)].filter(Boolean).join('\n');
    const tail = measured ? String(measuredValueOf(outcome) ?? '') : said;
    tell({ is: 'check-ended', command: what, passed, ...(measured && { measured }), ms, tail });
  };
}

export function beginningOf(loop: Loop): RunEventBody {
  const isNew = loop.session.owner === null && loop.stops === 0;
  return { is: 'begins', loop: loop.id, text: isNew ? sayStarted(loop) : sayGoesOn(loop) };
}

/**
 * A loop that this run still owns has nobody any more, whatever its record says: that may be what failed to
 * be written.
 */
export function loopLeftBy(loop: Loop, runtime: Runtime): Loop {
  return isOwnedByThisProcess(loop.session.owner, runtime) ? asShown(loop, () => false) : loop;
}

export function endingOf(loop: Loop, now: string, audience: Audience): RunEventBody {
  const said = [`loop ${title(loop)} ${sayStatus(loop)}`, sayInner(loop)].filter(Boolean).join('. ');
  const steps = nextSteps(loop, now, 'runner');
  return {
    is: 'ends',
    status: loop.status.is,
    reason: said.replace(/\.$/, ''),
    iterations: iterationsInAll(loop),
    workedMs: workedMs(loop, now),
    next: sayNextSteps(steps, audience) || null,
    commands: steps.flatMap(({ commands }) => commands),
  };
}

/** The file system's own notice usually comes first. */
const JOURNAL_POLL_MS = 1_000;

/**
 * Tells what a person does to the loop from elsewhere, when they do it. Returns a function that stops
 * watching.
 */
export function tellActs({ journal }: OpenLoop, tell: FreshRun['tell']): () => void {
  let from = journal.end();
  const look = () => {
    // A record that can't be read is the driver's to report.
    const { events, upTo } = attempt(() => journal.read(from), { events: [], upTo: from });
    from = upTo;
    for (const event of events) {
      const text = sayAct(event);
      if (text !== null) tell({ is: 'warning', text });
    }
  };
  const unwatch = journal.watch(look);
  const timer = setInterval(look, JOURNAL_POLL_MS).unref();
  return () => {
    unwatch();
    clearInterval(timer);
  };
}

function sayAct(event: Event): string | null {
  if (event.type === 'steered')
    return `steered ${sayEvent(event)} (the agent reads it in its next iteration)`;
  if (event.type === 'amended') return `amended: ${sayEvent(event)}`;
  return event.type === 'bounded' ? `new limits: ${sayEvent(event)}` : null;
}

const ASKED = /^OTEL_EXPORTER_OTLP_((TRACES|METRICS)_)?ENDPOINT$/;

/** Shows what a run tells, and counts it where somebody asked for telemetry: else its code is not loaded. */
export async function withTelemetry(open: OpenLoop, { env, now }: Runtime, show: FreshRun['tell']) {
  const isAsked = Object.entries(env).some(([name, value]) => ASKED.test(name) && value);
  const isOn = isAsked && env['OTEL_SDK_DISABLED']?.toLowerCase() !== 'true';
  const { openTelemetry = null } = isOn ? await import('./telemetry/telemetry.ts') : {};
  const telemetry = openTelemetry?.(
    () => open.loop(),
    env,
    (text) => show({ is: 'warning', text }),
  );
  const tell: FreshRun['tell'] = (what) => {
    telemetry?.hear({ at: now(), ...what });
    return show(what);
  };
  const passEnv = (): Readonly<Record<string, string>> => {
    const parent = telemetry?.traceparent() ?? null;
    return parent === null ? {} : { TRACEPARENT: parent };
  };
  const traceSpent = (spent: Spent | null) => telemetry?.spend(spent);
  return { tell, traces: { passEnv, traceSpent }, close: async () => telemetry?.close() };
}
