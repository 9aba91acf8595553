/** What each iteration cost and how long it took. */
import { useMemo } from 'preact/hooks';
import type { JSX } from 'preact';
import type { LoopCard, Series, SeriesPoint } from '../../wire.ts';
import { get, loopPath } from '../data/api.ts';
import { sayCount, sayUsd } from '../../../core/words/figures.ts';
import { lasting } from '../data/format.ts';
import { useLoaded } from '../data/loop-data.ts';
import { Empty, NotYet } from '../parts/parts.tsx';
import { Plot } from '../parts/plot.tsx';

export function ChartsView({ card: { id } }: { readonly card: LoopCard }): JSX.Element {
  const loaded = useLoaded<Series>(id, async (before, signal) => {
    const { next, points } = await get<Series>(loopPath(id, `/series?from=${before?.next ?? 0}`), signal);
    // New points replace old ones with the same number.
    const first = points[0]?.seq ?? Infinity;
    return { next, points: [...(before?.points ?? []).filter(({ seq }) => seq < first), ...points] };
  });
  const { value, error } = loaded.value;
  if (value === null) return <NotYet error={error} />;
  if (value.points.length === 0)
    return (
      <div class="card">
        <Empty icon="chart" title="Nothing to draw yet">
          <p>Each judged iteration adds a bar.</p>
        </Empty>
      </div>
    );
  return <Charts points={value.points} />;
}

function Charts({ points: all }: Pick<Series, 'points'>): JSX.Element {
  const points = useMemo(() => thinned(all), [all]);
  const list = <T,>(of: (point: Point) => T) => useMemo(() => points.map(of), [points]);
  const xs = list(({ x }) => x);
  const times = list(({ ms }) => ms);
  const costs = list(({ costUsd }) => costUsd);
  const spent = list(({ spentUsd }) => spentUsd);
  const context = list((point) => point.context?.tokens ?? null);
  const passing = list(({ features }) => features?.passing ?? null);
  const total = spent.at(-1) ?? 0;
  const sayX = (x: number) => `#${points[x - 1]?.iteration ?? x}`;
  // One bar per iteration is too thin to see beyond this.
  const how = xs.length > 300 ? 'line' : 'bars';
  return (
    <div class="grid">
      <Plot
        title="Duration of each iteration"
        gist={`longest ${lasting(Math.max(...times))}`}
        {...{ xs, sayX, how }}
        ys={times}
        sayY={axisTime}
        steps={STEPS}
        colour="info"
      />
      {total > 0 && (
        <>
          <Plot
            title="Cost of each iteration"
            gist={`${sayUsd(total / all.length)} on average`}
            {...{ xs, sayX, how }}
            ys={costs}
            sayY={sayUsd}
          />
          <Plot
            title="Cost so far"
            gist={sayUsd(total)}
            {...{ xs, sayX }}
            how="line"
            ys={spent}
            sayY={sayUsd}
          />
        </>
      )}
      {context.some((tokens) => tokens !== null) && (
        <Plot
          title="Context at the stop"
          gist={`${sayCount(context.findLast((tokens) => tokens !== null) ?? 0)} tokens now`}
          {...{ xs, sayX }}
          how="line"
          ys={context}
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

/** `spentUsd`: by all iterations up to this one. */
type Point = SeriesPoint & Readonly<Record<'x' | 'costUsd' | 'spentUsd', number>>;

/** Each point combines a few iterations: values of the last one, maximum of time and cost. */
function thinned(all: readonly SeriesPoint[]): Point[] {
  const step = Math.ceil(all.length / MOST_POINTS);
  const points: Point[] = [];
  let spentUsd = 0;
  for (let at = 0; at < all.length; at += step) {
    const few = all.slice(at, at + step);
    const last = few.at(-1);
    const costs = few.map(({ used }) => used?.costUsd ?? 0);
    spentUsd += costs.reduce((sum, cost) => sum + cost, 0);
    if (last === undefined) continue;
    const most = { ms: Math.max(...few.map(({ ms }) => ms)), costUsd: Math.max(...costs) };
    points.push({ ...last, ...most, spentUsd, x: points.length + 1 });
  }
  return points;
}
