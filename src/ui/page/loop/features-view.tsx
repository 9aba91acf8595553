/** The feature list of a loop, as its file has it now. */
import { useState } from 'preact/hooks';
import type { Features, LoopCard } from '../../wire.ts';
import { loopPath } from '../data/api.ts';
import { Icon } from '../parts/icons.tsx';
import { load, useLoaded } from '../data/loop-data.ts';
import { Bar, Card, NotYet } from '../parts/parts.tsx';

const PAGE = 200;

export function FeaturesView({ card: { id } }: { readonly card: LoopCard }) {
  const loaded = useLoaded<Features>(id, load(loopPath(id, '/features')));
  const [most, setMost] = useState(PAGE);
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
          <button class="button" onClick={() => setMost(most + PAGE)}>
            Show {Math.min(PAGE, rows.length - most)} more
          </button>
        </div>
      )}
    </Card>
  );
}
