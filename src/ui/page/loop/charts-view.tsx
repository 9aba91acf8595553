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
  const sayX = (at: number) => `#${points[at]?.iteration ?? at}`;
  /** What is always zero, or not known, is not drawn. */
  const plot = (
    title: string,
    of: (point: Point) => number | null,
    say: (ys: readonly number[]) => string,
    sayY: PlotProps['sayY'],
    tone: PlotProps['tone'],
  ) => {
    const ys = points.map(of);
    const known = ys.filter((y) => y !== null);
    if (!known.some((y) => y > 0)) return null;
    return <Plot {...{ title, ys, sayX, sayY, tone }} gist={say(known)} />;
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
        lasting,
        'working',
      )}
      {plot(
        'Cost of each iteration',
        ({ costUsd }) => costUsd,
        () => `${sayUsd(spent / all.length)} on average`,
        sayUsd,
        'accent',
      )}
      {plot('Cost so far', ({ spentUsd }) => spentUsd, now(sayUsd), sayUsd, 'accent')}
      {plot(
        'Context at the stop',
        ({ context }) => context?.tokens ?? null,
        now(sayTokens),
        sayCount,
        'working',
      )}
      {plot('Items that pass', ({ features }) => features?.passing ?? null, now(String), String, 'good')}
    </div>
  );
}

/** More points than pixels only cost time. */
const MOST_POINTS = 1_000;

/** `spentUsd`: by all iterations up to this one. */
type Point = SeriesPoint & Readonly<Record<'costUsd' | 'spentUsd', number>>;

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
    points.push({ ...last, ...most, spentUsd });
  }
  return points;
}
