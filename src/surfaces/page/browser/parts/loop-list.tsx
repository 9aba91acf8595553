/** The list of loops. The browser lays out and draws only the rows in sight. */
import type { LoopCard } from '#surfaces/page/wire.ts';
import { isCostKnown, sayCost } from '#law/words/figures.ts';
import { folderName } from '../data/format.ts';
import { Icon } from './icons.tsx';
import { Ago } from './parts.tsx';
import { hrefOf, route } from '../data/route.ts';
import { filter, groups, showsAll } from '../data/state.ts';

export function LoopList() {
  const all = groups.value;
  return (
    <div class="rows" tabIndex={-1}>
      {all.length === 0 && (
        <p class="loading">{filter.value === '' ? 'No loops yet.' : 'No loop matches.'}</p>
      )}
      {all.map(({ name, cards, total }) => (
        <section key={name}>
          <div class="line faint fine group">
            <h2>{name}</h2>
            <span class="end">{total}</span>
          </div>
          {cards.map((card) => (
            <Row key={card.id} card={card} />
          ))}
          {total > cards.length && (
            <button class="button quiet" onClick={() => (showsAll.value = true)}>
              Show all {total}
            </button>
          )}
        </section>
      ))}
    </div>
  );
}

export function Filter() {
  return (
    <div class="filter">
      <Icon name="search" />
      <input
        class="field"
        type="search"
        aria-label="Filter the loops"
        placeholder="Filter loops"
        value={filter.value}
        onInput={(event) => (filter.value = event.currentTarget.value)}
      />
      {filter.value === '' && <kbd aria-hidden="true">/</kbd>}
    </div>
  );
}

function Row({ card }: { readonly card: LoopCard }) {
  const here = route.value;
  const isHere = here.is === 'loop' && here.id === card.id;
  return (
    <a
      class="row"
      href={hrefOf({ is: 'loop', id: card.id, tab: 'timeline' })}
      aria-current={isHere ? 'page' : undefined}
      data-loop={card.id}
    >
      <span class={`dot ${card.tone}`} />
      <span class="medium one-line">{card.task}</span>
      <Ago at={card.updatedAt} look="faint fine" />
      <span class="line faint fine">
        <span class="one-line">{card.fleet ?? folderName(card.belongsTo)}</span>
        <span aria-hidden="true">·</span>
        <span class="one-line">{underWords(card)}</span>
      </span>
    </a>
  );
}

function underWords(card: LoopCard): string {
  if (card.requests.length > 0) return 'waits for your answer';
  const cost = isCostKnown(card) ? ` · ${sayCost(card)}` : '';
  if (card.hasEnded) return `${card.status}${cost}`;
  const of = card.iterations === null ? '' : ` of ${card.iterations}`;
  return card.status === 'running' ? `iteration ${card.iteration}${of}${cost}` : card.status;
}
