/**
 * What the page asks about, read through `engine/look`. A story and a feed are kept while somebody looks at
 * them: a second look reads only what is new. How many are kept is bounded.
 */
import { checksOf, featuresOf } from '#law/gates.ts';
import { planOf } from '#law/loop.ts';
import { sayPlan } from '#telling/story/say-plan.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { nextOpen, progress } from '#evidence/lists/features.ts';
import { readFeatureFile } from '#evidence/lists/file.ts';
import { openAgentFeed } from '#engine/look/agent-feed.ts';
import { toldAct, type ToldAct } from '#engine/look/agent-log.ts';
import { evidenceNamed, evidenceNames } from '#engine/look/evidence.ts';
import { openStory, type OpenStory } from '#engine/look/fold-story.ts';
import { isIteration, type PageOrder, type StoryCheck, type StoryIteration } from '#telling/story/story.ts';
import { endings } from '#engine/look/explain.ts';
import { knownLoop } from '#engine/look/loops.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';

/** As many loops as people have open in tabs. */
const MAX_READINGS_OPEN = 8;
const MAX_ACTS_KEPT = 1_000;
const MAX_EVIDENCE_LISTED = 200;
/** More points than pixels only cost time. */
const MAX_POINTS_DRAWN = 1_000;

type LoopReading = NonNullable<ReturnType<typeof openReading>>;

export interface ReadRequest {
  readonly id: string;
  /** Empty: the loop itself. */
  readonly what: string;
  readonly name: string;
  readonly query: URLSearchParams;
}

export type Readings = ReturnType<typeof openReadings>;

/** A map, because the name comes from the address: an object would also know `__proto__`. */
const READS = new Map<string, (reading: LoopReading, asked: ReadRequest, runtime: Runtime) => object | null>([
  ['', (reading, _, runtime) => readDetail(reading, runtime)],
  ['story', ({ story }, { query }) => story.page(orderIn(query))],
  ['series', ({ story }) => seriesOf(story)],
  ['agent', (reading, { query }) => newsAfter(reading, numberIn(query, 'after') ?? 0)],
  ['evidence', ({ open }, { name }) => evidenceNamed(open, name)],
  ['features', ({ open }) => featuresIn(open)],
]);

export function openReadings(runtime: Runtime) {
  const kept = new Map<string, LoopReading>();
  return {
    read: (asked: ReadRequest): object | null => {
      const { id, what } = asked;
      const take = READS.get(what);
      const old = kept.get(id);
      // The first worker of a fleet makes its loop again.
      const isPending = old?.open.loop().status.is === 'pending';
      if (isPending) old.open.close();
      const reading = old === undefined || isPending ? openReading(id, runtime) : old;
      if (take === undefined || reading === null) return null;
      // The map keeps the order of insertion, so the first is the one that nobody asked for the longest.
      kept.delete(id);
      kept.set(id, reading);
      const [oldest] = kept;
      if (kept.size > MAX_READINGS_OPEN && oldest !== undefined) {
        oldest[1].open.close();
        kept.delete(oldest[0]);
      }
      return take(reading, asked, runtime);
    },
    close: (): void => {
      for (const { open } of kept.values()) open.close();
      kept.clear();
    },
  };
}

function orderIn(query: URLSearchParams): PageOrder {
  const [before, from] = [numberIn(query, 'before'), numberIn(query, 'from')];
  return { before, from, iteration: numberIn(query, 'iteration'), most: numberIn(query, 'most') };
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const value = Number(query.get(name) ?? Number.NaN);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function openReading(id: string, runtime: Runtime) {
  const open = runtime.store.open(id);
  if (open === null) return null;
  const feed = openAgentFeed(() => open.look(), runtime.store.place(id), runtime.env);
  const acts: ToldAct[] = [];
  return { open, story: openStory(open), feed, acts, dropped: 0 };
}

export type LoopDetail = Readonly<ReturnType<typeof readDetail>>;

function readDetail({ open, story }: LoopReading, runtime: Runtime) {
  open.look();
  const loop = knownLoop(open, runtime);
  const iterations = story.all().filter(isIteration);
  return {
    asked: story.asked(),
    endsWhen: endings(loop, runtime.now()),
    protect: loop.protection.protect,
    plan: loop.driver === 'fresh' ? sayPlan(planOf(loop)) : [],
    last: iterations.findLast(({ verdict }) => verdict !== null && !verdict.isVoid) ?? null,
    evidence: evidenceNames(open).slice(-MAX_EVIDENCE_LISTED),
    tested: checksOf(loop.frame).flatMap(({ command }) => lastTest(iterations, command)),
  };
}

/** The last result of a check. `iteration`: null for a stop that ended none. */
export type CheckResult = Pick<StoryCheck, 'command' | 'says'> & Pick<StoryIteration, 'iteration'>;

function lastTest(iterations: readonly StoryIteration[], command: string): CheckResult[] {
  for (const { checks, iteration } of iterations.toReversed()) {
    const check = checks.find((one) => one.command === command);
    if (check !== undefined) return [{ command, says: check.says, iteration }];
  }
  return [];
}

export type Series = Readonly<ReturnType<typeof seriesOf>>;

/**
 * The judged iterations. In a long loop a point stands for a few: how the last one ended, the most time and
 * cost.
 */
function seriesOf(story: OpenStory) {
  const judged = story
    .all()
    .filter(isIteration)
    .filter(({ iteration }) => iteration !== null);
  const step = Math.ceil(judged.length / MAX_POINTS_DRAWN);
  let [spentUsd, costUsd, ms] = [0, 0, 0];
  const points = judged.flatMap(({ iteration, used, context, features, ...one }, k) => {
    spentUsd += used?.costUsd ?? 0;
    costUsd = Math.max(costUsd, used?.costUsd ?? 0);
    ms = Math.max(ms, one.ms);
    if ((k + 1) % step !== 0 && k + 1 < judged.length) return [];
    const point = { iteration, ms, costUsd, spentUsd };
    [costUsd, ms] = [0, 0];
    return { ...point, context: context?.tokens ?? null, passing: features?.passing ?? null };
  });
  return { judged: judged.length, points };
}

export type AgentNews = Readonly<ReturnType<typeof newsAfter>>;

/** The page counts acts from the beginning of this reading. A count from before it starts again. */
function newsAfter(reading: LoopReading, after: number) {
  const { acts, feed } = reading;
  acts.push(...feed.news().flatMap(toldAct));
  const excess = Math.max(0, acts.length - MAX_ACTS_KEPT);
  acts.splice(0, excess);
  reading.dropped += excess;
  const next = reading.dropped + acts.length;
  const from = after > next ? 0 : Math.max(0, after - reading.dropped);
  return { acts: acts.slice(from), next };
}

export type Features = Exclude<ReturnType<typeof featuresIn>, Refusal>;

function featuresIn(open: OpenLoop) {
  const loop = open.look();
  const gate = featuresOf(loop.frame);
  if (gate === null)
    return refuse('no-features', 'This loop has no feature list.', 'Start one with --features FILE.');
  const list = readFeatureFile(gate.file, loop.project, loop.last?.features ?? gate.begun);
  if (!list.ok)
    return refuse('unreadable', `${list.why}.`, 'The loop continues when the file can be read again.');
  const next = nextOpen(list);
  return {
    file: gate.file,
    ...progress(list),
    notes: list.notes,
    rows: list.features.map((feature) => ({
      id: String(feature.id),
      text: feature.description,
      passes: feature.passes,
      isNext: feature === next,
    })),
  };
}
