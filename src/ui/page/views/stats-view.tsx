/** Statistics over all loops, with plots. */
import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { Stats } from '../../wire.ts';
import { get, Refused } from '../data/api.ts';
import { sayCount, sayUsd } from '../../../core/words/figures.ts';
import { lasting, percent } from '../data/format.ts';
import { Empty } from '../parts/parts.tsx';
import { Plot } from '../parts/plot.tsx';

export function StatsView(): JSX.Element {
  const [stats, setStats] = useState<Stats | Refused | null>(null);
  useEffect(() => {
    const aborter = new AbortController();
    get<Stats>('/api/stats', aborter.signal).then(setStats, (error: unknown) => {
      if (error instanceof Refused) setStats(error);
    });
    return () => aborter.abort();
  }, []);
  return (
    <>
      <div class="page-head">
        <h1>Stats</h1>
      </div>
      {stats === null ? (
        <p class="loading">Counting …</p>
      ) : stats instanceof Refused ? (
        <p class="notice">{stats.message}</p>
      ) : stats.loops === 0 ? (
        <Empty icon="chart" title="Nothing to count yet" />
      ) : (
        <Figures stats={stats} />
      )}
    </>
  );
}

function Figures({ stats }: { readonly stats: Stats }): JSX.Element {
  const { completionRate, iterationsToDone, costUsdToDone, days } = stats;
  const xs = days.map((_, k) => k + 1);
  const sayX = (x: number) => days[x - 1]?.day.slice(5) ?? '';
  return (
    <div class="stack">
      <dl class="tiles">
        <Tile
          name="Completion rate"
          figure={completionRate === null ? '–' : percent(completionRate, 1)}
          under={`${stats.completed} of ${stats.ended} ended`}
        />
        <Tile
          name="Iterations to done"
          figure={iterationsToDone === null ? '–' : String(iterationsToDone.median)}
          under={iterationsToDone === null ? 'none is done yet' : `median, at most ${iterationsToDone.most}`}
        />
        <Tile
          name="Claims refused"
          figure={String(stats.claimsRefused)}
          under={`of ${stats.claims} claims`}
        />
        <Tile
          name="Cost to done"
          figure={costUsdToDone === null ? '–' : sayUsd(costUsdToDone.median)}
          under={stats.counted === 0 ? 'not counted' : `${sayUsd(stats.costUsd)} in all`}
        />
        <Tile name="Waited" figure={lasting(stats.waitedMs)} under={`worked ${lasting(stats.workedMs)}`} />
      </dl>
      {days.length > 0 && (
        <div class="charts">
          <Plot
            title="Loops begun per day"
            gist={`${stats.loops} in all`}
            {...{ xs, sayX }}
            how="bars"
            ys={days.map(({ loops }) => loops)}
            sayY={whole}
            colour="info"
          />
          <Plot
            title="Completed, of those begun that day"
            gist={`${stats.completed} in all`}
            {...{ xs, sayX }}
            how="bars"
            ys={days.map(({ completed }) => completed)}
            sayY={whole}
            colour="good"
          />
          <Plot
            title="Cost per day"
            gist={`${sayUsd(stats.costUsd)} in all`}
            {...{ xs, sayX }}
            how="bars"
            ys={days.map(({ costUsd }) => costUsd)}
            sayY={sayUsd}
          />
          <Plot
            title="Iterations per day"
            gist={`${sayCount(stats.iterations)} in all`}
            {...{ xs, sayX }}
            how="bars"
            ys={days.map(({ iterations }) => iterations)}
            sayY={whole}
            colour="info"
          />
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

function Tile({
  name,
  figure,
  under,
}: {
  readonly name: string;
  readonly figure: string;
  readonly under: string;
}): JSX.Element {
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd>{figure}</dd>
      <dd class="tile-under">{under}</dd>
    </div>
  );
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
