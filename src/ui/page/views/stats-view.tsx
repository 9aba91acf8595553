/** Statistics over all loops, with plots. */
import type { JSX } from 'preact';
import type { Stats } from '../../wire.ts';
import { sayCount, sayUsd } from '../../../core/words/figures.ts';
import { lasting, percent, plural } from '../data/format.ts';
import { useOnce } from '../data/loop-data.ts';
import { Empty, NotYet, Tile } from '../parts/parts.tsx';
import { Plot, type PlotProps } from '../parts/plot.tsx';

export function StatsView(): JSX.Element {
  const { value, error } = useOnce<Stats>('/api/stats');
  return (
    <>
      <div class="page-head">
        <h1>Stats</h1>
      </div>
      {value === null ? (
        <NotYet error={error} />
      ) : value.loops === 0 ? (
        <Empty icon="chart" title="Nothing to count yet" />
      ) : (
        <Figures stats={value} />
      )}
    </>
  );
}

function Figures({ stats }: { readonly stats: Stats }): JSX.Element {
  const { completionRate, iterationsToDone, costUsdToDone, days } = stats;
  const xs = days.map((_, k) => k + 1);
  const sayX = (x: number) => days[x - 1]?.day.slice(5) ?? '';
  const perDay = (
    title: string,
    of: (day: Stats['days'][number]) => number,
    total: string,
    sayY: (y: number) => string,
    colour: NonNullable<PlotProps['colour']>,
  ) => <Plot {...{ title, xs, sayX, sayY, colour }} gist={`${total} in all`} how="bars" ys={days.map(of)} />;
  return (
    <div class="stack">
      <dl class="tiles">
        <Tile name="Completion rate" under={`${stats.completed} of ${stats.ended} ended`}>
          {completionRate === null ? '–' : percent(completionRate, 1)}
        </Tile>
        <Tile
          name="Iterations to done"
          under={iterationsToDone === null ? 'none is done yet' : `median, at most ${iterationsToDone.most}`}
        >
          {iterationsToDone?.median ?? '–'}
        </Tile>
        <Tile name="Claims refused" under={`of ${plural(stats.claims, 'claim')}`}>
          {stats.claimsRefused}
        </Tile>
        <Tile
          name="Cost to done"
          under={stats.counted === 0 ? 'not counted' : `${sayUsd(stats.costUsd)} in all`}
        >
          {costUsdToDone === null ? '–' : sayUsd(costUsdToDone.median)}
        </Tile>
        <Tile name="Waited" under={`worked ${lasting(stats.workedMs)}`}>
          {lasting(stats.waitedMs)}
        </Tile>
      </dl>
      {days.length > 0 && (
        <div class="charts">
          {perDay('Loops begun per day', ({ loops }) => loops, String(stats.loops), whole, 'info')}
          {perDay(
            'Completed, of those begun that day',
            ({ completed }) => completed,
            String(stats.completed),
            whole,
            'good',
          )}
          {perDay('Cost per day', ({ costUsd }) => costUsd, sayUsd(stats.costUsd), sayUsd, 'accent')}
          {perDay(
            'Iterations per day',
            ({ iterations }) => iterations,
            sayCount(stats.iterations),
            whole,
            'info',
          )}
        </div>
      )}
      <Table
        title="Gates"
        head={['Gate', 'Loops', 'Tested', 'Held', 'Time']}
        rows={stats.gates.map(({ gate, loops, tested, held, ms }) => [
          gate,
          String(loops),
          String(tested),
          percent(held, tested),
          lasting(ms),
        ])}
      />
      <Table
        title="Models"
        head={['Model', 'Loops', 'Completed', 'Iterations', 'Cost']}
        rows={stats.models.map(({ model, loops, completed, iterations, costUsd }) => [
          model ?? 'the host’s choice',
          String(loops),
          String(completed),
          String(iterations),
          sayUsd(costUsd),
        ])}
      />
    </div>
  );
}

function whole(n: number): string {
  return Number.isInteger(n) ? String(n) : '';
}

function Table({
  title,
  head,
  rows,
}: {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}): JSX.Element | null {
  if (rows.length === 0) return null;
  return (
    <section class="card">
      <div class="card-head">
        <h2>{title}</h2>
      </div>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={title}>
        <table class="table">
          <thead>
            <tr>
              {head.map((words, k) => (
                <th key={words} scope="col" class={k === 0 ? '' : 'right'}>
                  {words}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row[0]}>
                {row.map((words, k) => (
                  <td key={head[k]} class={k === 0 ? 'mono' : 'right'}>
                    {words}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
