/** How much of its limits a loop has used. */
import type { JSX } from 'preact';
import type { LoopCard } from '../../wire.ts';
import { sayUsd } from '../../../core/words/figures.ts';
import { lasting } from '../data/format.ts';
import { Ago, Bar } from '../parts/parts.tsx';
import { workedNow } from '../data/state.ts';

export function Figures({ card }: { readonly card: LoopCard }): JSX.Element {
  const { gates, iterations, iteration, maxCostUsd, maxWorkedMs } = card;
  const held = gates.filter(({ is }) => is === 'held').length;
  const worked = workedNow(card);
  return (
    <dl class="tiles">
      <div class="tile">
        <dt>{card.hasEnded ? 'Iterations' : 'Iteration'}</dt>
        <dd>
          {iteration}
          {iterations !== null && <small> of {iterations}</small>}
        </dd>
        <Limit part={iteration - (card.hasEnded ? 0 : 1)} whole={iterations} label="Iterations used" />
      </div>
      <div class="tile">
        <dt>Gates that hold</dt>
        <dd>
          {held}
          <small> of {gates.length}</small>
        </dd>
        <dd class="bar-holder">
          <Bar part={held} whole={gates.length} label="Gates that hold" isDone />
        </dd>
      </div>
      <div class="tile">
        <dt>Cost</dt>
        <dd>
          {card.isCounted ? sayUsd(card.costUsd) : <small>not counted</small>}
          {maxCostUsd !== null && <small> of {sayUsd(maxCostUsd)}</small>}
        </dd>
        <Limit part={card.costUsd} whole={maxCostUsd} label="Budget used" />
      </div>
      <div class="tile">
        <dt>Working time</dt>
        <dd>
          {lasting(worked)}
          {maxWorkedMs !== null && <small> of {lasting(maxWorkedMs).replace(/ 00[ms]$/, '')}</small>}
        </dd>
        <Limit part={worked} whole={maxWorkedMs} label="Time used" />
      </div>
      <div class="tile">
        <dt>Started</dt>
        <dd>
          <Ago at={card.startedAt} />
        </dd>
        <dd class="tile-under">
          last event <Ago at={card.updatedAt} />
        </dd>
      </div>
    </dl>
  );
}

function Limit({
  part,
  whole,
  label,
}: {
  readonly part: number;
  readonly whole: number | null;
  readonly label: string;
}): JSX.Element {
  return (
    <dd class={whole === null ? 'tile-under' : 'bar-holder'}>
      {whole === null ? 'no limit' : <Bar part={part} whole={whole} label={label} />}
    </dd>
  );
}
