/** All loops at a glance: what needs the person, what works, what ended lately. */
import type { LoopCard } from '#surfaces/page/wire.ts';
import { isCostKnown, sayCost, sayCostFigure } from '#law/words/figures.ts';
import { folderName, lasting, plural } from '../data/format.ts';
import { Filter, LoopList } from '../parts/loop-list.tsx';
import { Ago, Bar, capital, Empty, GateIcon, Rich, StatusPill, Table, Tile } from '../parts/parts.tsx';
import { RequestCard } from '../parts/requests.tsx';
import { hrefOf } from '../data/route.ts';
import { byNews, cards, inGroup, overview, requests, workedNow } from '../data/state.ts';

const DAY_MS = 86_400_000;
const MAX_ENDED_SHOWN = 8;
const MAX_CARDS_SHOWN = 24;

export function OverviewView() {
  if (cards.value.size === 0) return <NoLoops />;
  const [working, needing] = [inGroup('working'), inGroup('needs-you')];
  return (
    <div class="stack apart">
      <h1>Overview</h1>
      <Tiles working={working.length} needing={needing.length} />
      <Unread />
      <Section
        name="Needs you"
        asked={requests.value}
        all={needing.filter((card) => card.requests.length === 0)}
      />
      <Section name="Working" all={working} />
      <Section name="Resting" all={inGroup('resting')} />
      <section class="card only-narrow">
        <h2 class="hidden">All loops</h2>
        <Filter />
        <LoopList />
      </section>
      <Ended />
    </div>
  );
}

type SectionProps = Readonly<{ name: string; asked?: typeof requests.value; all: readonly LoopCard[] }>;

function Section({ name, asked = [], all }: SectionProps) {
  const count = asked.length + all.length;
  if (count === 0) return null;
  return (
    <section class="stack tight">
      <h2>
        {name} <span class="faint">{count}</span>
      </h2>
      {asked.map(({ card, request }) => (
        <RequestCard key={request.id} card={card} request={request} linked />
      ))}
      <div class="grid">
        {all.slice(0, MAX_CARDS_SHOWN).map((card) => (
          <CardLink key={card.id} card={card} />
        ))}
      </div>
      {all.length > MAX_CARDS_SHOWN && (
        <p class="faint">{all.length - MAX_CARDS_SHOWN} more in the list of loops</p>
      )}
    </section>
  );
}

function Tiles({ working, needing }: Readonly<Record<'working' | 'needing', number>>) {
  const all = [...cards.value.values()];
  const recent = all.filter(({ updatedAt }) => Date.now() - Date.parse(updatedAt) < DAY_MS);
  const done = recent.filter(({ status }) => status === 'completed').length;
  const counted = recent.filter(({ isCounted }) => isCounted);
  const costUsd = counted.reduce((sum, card) => sum + card.costUsd, 0);
  const cost = { costUsd, estimated: recent.some(({ estimated }) => estimated) };
  return (
    <dl class="card tiles">
      <Tile name="Working">{working}</Tile>
      <Tile name="Need you">{needing}</Tile>
      <Tile name="Completed, last 24 h">{done}</Tile>
      <Tile name={sayWhoseCost(counted.length, recent.length)}>{sayCostFigure(cost)}</Tile>
    </dl>
  );
}

/** Sessions without a budget are not counted, and a sum must not hide that. */
function sayWhoseCost(counted: number, all: number): string {
  return counted === all ? 'Cost, last 24 h' : `Cost, last 24 h (${all - counted} of ${all} not counted)`;
}

