/** The list of loops: two rows for a loop that has not ended, one for any other. */
import type { LoopCard } from '#telling/story/card.ts';
import { labelForScreen } from '../terminal/clean-text.ts';
import { terminalText, type Viewport, cell, filled, part, rowOf, type RowPart } from '../terminal/lines.ts';
import { widthOf, wrapLine } from '../terminal/width.ts';
import { isCostKnown, sayCost } from '#law/words/figures.ts';
import { clock } from '../phrases.ts';
import { ago } from '#telling/time.ts';
import { cardFacts, gateCounts, gateMark, sayNow, toneBrush, toneMark } from './card-words.ts';
import { listed, type WatchState } from './state.ts';

interface Column {
  readonly name: string;
  readonly width: number;
  readonly of: (card: LoopCard) => RowPart[];
}

/** Between the status and the task. */
const COLUMNS: readonly Column[] = [
  { name: '   ITER  ', width: 9, of: (card) => [cell(sayIteration(card), 7, null, 'right')] },
  { name: 'GATES', width: 9, of: ({ gates }) => gateCounts(gates) },
  { name: '    COST', width: 8, of: (card) => [cell(shortCost(card), 8, null, 'right')] },
  { name: '    TIME  ', width: 10, of: ({ workedMs }) => [cell(clock(workedMs), 8, 'dim', 'right')] },
];
const STATUS_COLUMNS = 11;
const PROJECT_COLUMNS = 24;
/** Narrower than this, only the status and the task are shown. */
const NARROW_COLUMNS = 64;
const WIDE_COLUMNS = 120;

export function listRows(state: WatchState, height: number, viewport: Viewport): string[] {
  const cards = listed(state);
  if (cards.length === 0) return filled(emptyRows(state, viewport), height);
  const blocks = cards.map((card, at) => blockOf(card, cards[at - 1], state, viewport));
  const heading = rowOf(headings(state, viewport), viewport);
  return filled([heading, ...windowOf(blocks, chosenAt(state, cards), height - 1)], height);
}

function chosenAt({ chosen }: WatchState, cards: readonly LoopCard[]): number {
  return Math.max(
    0,
    cards.findIndex(({ id }) => id === chosen),
  );
}

function windowOf(blocks: readonly (readonly string[])[], chosen: number, height: number): string[] {
  const rows = blocks.flat();
  const before = blocks.slice(0, chosen).flat().length;
  const own = blocks[chosen]?.length ?? 1;
  const top = Math.max(0, Math.min(rows.length - height, before - Math.floor((height - own) / 2)));
  return rows.slice(top, top + height);
}

/** What stands in a row after its mark. `of`: a column, by its name or for a card. */
function cells(
  [status, project, task]: readonly [RowPart, string, RowPart],
  of: (column: Column) => RowPart[],
  { root }: WatchState,
  { width }: Viewport,
): RowPart[] {
  if (width < NARROW_COLUMNS) return [status, part(' '), task];
  const columns = COLUMNS.flatMap((column) => {
    const parts = of(column);
    const used = parts.reduce((sum, { text }) => sum + widthOf(text), 0);
    return [...parts, part(' '.repeat(Math.max(0, column.width - used)))];
  });
  const where =
    root === null && width >= WIDE_COLUMNS ? [cell(project, PROJECT_COLUMNS, 'dim'), part('  ')] : [];
  return [status, ...columns, ...where, task];
}

function headings(state: WatchState, viewport: Viewport): RowPart[] {
  const words = [cell('STATUS', STATUS_COLUMNS, 'dim'), 'PROJECT', part('TASK', 'dim')] as const;
  return [part('    '), ...cells(words, ({ name }) => [part(name, 'dim')], state, viewport)];
}

function blockOf(
  card: LoopCard,
  above: LoopCard | undefined,
  state: WatchState,
  viewport: Viewport,
): string[] {
  const isChosen = card.id === state.chosen;
  // A thin line above the loops that have ended.
  const gap = card.group === 'ended' && above !== undefined && above.group !== 'ended' ? [''] : [];
  const bar = isChosen ? part('▌ ', 'cyan') : part('  ');
  const now = card.hasEnded ? null : sayNow(card);
  const second = card.hasEnded ? [] : [rowOf([bar, part('  '), ...(now === null ? [] : [now])], viewport)];
  return [
    ...gap,
    rowOf([bar, toneMark(card), part(' '), ...cardCells(card, isChosen, state, viewport)], viewport),
    ...second,
  ];
}

