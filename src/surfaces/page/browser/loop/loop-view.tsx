/** One loop: where it stands, why, and everything it has done. */
import type { JSX } from 'preact';
import type { LoopCard, LoopDetail } from '#surfaces/page/wire.ts';
import { AgentView } from './agent-view.tsx';
import { loopPath } from '../data/api.ts';
import { load, useLoaded } from '../data/loop-data.ts';
import { Aside, type ShownLoop } from './loop-aside.tsx';
import { Head } from './loop-head.tsx';
import { Empty, Ago, Bar, focusOn, NotYet, Tile } from '../parts/parts.tsx';
import { RequestCard } from '../parts/requests.tsx';
import { go, hrefOf, TABS, type Tab } from '../data/route.ts';
import { cards, workedNow } from '../data/state.ts';
import { ChartsView, FeaturesView, TaskView } from './panels.tsx';
import { TimelineView } from './timeline-view.tsx';
import { sayCostFigure, sayUsd } from '#law/words/figures.ts';
import { lasting } from '../data/format.ts';

export function LoopView({ id, tab }: { readonly id: string; readonly tab: Tab }) {
  const card = cards.value.get(id);
  const detail = useLoaded<LoopDetail>(id, load(loopPath(id)));
  if (card === undefined)
    return (
      <Empty icon="search" title="There is no such loop">
        <p>It may have been pruned.</p>
        <a class="button" href={hrefOf({ is: 'overview' })}>
          To the overview
        </a>
      </Empty>
    );
  const { value, error } = detail.value;
  const [, Panel] = PANELS[tab];
  return (
    <>
      <Head card={card} />
      <div class="stack">
        {error !== null && <NotYet error={error} />}
        {card.requests.map((request) => (
          <RequestCard key={request.id} card={card} request={request} />
        ))}
        <Figures card={card} />
      </div>
      <div class="two">
        <div>
          <Tabs card={card} tab={tab} />
          <div role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} tabIndex={0}>
            <Panel card={card} detail={value} />
          </div>
        </div>
        <Aside card={card} detail={value} />
      </div>
    </>
  );
}

const PANELS: Readonly<Record<Tab, readonly [name: string, view: (shown: ShownLoop) => JSX.Element]>> = {
  timeline: ['Timeline', TimelineView],
  agent: ['Agent', AgentView],
  features: ['Features', FeaturesView],
  charts: ['Charts', ChartsView],
  task: ['Task', TaskView],
};

function Tabs({ card, tab }: { readonly card: LoopCard; readonly tab: Tab }) {
  const shown = TABS.filter((name) => name !== 'features' || card.features !== null || tab === 'features');
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = shown[(shown.indexOf(tab) + by + shown.length) % shown.length];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    go({ is: 'loop', id: card.id, tab: next });
    focusOn(`#tab-${next}`);
  };
  return (
    <div class="tabs" role="tablist" aria-label="Parts of the loop" onKeyDown={step}>
      {shown.map((name) => (
        <button
          key={name}
          class="line medium tab"
          role="tab"
          id={`tab-${name}`}
          aria-selected={name === tab}
          aria-controls={name === tab ? `panel-${name}` : undefined}
          tabIndex={name === tab ? 0 : -1}
          onClick={() => go({ is: 'loop', id: card.id, tab: name })}
        >
          {PANELS[name][0]}
          {name === 'agent' && card.tone === 'working' && <span class="dot working" />}
          {name === 'features' && card.features !== null && (
            <span class="badge">
              {card.features.passing}/{card.features.total}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

/** A budget begins at $0.00; without one, nothing counted means that nobody told a price. */
function costFigure(card: LoopCard): string {
  return card.maxCostUsd !== null && card.costUsd === 0 ? sayUsd(0) : sayCostFigure(card);
}

function Figures({ card }: { readonly card: LoopCard }) {
  const { gates, iterations, iteration, maxCostUsd, maxWorkedMs } = card;
  const held = gates.filter(({ is }) => is === 'held').length;
  const worked = workedNow(card);
  return (
    <dl class="card tiles">
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
        {card.isCounted ? costFigure(card) : <small>not counted</small>}
        {card.isCounted && maxCostUsd !== null && <small> of {sayUsd(maxCostUsd)}</small>}
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

function limit(part: number, whole: number | null, label: string) {
  return whole === null ? null : <Bar part={part} whole={whole} label={label} />;
}