function CardLink({ card }: { readonly card: LoopCard }) {
  const progress = progressOf(card);
  return (
    <a class="card pad stack tight loop-card" href={hrefOf({ is: 'loop', id: card.id, tab: 'timeline' })}>
      <span class="line">
        <StatusPill card={card} />
        <Ago at={card.updatedAt} look="faint end" />
      </span>
      <span class="strong words clamp">{card.task}</span>
      <Rich as="span" look="soft small one-line" words={wordsOf(card)} />
      {progress !== null && <Bar {...progress} label={progress.words} isDone={card.tone === 'done'} />}
      <GateMarks gates={card.gates} />
      <span class="wrap faint small">
        <span>{folderName(card.belongsTo)}</span>
        {card.fleet !== null && <span>{card.fleet}</span>}
        <span>{progress?.words ?? `Iteration ${card.iteration}`}</span>
        <span>{lasting(workedNow(card))}</span>
        {isCostKnown(card) && <span>{sayCost(card)}</span>}
        <span class="mono">{card.id}</span>
      </span>
    </a>
  );
}

function GateMarks({ gates }: Pick<LoopCard, 'gates'>) {
  return (
    <ul class="wrap soft small">
      {gates.map(({ is, label }) => (
        <li class="line" key={label}>
          <GateIcon is={is} />
          <span class="one-line">{label}</span>
        </li>
      ))}
    </ul>
  );
}

function progressOf(card: LoopCard): { part: number; whole: number; words: string } | null {
  const { features, iteration, iterations: whole } = card;
  if (features !== null) {
    const { passing: part, total } = features;
    return { part, whole: total, words: `${part} of ${total} features` };
  }
  if (whole === null) return null;
  const part = card.hasEnded ? iteration : iteration - 1;
  return { part, whole, words: `Iteration ${iteration} of ${whole}` };
}

function wordsOf(card: LoopCard): string {
  if (card.proving.length > 0) return `Checking: ${card.proving.join(', ')}`;
  const isAtWork = card.tone !== 'needs-you' && card.tone !== 'waiting';
  if (isAtWork && card.lastWords !== null) return `“${card.lastWords}”`;
  return capital(card.says.replace(/^is /, ''));
}

function Ended() {
  const ended = inGroup('ended').toSorted(byNews);
  return (
    <div class="few">
      <Table
        title="Ended lately"
        head={['Task', 'Iterations', 'Worked', 'Cost', 'Ended', 'Status']}
        rows={ended.slice(0, MAX_ENDED_SHOWN).map((card) => [
          <>
            <a href={hrefOf({ is: 'loop', id: card.id, tab: 'timeline' })}>{card.task}</a>
            <div class="faint">{folderName(card.belongsTo)}</div>
          </>,
          card.iterationsInAll,
          lasting(card.workedMs),
          isCostKnown(card) ? sayCost(card) : '–',
          <Ago at={card.updatedAt} />,
          <StatusPill card={card} />,
        ])}
      />
    </div>
  );
}

function Unread() {
  const unread = overview.value?.unread ?? [];
  const [first] = unread;
  if (first === undefined) return null;
  return (
    <p class="notice warning">
      {plural(unread.length, 'loop')} can't be read. {first.id}: {first.why}
    </p>
  );
}

/** Over a fleet this is also where a new loop begins: the page starts none there. */
export function NoLoops() {
  const fleet = overview.value?.fleet ?? null;
  return (
    <>
      <h1 class="hidden">{fleet === null ? 'Overview' : 'New loop'}</h1>
      <Empty icon="play" title={fleet === null ? 'No loop yet' : 'Give the fleet a loop'}>
        <p>
          A loop keeps a coding agent at work until the task is proven done. It shows up here as soon as it{' '}
          {fleet === null ? 'starts' : 'is submitted'}.
        </p>
        <pre class="sunk">
          {fleet === null
            ? 'dacapo run "Fix the failing tests" --check "npm test"'
            : 'dacapo fleet submit "Fix the failing tests" --repo URL --ref main --check "npm test"'}
        </pre>
        {fleet === null && (
          <a class="button primary" href={hrefOf({ is: 'start' })}>
            Start one here
          </a>
        )}
      </Empty>
    </>
  );
}
