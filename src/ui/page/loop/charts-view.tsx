/** What each iteration cost and how long it took. */
import type { LoopCard, Series } from '../../wire.ts';
import { loopPath } from '../data/api.ts';
import { sayCount, sayUsd } from '../../../core/words/figures.ts';
import { lasting } from '../data/format.ts';
import { load, useLoaded } from '../data/loop-data.ts';
import { Empty, NotYet } from '../parts/parts.tsx';
import { Plot, type PlotProps } from '../parts/plot.tsx';

export function ChartsView({ card: { id } }: { readonly card: LoopCard }) {
  const { value, error } = useLoaded<Series>(id, load(loopPath(id, '/series'))).value;
  if (value === null) return <NotYet error={error} />;
  const { points, judged } = value;
  const last = points.at(-1);
  if (last === undefined)
    return (
      <Empty icon="chart" title="Nothing to draw yet">
        <p>Each judged iteration adds a bar.</p>
      </Empty>
    );
  /** What is always zero, or not known, is not drawn. */
  const plot = (
    title: string,
    key: Exclude<keyof typeof last, 'iteration'>,
    gist: string,
    sayY: PlotProps['sayY'],
    tone: PlotProps['tone'],
  ) => {
    const ys = points.map((point) => point[key]);
    const sayX = (at: number) => `#${points[at]?.iteration ?? at}`;
    return ys.some(Boolean) && <Plot {...{ title, gist, ys, sayX, sayY, tone }} />;
  };
  const longest = Math.max(...points.map(({ ms }) => ms));
  const average = last.spentUsd / judged;
  return (
    <div class="grid">
      {plot('Duration of each iteration', 'ms', `longest ${lasting(longest)}`, lasting, 'working')}
      {plot('Cost of each iteration', 'costUsd', `${sayUsd(average)} on average`, sayUsd, 'accent')}
      {plot('Cost so far', 'spentUsd', `${sayUsd(last.spentUsd)} now`, sayUsd, 'accent')}
      {plot(
        'Context at the stop',
        'context',
        `${sayCount(last.context ?? 0)} tokens now`,
        sayCount,
        'working',
      )}
      {plot('Items that pass', 'passing', `${last.passing ?? 0} now`, String, 'good')}
    </div>
  );
}