function cardCells(card: LoopCard, isChosen: boolean, state: WatchState, viewport: Viewport): RowPart[] {
  const task = part(labelForScreen(card.task) || card.id, isChosen ? 'bold' : card.hasEnded ? 'dim' : null);
  const words = [
    cell(card.status, STATUS_COLUMNS, toneBrush(card)),
    endOfPath(card.fleet ?? card.project),
    task,
  ] as const;
  return cells(words, ({ of }) => of(card), state, viewport);
}

function sayIteration({ iteration, iterations }: LoopCard): string {
  return iterations === null ? String(iteration) : `${iteration}/${iterations}`;
}

function shortCost(card: LoopCard): string {
  return isCostKnown(card) ? sayCost(card).replace('about ', '~') : '';
}

/** The end of a path says more than its beginning. */
export function endOfPath(path: string, most = PROJECT_COLUMNS): string {
  const text = labelForScreen(path);
  if (widthOf(text) <= most) return text;
  const parts = text.split('/');
  while (parts.length > 1 && widthOf(`…/${parts.join('/')}`) > most) parts.shift();
  return `…/${parts.join('/')}`;
}

function emptyRows({ cards, root, isFleet, find }: WatchState, viewport: Viewport): string[] {
  const lines =
    cards === null
      ? ['reading the loops …']
      : find !== ''
        ? [`no loop matches "${labelForScreen(find)}"`, 'Esc shows all again']
        : isFleet
          ? ['no loops yet', 'dacapo fleet submit "PROMPT" --repo URL --ref REF gives the fleet one']
          : root === null
            ? ['no loops yet', 'dacapo start "PROMPT" begins one']
            : ['no loops in this project yet', 'dacapo start "PROMPT" begins one; A shows all projects'];
  return ['', ...lines.map((line, at) => rowOf([part(`  ${line}`, at === 0 ? null : 'dim')], viewport))];
}

/* More about the chosen loop, below the list, where the screen is high enough. */

export const MIN_ROWS_FOR_PREVIEW = 40;
export const PREVIEW_ROWS = 15;

const LABEL_COLUMNS = 9;
const WORD_LINES = 3;
const MAX_GATES_SHOWN = 4;
const MAX_TEXT_COLUMNS = 120;

export function previewRows(card: LoopCard, viewport: Viewport): string[] {
  const room = Math.min(viewport.width - LABEL_COLUMNS - 6, MAX_TEXT_COLUMNS);
  const named = (name: string, text: string, most = 1): string[] =>
    wrapLine(terminalText(labelForScreen(text), viewport), room)
      .slice(0, most)
      .map((line, at) => fact(at === 0 ? name : '', [part(line)], viewport));
  const now = new Date(viewport.now).toISOString();
  const { gates, lastWords, model, driver } = card;
  return filled(
    [
      rowOf([part(terminalText('─', viewport).repeat(viewport.width), 'dim')], viewport),
      rowOf([part('  '), part(card.id, 'bold'), part('  '), part(card.says, toneBrush(card))], viewport),
      ...named('task', card.task, 2),
      ...card.requests
        .slice(0, 1)
        .flatMap(({ what, why }) => named('asks', why === '' ? what : `${what} (${why})`, 2)),
      ...named('used', cardFacts(card).join(' · ')),
      ...gates.slice(0, MAX_GATES_SHOWN).map((gate, at) => {
        const seen = gate.seen === null ? [] : [part(`  ${labelForScreen(gate.seen)}`, 'dim')];
        return fact(
          at === 0 ? 'gates' : '',
          [gateMark(gate), part(` ${labelForScreen(gate.label)}`), ...seen],
          viewport,
        );
      }),
      ...(lastWords === null ? [] : named('said', `“${lastWords}”`, WORD_LINES)),
      ...named(
        'where',
        `${card.project}, ${card.fleet ?? `by ${driver === 'fresh' ? 'dacapo run' : 'a session'}`} ` +
          `of ${card.host}${model === null ? '' : ` with ${model}`}`,
      ),
      ...named('when', `started ${ago(card.startedAt, now)}, last event ${ago(card.updatedAt, now)}`),
      ...named('next', card.next, 2),
    ],
    PREVIEW_ROWS,
  );
}

function fact(name: string, parts: readonly RowPart[], viewport: Viewport): string {
  return rowOf([part('  '), cell(name, LABEL_COLUMNS, 'dim'), ...parts], viewport);
}
