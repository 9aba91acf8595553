/** What each iteration cost and how long it took. */
import { useMemo } from 'preact/hooks';
import type { JSX } from 'preact';
import type { LoopCard, Series } from '../../wire.ts';
import { get, loopPath } from '../data/api.ts';
import { sayCount, sayUsd } from '../../../core/words/figures.ts';
import { lasting } from '../data/format.ts';
import { useLoaded } from '../data/loop-data.ts';
import { Empty, NotYet } from '../parts/parts.tsx';
import { Plot } from '../parts/plot.tsx';

type Lists = Omit<Series, 'next'>;

export function ChartsView({ card: { id } }: { readonly card: LoopCard }): JSX.Element {
  const loaded = useLoaded<Series>(id, async (before, signal) => {
    const news = await get<Series>(loopPath(id, `/series?from=${before?.next ?? 0}`), signal);
    return before === null ? news : joined(before, news);
  });
  const { value, error } = loaded.value;
  if (value === null) return <NotYet error={error} />;
  if (value.seq.length === 0)
    return (
      <div class="card">
        <Empty icon="chart" title="Nothing to draw yet">
          <p>Each judged iteration adds a bar.</p>
        </Empty>
      </div>
    );
  return <Charts series={value} />;
}

function Charts({ series }: { readonly series: Series }): JSX.Element {
  const { iteration, ms, costUsd, contextTokens, passing } = useMemo(() => thinned(series), [series]);
  const xs = useMemo(() => iteration.map((_, k) => k + 1), [iteration]);
  const total = useMemo(() => running(series, iteration.length), [series]);
  const spent = total.at(-1) ?? 0;
  const longest = Math.max(...ms);
  const sayX = (x: number) => `#${iteration[x - 1] ?? x}`;
  // One bar per iteration is too thin to see beyond this.
  const how = xs.length > 300 ? 'line' : 'bars';
  return (
    <div class="charts">
      <Plot
        title="Duration of each iteration"
        gist={`longest ${lasting(longest)}`}
        {...{ xs, sayX, how }}
        ys={ms}
        sayY={axisTime}
        steps={STEPS}
        colour="info"
      />
      {spent > 0 && (
        <>
          <Plot
            title="Cost of each iteration"
            gist={`${sayUsd(spent / series.seq.length)} on average`}
            {...{ xs, sayX, how }}
            ys={costUsd}
            sayY={sayUsd}
          />
          <Plot
            title="Cost so far"
            gist={sayUsd(spent)}
            {...{ xs, sayX }}
            how="line"
            ys={total}
            sayY={sayUsd}
          />
        </>
      )}
      {contextTokens.some((tokens) => tokens !== null) && (
        <Plot
          title="Context at the stop"
          gist={`${sayCount(contextTokens.findLast((tokens) => tokens !== null) ?? 0)} tokens now`}
          {...{ xs, sayX }}
          how="line"
          ys={contextTokens}
          sayY={sayCount}
          colour="info"
        />
      )}
      {passing.some((items) => items !== null) && (
        <Plot
          title="Items that pass"
          gist={`${passing.findLast((items) => items !== null) ?? 0} now`}
          {...{ xs, sayX }}
          how="line"
          ys={passing}
          sayY={String}
          steps={WHOLE}
          colour="good"
        />
      )}
    </div>
  );
}

const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000];
const STEPS = [1, 5, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 43_200].map(
  (s) => s * 1_000,
);

function axisTime(ms: number): string {
  return lasting(ms).replace(/ 00[ms]$|^0 ms$/, '') || '0';
}

/** More points than pixels only cost time. */
const MOST_POINTS = 1_000;

/** Each point combines a few iterations: values of the last one, maximum of time and cost. */
function thinned(series: Series): Lists {
  const step = Math.ceil(series.seq.length / MOST_POINTS);
  if (step <= 1) return series;
  const last = <T,>(list: readonly T[]): T[] =>
    list.filter((_, k) => (k + 1) % step === 0 || k === list.length - 1);
  const most = (list: readonly (number | null)[]): number[] =>
    Array.from({ length: Math.ceil(list.length / step) }, (_, k) =>
      Math.max(...list.slice(k * step, (k + 1) * step).map((value) => value ?? 0)),
    );
  return {
    seq: last(series.seq),
    iteration: last(series.iteration),
    ms: most(series.ms),
    costUsd: most(series.costUsd),
    contextTokens: last(series.contextTokens),
    passing: last(series.passing),
  };
}

/** What was spent up to each point. */
function running({ costUsd }: Lists, points: number): number[] {
  const step = Math.max(1, Math.ceil(costUsd.length / MOST_POINTS));
  const sums: number[] = [];
  let sum = 0;
  costUsd.forEach((cost, k) => {
    sum += cost ?? 0;
    if ((k + 1) % step === 0 || k === costUsd.length - 1) sums.push(sum);
  });
  return sums.slice(0, points);
}

/** New points replace old ones with the same number. */
function joined(before: Series, news: Series): Series {
  const first = news.seq[0];
  const kept = first === undefined ? before.seq.length : before.seq.filter((seq) => seq < first).length;
  const join = <K extends keyof Lists>(key: K): Lists[K][number][] => [
    ...before[key].slice(0, kept),
    ...news[key],
  ];
  return {
    next: news.next,
    seq: [...before.seq.slice(0, kept), ...news.seq],
    iteration: [...before.iteration.slice(0, kept), ...news.iteration],
    ms: [...before.ms.slice(0, kept), ...news.ms],
    costUsd: join('costUsd'),
    contextTokens: join('contextTokens'),
    passing: join('passing'),
  };
}
