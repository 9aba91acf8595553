/** The list of loops: two rows for a loop that has not ended, one for any other. */
import type { LoopCard } from '../../live/card.ts';
import { labelForScreen } from '../clean-text.ts';
import type { Viewport } from '../lines.ts';
import { widthOf } from '../width.ts';
import { gateCounts, sayCost, sayIteration, sayNow, sayWorked, toneBrush, toneMark } from './card-words.ts';
import { cell, filled, part, rowOf, type Part } from './row.ts';
import { listed, type WatchState } from './state.ts';

const STATUS = 11;
const ITERATION = 7;
const GATES = 9;
const COST = 8;
const TIME = 8;
const PROJECT = 24;
/** Narrower than this, only the status and the task are shown. */
const NARROW = 64;
const WIDE = 120;

/** `height`: how many rows there are for it. */
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

/** The blocks around the chosen one: it stays in sight, in the middle where it can. */
function windowOf(blocks: readonly (readonly string[])[], chosen: number, height: number): string[] {
  const rows = blocks.flat();
  const before = blocks.slice(0, chosen).flat().length;
  const own = blocks[chosen]?.length ?? 1;
  const top = Math.max(0, Math.min(rows.length - height, before - Math.floor((height - own) / 2)));
  return rows.slice(top, top + height);
}

function headings({ root }: WatchState, { width }: Viewport): Part[] {
  if (width < NARROW) return [part('  STATUS       TASK', 'dim')];
  const project = root === null && width >= WIDE ? [cell('PROJECT', PROJECT, 'dim'), part('  ')] : [];
  return [
    part('    '),
    cell('STATUS', STATUS, 'dim'),
    cell('ITER', ITERATION, 'dim', 'right'),
    part('  '),
    cell('GATES', GATES, 'dim'),
    cell('COST', COST, 'dim', 'right'),
    cell('TIME', TIME, 'dim', 'right'),
    part('  '),
    ...project,
    part('TASK', 'dim'),
  ];
}

function blockOf(
  card: LoopCard,
  above: LoopCard | undefined,
  state: WatchState,
  viewport: Viewport,
): string[] {
  const isChosen = card.id === state.chosen;
  // A thin line between the loops that go on and those that have ended.
  const gap = card.hasEnded && above?.hasEnded === false ? [''] : [];
  const bar = isChosen ? part('▌ ', 'cyan') : part('  ');
  const now = card.hasEnded ? null : sayNow(card);
  const second = card.hasEnded ? [] : [rowOf([bar, part('  '), ...(now === null ? [] : [now])], viewport)];
  return [
    ...gap,
    rowOf([bar, toneMark(card), part(' '), ...cells(card, isChosen, state, viewport)], viewport),
    ...second,
  ];
}

function cells(card: LoopCard, isChosen: boolean, { root }: WatchState, { width }: Viewport): Part[] {
  const task = part(labelForScreen(card.task) || card.id, isChosen ? 'bold' : card.hasEnded ? 'dim' : null);
  const status = cell(card.status, STATUS, toneBrush(card));
  if (width < NARROW) return [status, part(' '), task];
  const project =
    root === null && width >= WIDE ? [cell(shortPath(card.project), PROJECT, 'dim'), part('  ')] : [];
  return [
    status,
    cell(sayIteration(card), ITERATION, null, 'right'),
    part('  '),
    ...gateCell(card),
    cell(sayCost(card), COST, null, 'right'),
    cell(sayWorked(card), TIME, 'dim', 'right'),
    part('  '),
    ...project,
    task,
  ];
}

function gateCell({ gates }: LoopCard): Part[] {
  const counts = gateCounts(gates).flatMap((one, at) => (at === 0 ? [one] : [part(' '), one]));
  const used = counts.reduce((sum, { text }) => sum + widthOf(text), 0);
  return [...counts, part(' '.repeat(Math.max(1, GATES - used)))];
}

/** The end of a path says more than its beginning. */
export function shortPath(path: string, most = PROJECT): string {
  const text = labelForScreen(path);
  if (widthOf(text) <= most) return text;
  const parts = text.split('/');
  while (parts.length > 1 && widthOf(`…/${parts.join('/')}`) > most) parts.shift();
  return `…/${parts.join('/')}`;
}

function emptyRows({ cards, root, find }: WatchState, viewport: Viewport): string[] {
  const lines =
    cards === null
      ? ['reading the loops …']
      : find !== ''
        ? [`no loop matches "${labelForScreen(find)}"`, 'Esc shows all again']
        : root === null
          ? ['no loops yet', 'dacapo start "PROMPT" begins one']
          : ['no loops in this project yet', 'dacapo start "PROMPT" begins one; A shows all projects'];
  return ['', ...lines.map((line, at) => rowOf([part(`  ${line}`, at === 0 ? null : 'dim')], viewport))];
}
