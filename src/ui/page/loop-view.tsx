/** One loop: where it stands, why, and everything it has done. */
import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { LoopCard, LoopDetail } from '../wire.ts';
import { actOn, isBusy } from './act.ts';
import { AgentView } from './agent-view.tsx';
import { loopPath } from './api.ts';
import { ChartsView } from './charts-view.tsx';
import { Dialog } from './dialog.tsx';
import { FeaturesView } from './features-view.tsx';
import { folderName, lasting, usd } from './format.ts';
import { Icon } from './icons.tsx';
import { load, useLoaded } from './loop-data.ts';
import { Aside } from './loop-aside.tsx';
import { Ago, Bar, capital, Empty, StatusPill } from './parts.tsx';
import { RequestCard } from './requests.tsx';
import { go, hrefOf, TABS, type Tab } from './route.ts';
import { cards, workedNow } from './state.ts';
import { TaskView } from './task-view.tsx';
import { TimelineView } from './timeline-view.tsx';

export function LoopView({ id, tab }: { readonly id: string; readonly tab: Tab }): JSX.Element {
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
  return (
    <>
      <Head card={card} />
      <div class="stack">
        {error !== null && (
          <div class="notice" role="alert">
            <p>
              {error.message} <span class="next">{error.next}</span>
            </p>
          </div>
        )}
        {card.requests.map((request) => (
          <RequestCard key={request.id} card={card} request={request} />
        ))}
        <Figures card={card} />
      </div>
      <div class="two">
        <div>
          <Tabs card={card} tab={tab} />
          <div role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} tabIndex={0}>
            <Panel card={card} tab={tab} detail={value} />
          </div>
        </div>
        <Aside card={card} detail={value} />
      </div>
    </>
  );
}

function Panel({
  card,
  tab,
  detail,
}: {
  readonly card: LoopCard;
  readonly tab: Tab;
  readonly detail: LoopDetail | null;
}): JSX.Element {
  switch (tab) {
    case 'timeline':
      return <TimelineView card={card} />;
    case 'agent':
      return <AgentView card={card} />;
    case 'features':
      return <FeaturesView id={card.id} />;
    case 'charts':
      return <ChartsView card={card} />;
    case 'task':
      return <TaskView card={card} detail={detail} />;
  }
}

function Head({ card }: { readonly card: LoopCard }): JSX.Element {
  return (
    <div class="loop-head">
      <div class="loop-head-words">
        <nav class="crumbs" aria-label="Place">
          <a href={hrefOf({ is: 'overview' })}>Loops</a>
          <span aria-hidden="true">/</span>
          <span title={card.project}>{folderName(card.project)}</span>
          <span aria-hidden="true">/</span>
          <span class="mono one-line">{card.id}</span>
        </nav>
        <h1>{card.task}</h1>
        <div class="facts">
          <StatusPill card={card} />
          <span class="plain">{capital(card.says.replace(/^is (?:running, )?/, ''))}</span>
          <span>{card.driver === 'fresh' ? 'a new agent each time' : 'in one session'}</span>
          {card.model !== null && <span>{card.model}</span>}
        </div>
      </div>
      <Acts card={card} />
    </div>
  );
}

function Acts({ card }: { readonly card: LoopCard }): JSX.Element {
  const [isSure, setIsSure] = useState(false);
  const { id, status, hasEnded } = card;
  const canPause = !hasEnded && status !== 'paused' && status !== 'interrupted';
  const canResume = status !== 'completed' && (hasEnded || status === 'paused' || status === 'interrupted');
  return (
    <div class="acts">
      {canPause && (
        <button
          class="button"
          disabled={isBusy(loopPath(id, '/pause'))}
          onClick={() => void actOn(id, 'pause')}
        >
          <Icon name="pause" /> Pause
        </button>
      )}
      {canResume && (
        <button
          class="button"
          disabled={isBusy(loopPath(id, '/resume'))}
          onClick={() => void actOn(id, 'resume')}
        >
          <Icon name="play" /> Resume
        </button>
      )}
      {!hasEnded && (
        <button class="button danger" onClick={() => setIsSure(true)}>
          <Icon name="stop" /> Cancel
        </button>
      )}
      {isSure && (
        <Dialog
          title="Cancel this loop?"
          close={() => setIsSure(false)}
          foot={
            <>
              <button class="button" onClick={() => setIsSure(false)}>
                Keep it
              </button>
              <button
                class="button danger"
                onClick={() => {
                  setIsSure(false);
                  void actOn(id, 'cancel');
                }}
              >
                Cancel the loop
              </button>
            </>
          }
        >
          <p>
            It ends now, undone. What it has changed in <code>{card.project}</code> stays. You can resume it
            later.
          </p>
        </Dialog>
      )}
    </div>
  );
}

function Figures({ card }: { readonly card: LoopCard }): JSX.Element {
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
          {usd(card.costUsd)}
          {maxCostUsd !== null && <small> of {usd(maxCostUsd)}</small>}
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

const NAMES: Readonly<Record<Tab, string>> = {
  timeline: 'Timeline',
  agent: 'Agent',
  features: 'Features',
  charts: 'Charts',
  task: 'Task',
};

function Tabs({ card, tab }: { readonly card: LoopCard; readonly tab: Tab }): JSX.Element {
  const shown = TABS.filter((name) => name !== 'features' || card.features !== null || tab === 'features');
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = shown[(shown.indexOf(tab) + by + shown.length) % shown.length];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    go({ is: 'loop', id: card.id, tab: next });
    document.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Parts of the loop" onKeyDown={step}>
      {shown.map((name) => (
        <button
          key={name}
          class="tab"
          role="tab"
          id={`tab-${name}`}
          aria-selected={name === tab}
          aria-controls={name === tab ? `panel-${name}` : undefined}
          tabIndex={name === tab ? 0 : -1}
          onClick={() => go({ is: 'loop', id: card.id, tab: name })}
        >
          {NAMES[name]}
          {name === 'agent' && card.tone === 'working' && <span class="dot working" />}
          {name === 'features' && card.features !== null && (
            <span class="badge plain num">
              {card.features.passing}/{card.features.total}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
