/** What each iteration cost and how long it took. */
import { useMemo } from 'preact/hooks';
import type { LoopCard, Series, SeriesPoint } from '../../wire.ts';
import { get, loopPath } from '../data/api.ts';
import { sayCount, sayUsd } from '../../../core/words/figures.ts';
import { lasting } from '../data/format.ts';
import { useLoaded } from '../data/loop-data.ts';
import { Empty, NotYet } from '../parts/parts.tsx';
import { Plot, type PlotProps } from '../parts/plot.tsx';

export function ChartsView({ card: { id } }: { readonly card: LoopCard }) {
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

function Charts({ points: all }: Pick<Series, 'points'>) {
  const points = useMemo(() => thinned(all), [all]);
  const xs = useMemo(() => points.map(({ x }) => x), [points]);
  const sayX = (x: number) => `#${points[x - 1]?.iteration ?? x}`;
  // One bar per iteration is too thin to see beyond this.
  const how = xs.length > 300 ? 'line' : 'bars';
  /** What is always zero, or not known, is not drawn. */
  const plot = (
    title: string,
    of: (point: Point) => number | null,
    say: (ys: readonly number[]) => string,
    more: Pick<PlotProps, 'sayY'> & Partial<PlotProps>,
  ) => {
    const ys = useMemo(() => points.map(of), [points]);
    const known = ys.filter((y) => y !== null);
    if (!known.some((y) => y > 0)) return null;
    return <Plot {...{ title, xs, ys, sayX }} gist={say(known)} how="line" {...more} />;
  };
  const spent = points.at(-1)?.spentUsd ?? 0;
  const now = (say: (y: number) => string) => (ys: readonly number[]) => `${say(ys.at(-1) ?? 0)} now`;
  const sayTokens = (count: number) => `${sayCount(count)} tokens`;
  return (
    <div class="grid">
      {plot(
        'Duration of each iteration',
        ({ ms }) => ms,
        (ys) => `longest ${lasting(Math.max(...ys))}`,
        { sayY: axisTime, steps: STEPS, colour: 'info', how },
      )}
      {plot(
        'Cost of each iteration',
        ({ costUsd }) => costUsd,
        () => `${sayUsd(spent / all.length)} on average`,
        { sayY: sayUsd, how },
      )}
      {plot('Cost so far', ({ spentUsd }) => spentUsd, now(sayUsd), { sayY: sayUsd })}
      {plot('Context at the stop', ({ context }) => context?.tokens ?? null, now(sayTokens), {
        sayY: sayCount,
        colour: 'info',
      })}
      {plot('Items that pass', ({ features }) => features?.passing ?? null, now(String), {
        sayY: String,
        steps: WHOLE,
        colour: 'good',
      })}
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
