/** All loops at a glance: what needs the person, what works, what ended lately. */
import type { JSX } from 'preact';
import type { LoopCard } from '../../wire.ts';
import { Filter } from '../parts/filter-field.tsx';
import { sayUsd } from '../../../core/words/figures.ts';
import { folderName, lasting, plural } from '../data/format.ts';
import { LoopList } from '../parts/loop-list.tsx';
import { Ago, Bar, capital, Empty, GateMarks, progressOf, Rich, StatusPill, Tile } from '../parts/parts.tsx';
import { RequestCard } from '../parts/requests.tsx';
import { hrefOf } from '../data/route.ts';
import { cards, isAtRest, isAtWork, needsYou, overview, requests, workedNow } from '../data/state.ts';

const DAY_MS = 86_400_000;
const ENDED_SHOWN = 8;
const CARDS_SHOWN = 24;

export function OverviewView(): JSX.Element {
  // By their start, so that no card moves while somebody reads it.
  const all = [...cards.value.values()].toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  if (all.length === 0) return <NoLoops />;
  const needing = all.filter((card) => needsYou(card) && card.requests.length === 0);
  const working = all.filter(isAtWork);
  const resting = all.filter(isAtRest);
  const ended = all
    .filter((card) => card.hasEnded && !needsYou(card))
    .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  return (
    <>
      <div class="page-head">
        <h1>Overview</h1>
      </div>
      <Tiles all={all} />
      <Unread />
      {(requests.value.length > 0 || needing.length > 0) && (
        <section class="section">
          <div class="section-head">
            <h2>Needs you</h2>
            <span class="faint">{requests.value.length + needing.length}</span>
          </div>
          <div class="stack">
            {requests.value.map(({ card, request }) => (
              <RequestCard key={request.id} card={card} request={request} linked />
            ))}
          </div>
          {needing.length > 0 && (
            <div class={requests.value.length > 0 ? 'grid section' : 'grid'}>
              {needing.map((card) => (
                <CardLink key={card.id} card={card} />
              ))}
            </div>
          )}
        </section>
      )}
      <Cards name="Working" cards={working} />
      <Cards name="Resting" cards={resting} />
      <section class="section only-narrow">
        <div class="section-head">
          <h2>All loops</h2>
        </div>
        <div class="card">
          <Filter />
          <LoopList />
        </div>
      </section>
      {ended.length > 0 && <Ended cards={ended} />}
    </>
  );
}

function Cards({
  name,
  cards: all,
}: {
  readonly name: string;
  readonly cards: readonly LoopCard[];
}): JSX.Element | null {
  if (all.length === 0) return null;
  return (
    <section class="section">
      <div class="section-head">
        <h2>{name}</h2>
        <span class="faint">{all.length}</span>
      </div>
      <div class="grid">
        {all.slice(0, CARDS_SHOWN).map((card) => (
          <CardLink key={card.id} card={card} />
        ))}
      </div>
      {all.length > CARDS_SHOWN && (
        <p class="faint section">{all.length - CARDS_SHOWN} more in the list of loops</p>
      )}
    </section>
  );
}

function Tiles({ all }: { readonly all: readonly LoopCard[] }): JSX.Element {
  const recent = all.filter(({ updatedAt }) => Date.now() - Date.parse(updatedAt) < DAY_MS);
  const done = recent.filter(({ status }) => status === 'completed').length;
  const cost = recent.reduce((sum, { costUsd }) => sum + costUsd, 0);
  return (
    <dl class="tiles">
      <Tile name="Working">{all.filter(isAtWork).length}</Tile>
      <Tile name="Need you">{all.filter(needsYou).length}</Tile>
      <Tile name="Completed, last 24 h">{done}</Tile>
      <Tile name="Cost of these">{sayUsd(cost)}</Tile>
    </dl>
  );
}

function CardLink({ card }: { readonly card: LoopCard }): JSX.Element {
  const progress = progressOf(card);
  return (
    <a class="loop-card" href={hrefOf({ is: 'loop', id: card.id, tab: 'timeline' })}>
      <span class="loop-card-head">
        <StatusPill card={card} />
        <span class="faint">
          <Ago at={card.updatedAt} />
        </span>
      </span>
      <span class="loop-card-title">{card.task}</span>
      <span class="loop-card-words one-line">
        <Rich words={wordsOf(card)} />
      </span>
      {progress !== null && (
        <Bar
          part={progress.part}
          whole={progress.whole}
          label={progress.words}
          isDone={card.tone === 'done'}
        />
      )}
      <GateMarks gates={card.gates} />
      <span class="loop-card-foot num">
        <span>{folderName(card.project)}</span>
        <span>{progress?.words ?? `Iteration ${card.iteration}`}</span>
        <span>{lasting(workedNow(card))}</span>
        {card.isCounted && <span>{sayUsd(card.costUsd)}</span>}
        <span class="mono">{card.id}</span>
      </span>
    </a>
  );
}

function wordsOf(card: LoopCard): string {
  if (card.proving.length > 0) return `Checking: ${card.proving.join(', ')}`;
  if (card.tone === 'needs-you' || card.lastWords === null) return capital(card.says.replace(/^is /, ''));
  return `“${card.lastWords}”`;
}

function Ended({ cards: ended }: { readonly cards: readonly LoopCard[] }): JSX.Element {
  return (
    <section class="section">
      <div class="section-head">
        <h2>Ended lately</h2>
        <span class="faint">{ended.length}</span>
      </div>
      <div class="card scroll-x">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Task</th>
              <th scope="col">Status</th>
              <th scope="col" class="right wide">
                Iterations
              </th>
              <th scope="col" class="right wide">
                Worked
              </th>
              <th scope="col" class="right wide">
                Cost
              </th>
              <th scope="col" class="right">
                Ended
              </th>
            </tr>
          </thead>
          <tbody>
            {ended.slice(0, ENDED_SHOWN).map((card) => (
              <tr key={card.id}>
                <td>
                  <a href={hrefOf({ is: 'loop', id: card.id, tab: 'timeline' })}>{card.task}</a>
                  <div class="faint">{folderName(card.project)}</div>
                </td>
                <td>
                  <StatusPill card={card} />
                </td>
                <td class="right wide">{card.iterationsInAll}</td>
                <td class="right wide">{lasting(card.workedMs)}</td>
                <td class="right wide">{card.isCounted ? sayUsd(card.costUsd) : '–'}</td>
                <td class="right faint">
                  <Ago at={card.updatedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Unread(): JSX.Element | null {
  const unread = overview.value?.unread ?? [];
  const [first] = unread;
  if (first === undefined) return null;
  return (
    <div class="notice warn section">
      <p>
        {plural(unread.length, 'loop')} can't be read. {first.id}: {first.why}
      </p>
    </div>
  );
}

function NoLoops(): JSX.Element {
  return (
    <>
      <h1 class="hidden">Overview</h1>
      <Empty icon="play" title="No loop yet">
        <p>
          A loop keeps a coding agent at work until the task is proven done. It shows up here as soon as it
          starts.
        </p>
        <pre class="command">dacapo run "Fix the failing tests" --check "npm test"</pre>
        <a class="button primary" href={hrefOf({ is: 'start' })}>
          Start one here
        </a>
      </Empty>
    </>
  );
}
