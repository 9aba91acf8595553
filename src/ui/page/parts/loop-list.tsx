/** The list of loops. Rows have fixed heights, so only those in sight are drawn, however many there are. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LoopCard } from '../../wire.ts';
import { sayUsd } from '../../../core/words/figures.ts';
import { folderName } from '../data/format.ts';
import { Icon } from './icons.tsx';
import { Ago, toneOf } from './parts.tsx';
import { hrefOf, route } from '../data/route.ts';
import { filter, groups } from '../data/state.ts';

const GROUP_PX = 32;
const ROW_PX = 54;
/** Rows above and below what is in sight, so that scrolling shows no gap. */
const BESIDE_PX = 300;

type Line =
  | { readonly is: 'group'; readonly name: string; readonly count: number; readonly top: number }
  | { readonly is: 'row'; readonly card: LoopCard; readonly top: number };

function listLines(): { lines: readonly Line[]; height: number } {
  const lines: Line[] = [];
  let top = 0;
  for (const { name, cards } of groups.value) {
    lines.push({ is: 'group', name, count: cards.length, top });
    top += GROUP_PX;
    for (const card of cards) {
      lines.push({ is: 'row', card, top });
      top += ROW_PX;
    }
    top += 6;
  }
  return { lines, height: top + 8 };
}

export function LoopList() {
  const box = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ top: 0, height: 900 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => setSight({ top: element.scrollTop, height: element.clientHeight });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  const { lines, height } = listLines();
  const shown = lines.filter(
    ({ top }) => top > sight.top - BESIDE_PX && top < sight.top + sight.height + BESIDE_PX,
  );
  return (
    <div class="rows" ref={box} tabIndex={-1}>
      {lines.length === 0 && (
        <p class="loading">{filter.value === '' ? 'No loops yet.' : 'No loop matches.'}</p>
      )}
      <div class="rows-inner" style={{ height: `${height}px` }}>
        {shown.map((line) =>
          line.is === 'group' ? (
            <div class="line faint fine group" key={line.name} style={{ top: `${line.top}px` }}>
              <h2>{line.name}</h2>
              <span class="num end">{line.count}</span>
            </div>
          ) : (
            <Row key={line.card.id} card={line.card} top={line.top} />
          ),
        )}
      </div>
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

function Row({ card, top }: { readonly card: LoopCard; readonly top: number }) {
  const here = route.value;
  const isHere = here.is === 'loop' && here.id === card.id;
  return (
    <a
      class="row"
      href={hrefOf({ is: 'loop', id: card.id, tab: 'timeline' })}
      aria-current={isHere ? 'page' : undefined}
      style={{ top: `${top}px` }}
      data-loop={card.id}
    >
      <span class={`dot ${toneOf(card)}`} />
      <span class="medium one-line">{card.task}</span>
      <span class="faint fine">
        <Ago at={card.updatedAt} />
      </span>
      <span class="line faint fine">
        <span class="one-line">{card.fleet ?? folderName(card.project)}</span>
        <span aria-hidden="true">·</span>
        <span class="one-line">{underWords(card)}</span>
      </span>
    </a>
  );
}

function underWords(card: LoopCard): string {
  if (card.requests.length > 0) return 'waits for your answer';
  const cost = card.isCounted ? ` · ${sayUsd(card.costUsd)}` : '';
  if (card.hasEnded) return `${card.status}${cost}`;
  const of = card.iterations === null ? '' : ` of ${card.iterations}`;
  return card.status === 'running' ? `iteration ${card.iteration}${of}${cost}` : card.status;
}
