/** Statistics over all loops, with plots. */
import type { Stats } from '../../wire.ts';
import { sayUsd } from '../../../core/words/figures.ts';
import { lasting, percent, plural } from '../data/format.ts';
import { useOnce } from '../data/loop-data.ts';
import { Empty, NotYet, Table, Tile } from '../parts/parts.tsx';
import { Plot, type PlotProps } from '../parts/plot.tsx';

export function StatsView() {
  const { value, error } = useOnce<Stats>('/api/stats');
  return (
    <div class="stack">
      <h1>Stats</h1>
      {value === null ? (
        <NotYet error={error} />
      ) : value.loops === 0 ? (
        <Empty icon="chart" title="Nothing to count yet" />
      ) : (
        <Figures stats={value} />
      )}
    </div>
  );
}

function Figures({ stats }: { readonly stats: Stats }) {
  const { completionRate, iterationsToDone, costUsdToDone, days } = stats;
  const sayX = (at: number) => days[at]?.day.slice(5) ?? '';
  const perDay = (
    title: string,
    of: (day: Stats['days'][number]) => number,
    total: string,
    sayY: (y: number) => string,
    tone: PlotProps['tone'],
  ) => <Plot {...{ title, sayX, sayY, tone }} gist={`${total} in all`} ys={days.map(of)} />;
  return (
    <>
      <dl class="card tiles">
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
        <div class="grid">
          {perDay('Loops begun per day', ({ loops }) => loops, String(stats.loops), String, 'working')}
          {perDay(
            'Completed of those',
            ({ completed }) => completed,
            String(stats.completed),
            String,
            'good',
          )}
          {perDay('Cost per day', ({ costUsd }) => costUsd, sayUsd(stats.costUsd), sayUsd, 'accent')}
          {perDay(
            'Iterations per day',
            ({ iterations }) => iterations,
            String(stats.iterations),
            String,
            'working',
          )}
        </div>
      )}
      <Table
        title="Gates"
        head={['Gate', 'Loops', 'Tested', 'Held', 'Time']}
        rows={stats.gates.map(({ gate, loops, tested, held, ms }) => [
          <code>{gate}</code>,
          loops,
          tested,
          percent(held, tested),
          lasting(ms),
        ])}
      />
      <Table
        title="Models"
        head={['Model', 'Loops', 'Completed', 'Iterations', 'Cost']}
        rows={stats.models.map(({ model, loops, completed, iterations, costUsd }) => [
          <code>{model ?? 'the host’s choice'}</code>,
          loops,
          completed,
          iterations,
          sayUsd(costUsd),
        ])}
      />
    </>
  );
}
