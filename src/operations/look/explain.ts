/** Explains the verdict on the last stop, what is still missing, and what would end the loop. */
import type { Event, EventOf } from '../../core/record/events.ts';
import { accountOf, askedAt } from '../../core/stop-hooks.ts';
import { hasEnded, topFrame, workedMs, type Loop } from '../../core/loop.ts';
import { duration, ofIterations } from '../../core/words/phrases.ts';
import type { Missing } from '../../core/record/verdict.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { sayEvent, sayGates } from '../../text/event.ts';
import { fatalAdvice, type FatalAdvice } from '../../text/fault.ts';
import { report } from '../../text/report.ts';
import { ruleOf, type RuleOfLaw } from '../../text/rules.ts';
import { sayCount, sayUsd } from '../../core/words/figures.ts';
import { knownLoop, withLoop } from './loops.ts';

export interface Explanation {
  readonly loop: Loop;
  /** Null if no stop of the agent has been judged yet. */
  readonly judged: JudgedStop | null;
  /** The host's error that keeps the loop from going on; null if there is none. */
  readonly error: HostError | null;
  readonly missing: readonly Missing[];
  /** Empty once the loop has ended. */
  readonly endsWhen: readonly string[];
}

export interface HostError {
  readonly at: string;
  /** As the host reported it. */
  readonly detail: string;
  /** Null if it is not a known kind of error, or one that may pass by itself. */
  readonly advice: FatalAdvice | null;
  /** Files with everything known about it: the stream of the pass, the request for a review. */
  readonly details: readonly string[];
}

/** One stop, according to its events. */
export interface JudgedStop {
  readonly stop: EventOf<'stop'>;
  readonly verdict: EventOf<'verdict'>;
  readonly rule: RuleOfLaw;
  /** Set if the loop was cancelled, paused or aborted before the verdict was recorded, which made the verdict void. */
  readonly voidBy: string | null;
  readonly iteration: number | null;
  /** Null if the loop has no stop hooks, or if they were not asked. */
  readonly asked: EventOf<'asked'> | null;
  /** What had changed in protected files and lists outside Da Capo, as this stop found it. */
  readonly slips: readonly string[];
}

/** Returns null if there is no such loop. */
export function explain(id: string, runtime: Runtime): Explanation | null {
  return withLoop(id, runtime, (open) => {
    const loop = knownLoop(open, runtime);
    const { events } = open.journal.read(0);
    const judged = lastJudged(loop, events);
    const verdict = judged?.verdict.verdict;
    return {
      loop,
      judged,
      error: errorOf(loop, events, requestsOf(open)),
      missing: verdict !== undefined && 'missing' in verdict ? verdict.missing : [],
      endsWhen: endings(loop, runtime.now()),
    };
  });
}

/** The error, if it is what keeps the loop from going on. */
function errorOf(loop: Loop, events: readonly Event[], requests: readonly string[]): HostError | null {
  const { id, status } = loop;
  const isFatal = status.is === 'escalated' && status.why.is === 'fatal';
  const isHosts = isFatal || (status.is === 'interrupted' && status.why === 'fault');
  const last = events.findLast((event) => event.type === 'faulted' || event.type === 'interrupted');
  if (!isHosts || last === undefined) return null;
  return {
    at: last.at,
    detail: last.detail,
    advice: fatalAdvice(last.detail, id),
    details: [
      ...(last.type === 'faulted' && last.evidence !== null ? [last.evidence] : []),
      ...(isFatal ? requests.slice(-1) : []),
    ],
  };
}

/** The oldest comes first. */
function requestsOf({ blobs }: OpenLoop): string[] {
  const number = (name: string) => Number(/(\d+)\.json$/.exec(name)?.[1]);
  return blobs
    .list('requests/review-')
    .toSorted((a, b) => number(a) - number(b))
    .map((name) => blobs.place(name));
}

