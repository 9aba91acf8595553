/** Explains the verdict on the last stop, what is still missing, and what would end the loop. */
import type { Event, EventOf } from '#law/record/events.ts';
import { driftOf } from '#law/circuit.ts';
import { accountOf, askedAt } from '#law/proof/stop-hooks.ts';
import { hasEnded, stallsOnlyWhenIdle, workedMs, type Loop } from '#law/loop.ts';
import { duration, ofIterations } from '#law/words/phrases.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { sayEvent } from '#telling/event.ts';
import { sayGates } from '#telling/gates.ts';
import { sayAdvice } from '#telling/advice.ts';
import { inTerminal } from '#telling/audience.ts';
import { fatalAdvice } from '#telling/person/fault.ts';
import { statusOf } from '#telling/loop-status.ts';
import { ruleOf } from '#telling/rules.ts';
import { sayCount, sayUsd } from '#law/words/figures.ts';
import { isIteration } from '#telling/story/story.ts';
import { foldStory } from './fold-story.ts';
import { knownLoop, withLoop } from './loops.ts';

export type Explanation = NonNullable<ReturnType<typeof explain>>;
export type HostError = NonNullable<ReturnType<typeof errorOf>>;
export type JudgedStop = NonNullable<ReturnType<typeof lastJudged>>;

export function explain(id: string, runtime: Runtime) {
  return withLoop(id, runtime, (open) => {
    const loop = knownLoop(open, runtime);
    const { events } = open.journal.read(0);
    const judged = lastJudged(loop, events);
    const verdict = judged?.verdict.verdict;
    return {
      loop,
      judged,
      error: errorOf(loop, events, open),
      missing: verdict !== undefined && 'missing' in verdict ? verdict.missing : [],
      endsWhen: endings(loop, runtime.now()),
    };
  });
}

/** The error, if it is what keeps the loop from going on. */
function errorOf(loop: Loop, events: readonly Event[], { blobs }: OpenLoop) {
  const { id, status } = loop;
  const isFatal = status.is === 'escalated' && status.why.is === 'fatal';
  const isHosts = isFatal || (status.is === 'interrupted' && status.why === 'fault');
  const last = events.findLast((event) => event.type === 'faulted' || event.type === 'interrupted');
  if (!isHosts || last === undefined) return null;
  const number = (name: string) => Number(/(\d+)\.json$/.exec(name)?.[1]);
  const newest = blobs
    .list('requests/fault-')
    .toSorted((a, b) => number(a) - number(b))
    .at(-1);
  const advice = fatalAdvice(
    { words: last.detail, login: last.type === 'faulted' ? last.login : undefined },
    id,
  );
  return {
    at: last.at,
    detail: last.detail,
    /** Null if it is not a known kind of error, or one that may pass by itself. */
    advice: advice && { ...advice, fix: sayAdvice(advice.fix, inTerminal) },
    /** Files with everything known about it: the stream of the pass, the request for a review. */
    details: [
      ...(last.type === 'faulted' && last.evidence !== null ? [last.evidence] : []),
      ...(isFatal && newest !== undefined ? [blobs.place(newest)] : []),
    ],
  };
}

export function explanationReport({ loop, judged, error, missing, endsWhen }: Explanation, now: string) {
  const { stop, verdict, rule = null, iteration, voidBy = null, asked = null, reviews = [] } = judged ?? {};
  return {
    loop: statusOf(loop, now),
    stop: stop
      ? { n: stop.n, at: stop.at, session_id: stop.session, process: stop.process, iteration }
      : null,
    facts: verdict
      ? {
          tool_used: verdict.toolUsed,
          cap: verdict.cap,
          queue_waiting: verdict.queue.waiting,
          used: verdict.used,
          context: verdict.context,
          tree: verdict.tree,
          stalls: verdict.stalls,
        }
      : null,
    proofs: verdict?.proofs ?? [],
    features: verdict?.features ?? null,
    gateResults: verdict?.gateResults ?? [],
    ...(asked !== null && { hooks: { account: accountOf(asked), next_prompt: asked.next } }),
    ...(reviews.length > 0 && { reviews }),
    verdict: verdict?.verdict ?? null,
    void: voidBy !== null,
    rule,
    ...(error !== null && { error }),
    missing,
    ends_when: endsWhen,
  };
}

function lastJudged(loop: Loop, events: readonly Event[]) {
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
    /** The same stop as the story tells it. */
    told: storyOf(events).find((entry) => entry.stop === verdict.n),
    rule: ruleOf(verdict.verdict),
    /** Set if the loop was cancelled, paused or aborted before the verdict was recorded. */
    voidBy: counted ? null : endedBefore(events, stop.n),
    iteration: counted ? (loop.last?.iteration ?? null) : null,
    asked: askedAt(events, verdict.n),
    reviews: events.filter((event) => event.type === 'reviewed'),
    /** What had changed in protected files and lists outside Da Capo, as this stop found it. */
    slips: events
      .slice(events.indexOf(stop))
      .filter((event) => (event.type === 'altered' || event.type === 'shortened') && event.by === 'unknown')
      .map(sayEvent),
  };
}

function storyOf(events: readonly Event[]) {
  const story = foldStory();
  for (const event of events) story.add(event);
  return story.entries.filter(isIteration);
}

function endedBefore(events: readonly Event[], n: number): string {
  const at = events.findIndex((event) => event.type === 'verdict' && event.n === n);
  const ends = ['cancelled', 'aborted', 'paused'];
  return events.slice(0, at).findLast(({ type }) => ends.includes(type))?.type ?? 'judged';
}

export function endings(loop: Loop, now: string): string[] {
  if (hasEnded(loop)) return [];
  const { frame } = loop;
  const { limits, spent } = loop;
  const inner = loop.around.length > 0 ? 'the inner frame is ' : '';
  const left = (limit: number | null, used: number, say: (left: number) => string) =>
    limit === null ? [] : [`exhausted: ${say(Math.max(0, limit - used))}`];
  return [
    `${inner}completed: ${sayGates(frame)}${loop.people.approvals?.done ? ', and you confirm it' : ''}`,
    ...(frame.iterations === null
      ? []
      : [`${inner}exhausted: iteration ${ofIterations(loop, frame.iterations)} ends undone`]),
    ...left(limits.timeMs, workedMs(loop, now), (ms) => `${duration(ms)} more of work`),
    ...left(limits.costUsd, spent.costUsd, (usd) => `${sayUsd(usd)} more`),
    ...left(limits.tokens, spent.tokens, (tokens) => `${sayCount(tokens)} tokens more`),
    ...(limits.stalls === null ? [] : [sayStalls(loop, limits.stalls)]),
    `stuck: a new prompt after ${duration(limits.staleMs)} without a sign of life`,
    `${inner}escalated: the agent says <promise>BLOCKED: why</promise>`,
    `cancelled: dacapo cancel ${loop.id}`,
  ];
}

function sayStalls(loop: Loop, stalls: number): string {
  const { times, half } = loop.circuit;
  if (half)
    return 'stuck: the next stop that shows the same again, with nothing changed (the circuit is half open)';
  const seen = times > 1 ? ` (${times} so far)` : '';
  const how =
    driftOf(loop) === null
      ? `show the same, with ${stallsOnlyWhenIdle(loop) ? 'no tool call' : 'nothing changed'}`
      : 'bring no progress; this one counts twice';
  return `stuck: ${stalls} stops in a row that ${how}${seen}`;
}
