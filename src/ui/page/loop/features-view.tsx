/** The feature list of a loop, as its file has it now. */
import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { Features } from '../../wire.ts';
import { loopPath } from '../data/api.ts';
import { Icon } from '../parts/icons.tsx';
import { load, useLoaded } from '../data/loop-data.ts';
import { Bar, Empty } from '../parts/parts.tsx';

const PAGE = 200;

export function FeaturesView({ id }: { readonly id: string }): JSX.Element {
  const loaded = useLoaded<Features>(id, load(loopPath(id, '/features')));
  const [most, setMost] = useState(PAGE);
  const { value, error } = loaded.value;
  if (value === null)
    return error === null ? (
      <p class="loading">Loading …</p>
    ) : (
      <div class="card">
        <Empty icon="file" title={error.message}>
          <p>{error.next}</p>
        </Empty>
      </div>
    );
  const { file, passing, total, rows, notes } = value;
  return (
    <section class="card" aria-label="Feature list">
      <div class="card-head">
        <h2 class="mono">{file}</h2>
        <span class="end faint num">
          {passing} of {total} pass
        </span>
      </div>
      <div class="card-body">
        <Bar part={passing} whole={total} label="Items that pass" isDone />
        {notes.map((words) => (
          <p class="faint" key={words}>
            It {words}.
          </p>
        ))}
      </div>
      <ul>
        {rows.slice(0, most).map((row) => (
          <li class={`feature ${row.isNext ? 'next' : ''}`} key={row.id}>
            <span class={row.passes ? 'held' : 'open'}>
              <Icon name={row.passes ? 'check' : row.isNext ? 'arrow' : 'circle'} />
              <span class="hidden">{row.passes ? 'passes' : row.isNext ? 'next' : 'open'}</span>
            </span>
            <span class={row.passes ? 'soft' : ''}>{row.text}</span>
            <span class="faint mono">{row.id}</span>
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
    </section>
  );
}