/** The explanation as JSON, for programs. */
export function explanationReport(
  { loop, judged, error, missing, endsWhen }: Explanation,
  now: string,
): object {
  const verdict = judged?.verdict;
  return {
    loop: report(loop, now),
    stop:
      judged === null
        ? null
        : {
            n: judged.stop.n,
            at: judged.stop.at,
            session_id: judged.stop.session,
            process: judged.stop.process,
            iteration: judged.iteration,
          },
    facts:
      verdict === undefined
        ? null
        : {
            tool_used: verdict.toolUsed,
            cap: verdict.cap,
            queue_waiting: verdict.queue.waiting,
            used: verdict.used,
            context: verdict.context,
            tree: verdict.tree,
            stalls: verdict.stalls,
          },
    proofs: verdict?.proofs ?? [],
    features: verdict?.features ?? null,
    sights: verdict?.sights ?? [],
    ...(judged !== null &&
      judged.asked !== null && {
        hooks: { account: accountOf(judged.asked), next_prompt: judged.asked.next },
      }),
    verdict: verdict?.verdict ?? null,
    void: judged !== null && judged.voidBy !== null,
    rule: judged?.rule ?? null,
    ...(error !== null && { error }),
    missing,
    ends_when: endsWhen,
  };
}

function lastJudged(loop: Loop, events: readonly Event[]): JudgedStop | null {
  const verdict = events.findLast((event) => event.type === 'verdict');
  if (verdict === undefined) return null;
  const stop = events.find(
    (event): event is EventOf<'stop'> => event.type === 'stop' && event.n === verdict.n,
  );
  if (stop === undefined) return null;
  const counted = loop.last?.n === verdict.n;
  return {
    stop,
    verdict,
    rule: ruleOf(verdict.verdict),
    voidBy: counted ? null : endedBefore(events, stop.n),
    iteration: counted ? (loop.last?.iteration ?? null) : null,
    asked: askedAt(events, verdict.n),
    slips: slipsSince(stop, events),
  };
}

function slipsSince(stop: EventOf<'stop'>, events: readonly Event[]): string[] {
  return events
    .slice(events.indexOf(stop))
    .filter((event) => (event.type === 'altered' || event.type === 'shortened') && event.by === 'unknown')
    .map(sayEvent);
}

function endedBefore(events: readonly Event[], n: number): string {
  const at = events.findIndex((event) => event.type === 'verdict' && event.n === n);
  return (
    events
      .slice(0, at)
      .findLast(({ type }) => type === 'cancelled' || type === 'aborted' || type === 'paused')?.type ??
    'judged'
  );
}

/** What would end the loop, in words. Empty once it has ended. */
export function endings(loop: Loop, now: string): string[] {
  if (hasEnded(loop)) return [];
  const frame = topFrame(loop);
  const left = loop.limits.timeMs === null ? null : Math.max(0, loop.limits.timeMs - workedMs(loop, now));
  const inner = loop.frames.length > 1 ? 'the inner frame is ' : '';
  return [
    `${inner}completed: ${sayGates(frame)}${loop.people.approvals?.done ? ', and you confirm it' : ''}`,
    ...(frame.iterations === null
      ? []
      : [`${inner}exhausted: iteration ${ofIterations(loop, frame.iterations)} ends undone`]),
    ...(left === null ? [] : [`exhausted: ${duration(left)} more of work`]),
    ...(loop.limits.costUsd === null
      ? []
      : [`exhausted: ${sayUsd(Math.max(0, loop.limits.costUsd - loop.spent.costUsd))} more`]),
    ...(loop.limits.tokens === null
      ? []
      : [`exhausted: ${sayCount(Math.max(0, loop.limits.tokens - loop.spent.tokens))} tokens more`]),
    ...(loop.limits.stalls === null ? [] : [sayStalls(loop.circuit, loop.limits.stalls)]),
    `stuck: a new prompt after ${duration(loop.limits.staleMs)} without a sign of life`,
    `${inner}escalated: the agent says <promise>BLOCKED: why</promise>`,
    `cancelled: dacapo cancel ${loop.id}`,
  ];
}

function sayStalls({ times, half }: Loop['circuit'], stalls: number): string {
  if (half)
    return 'stuck: the next stop that shows the same again, with nothing changed (the circuit is half open)';
  const seen = times > 1 ? ` (${times} so far)` : '';
  return `stuck: ${stalls} stops in a row that show the same, with nothing changed${seen}`;
}
