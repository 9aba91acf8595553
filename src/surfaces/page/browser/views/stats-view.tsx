/** Statistics over all loops, with plots. */
import type { Stats } from '#surfaces/page/wire.ts';
import { isCostKnown, sayCostFigure, sayUsd } from '#law/words/figures.ts';
import { lasting, percent, plural } from '../data/format.ts';
import { useOnce } from '../data/loop-data.ts';
import { Empty, NotYet, Table, Tile } from '../parts/parts.tsx';
import { Plot } from '../parts/plot.tsx';

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

function Tiles({ stats }: { readonly stats: Stats }) {
  const { completionRate, iterationsToDone, costUsdToDone } = stats;
  return (
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
        under={stats.counted === 0 ? 'not counted' : `${sayCostFigure(stats)} in all`}
      >
        {costUsdToDone === null ? '–' : sayUsd(costUsdToDone.median)}
      </Tile>
      <Tile name="Waited" under={`worked ${lasting(stats.workedMs)}`}>
        {lasting(stats.waitedMs)}
      </Tile>
    </dl>
  );
}

function Figures({ stats }: { readonly stats: Stats }) {
  const { days } = stats;
  const sayX = (at: number) => days[at]?.day.slice(5) ?? '';
  const plots = [
    ['Loops begun per day', 'loops', String, 'working'],
    ['Completed of those', 'completed', String, 'good'],
    ['Cost per day', 'costUsd', sayUsd, 'accent'],
    ['Iterations per day', 'iterations', String, 'working'],
  ] as const;
  return (
    <>
      <Tiles stats={stats} />
      {days.length > 0 && (
        <div class="grid">
          {plots.map(([title, key, sayY, tone]) => (
            <Plot
              key={key}
              {...{ title, sayX, sayY, tone }}
              gist={`${sayY(stats[key])} in all`}
              ys={days.map((day) => day[key])}
            />
          ))}
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
          isCostKnown({ costUsd }) ? sayUsd(costUsd) : '–',
        ])}
      />
    </>
  );
}
