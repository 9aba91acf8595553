/** How much of its limits a loop has used. */
import type { JSX } from 'preact';
import type { LoopCard } from '../../wire.ts';
import { sayUsd } from '../../../core/words/figures.ts';
import { lasting } from '../data/format.ts';
import { Ago, Bar, Tile } from '../parts/parts.tsx';
import { workedNow } from '../data/state.ts';

export function Figures({ card }: { readonly card: LoopCard }): JSX.Element {
  const { gates, iterations, iteration, maxCostUsd, maxWorkedMs } = card;
  const held = gates.filter(({ is }) => is === 'held').length;
  const worked = workedNow(card);
  return (
    <dl class="tiles">
      <Tile
        name={card.hasEnded ? 'Iterations' : 'Iteration'}
        bar={limit(iteration - (card.hasEnded ? 0 : 1), iterations, 'Iterations used')}
      >
        {iteration}
        {iterations !== null && <small> of {iterations}</small>}
      </Tile>
      <Tile
        name="Gates that hold"
        bar={<Bar part={held} whole={gates.length} label="Gates that hold" isDone />}
      >
        {held}
        <small> of {gates.length}</small>
      </Tile>
      <Tile name="Cost" bar={limit(card.costUsd, maxCostUsd, 'Budget used')}>
        {card.isCounted ? sayUsd(card.costUsd) : <small>not counted</small>}
        {maxCostUsd !== null && <small> of {sayUsd(maxCostUsd)}</small>}
      </Tile>
      <Tile name="Working time" bar={limit(worked, maxWorkedMs, 'Time used')}>
        {lasting(worked)}
        {maxWorkedMs !== null && <small> of {lasting(maxWorkedMs).replace(/ 00[ms]$/, '')}</small>}
      </Tile>
      <Tile
        name="Started"
        under={
          <>
            last event <Ago at={card.updatedAt} />
          </>
        }
      >
        <Ago at={card.startedAt} />
      </Tile>
    </dl>
  );
}

function limit(part: number, whole: number | null, label: string): JSX.Element | null {
  return whole === null ? null : <Bar part={part} whole={whole} label={label} />;
}
