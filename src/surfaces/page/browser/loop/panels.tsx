/** The tabs of a loop beside its timeline and its agent: the feature list, the charts, the task. */
import { useState } from 'preact/hooks';
import type { Features, LoopCard, Series } from '#surfaces/page/wire.ts';
import { sayCount, sayUsd } from '#law/words/figures.ts';
import { loopPath } from '../data/api.ts';
import { fullTime, lasting } from '../data/format.ts';
import { load, useLoaded } from '../data/loop-data.ts';
import { EvidenceButton } from '../parts/dialog.tsx';
import { Icon } from '../parts/icons.tsx';
import { Bar, Card, Empty, Facts, NotYet } from '../parts/parts.tsx';
import { Plot } from '../parts/plot.tsx';
import type { ShownLoop } from './loop-aside.tsx';

const PAGE_ROWS = 200;

export function FeaturesView({ card: { id } }: { readonly card: LoopCard }) {
  const loaded = useLoaded<Features>(id, load(loopPath(id, '/features')));
  const [most, setMost] = useState(PAGE_ROWS);
  const { value, error } = loaded.value;
  if (value === null) return <NotYet error={error} />;
  const { file, passing, total, rows, notes } = value;
  return (
    <Card title={<code>{file}</code>} aside={`${passing} of ${total} pass`}>
      <div class="card-body">
        <Bar part={passing} whole={total} label="Items that pass" isDone />
        {notes.map((words) => (
          <p class="faint small" key={words}>
            It {words}.
          </p>
        ))}
      </div>
      <ul>
        {rows.slice(0, most).map((row) => (
          <li class={`marked feature ${row.isNext ? 'next' : ''}`} key={row.id}>
            <span class={row.passes ? 'held' : 'open'}>
              <Icon name={row.passes ? 'check' : row.isNext ? 'arrow' : 'circle'} />
              <span class="hidden">{row.passes ? 'passes' : row.isNext ? 'next' : 'open'}</span>
            </span>
            <span class={`words ${row.passes ? 'soft' : ''}`}>{row.text}</span>
            <code class="faint">{row.id}</code>
          </li>
        ))}
      </ul>
      {rows.length > most && (
        <div class="more-row">
          <button class="button" onClick={() => setMost(most + PAGE_ROWS)}>
            Show {Math.min(PAGE_ROWS, rows.length - most)} more
          </button>
        </div>
      )}
    </Card>
  );
}

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
  const sayX = (at: number) => `#${points[at]?.iteration ?? at}`;
  const longest = Math.max(...points.map(({ ms }) => ms));
  const average = last.spentUsd / judged;
  const plots = [
    ['Duration of each iteration', 'ms', `longest ${lasting(longest)}`, lasting, 'working'],
    ['Cost of each iteration', 'costUsd', `${sayUsd(average)} on average`, sayUsd, 'accent'],
    ['Cost so far', 'spentUsd', `${sayUsd(last.spentUsd)} now`, sayUsd, 'accent'],
    ['Context at the stop', 'context', `${sayCount(last.context ?? 0)} tokens now`, sayCount, 'working'],
    ['Items that pass', 'passing', `${last.passing ?? 0} now`, String, 'good'],
  ] as const;
  return (
    <div class="grid">
      {plots.map(([title, key, gist, sayY, tone]) => {
        const ys = points.map((point) => point[key]);
        // What is always zero, or not known, is not drawn.
        return ys.some(Boolean) && <Plot key={key} {...{ title, gist, ys, sayX, sayY, tone }} />;
      })}
    </div>
  );
}

export function TaskView({ card, detail }: ShownLoop) {
  if (detail === null) return <NotYet error={null} />;
  const { protect, asked, plan, evidence } = detail;
  return (
    <div class="stack">
      <Card title="Prompt">
        <p class="card-body words pre">{asked === '' ? 'The prompt can’t be read.' : asked}</p>
      </Card>
      <Card title="How it runs">
        <div class="card-body">
          <Facts
            rows={[
              ['Project', card.project],
              ['Host', card.host],
              ['Driver', card.driver === 'fresh' ? 'dacapo run, a new agent for each pass' : 'one session'],
              ['Started', fullTime(card.startedAt)],
              ['Protected', protect.length === 0 ? null : protect.join(', ')],
              ...plan,
            ]}
          />
        </div>
      </Card>
      {evidence.length > 0 && (
        <Card title="Evidence" aside={evidence.length}>
          <ul class="card-body wrap">
            {evidence.map((name) => (
              <li key={name}>
                <EvidenceButton id={card.id} name={name}>
                  <Icon name="file" /> <span class="one-line">{name}</span>
                </EvidenceButton>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}
