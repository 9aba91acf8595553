/**
 * `dacapo watch` as rows of the terminal: a head, the list or one loop, a line for notices, and the keys.
 * Pure.
 */
import type { CardRequest, LoopCard } from '#telling/story/card.ts';
import { labelForScreen } from '../terminal/clean-text.ts';
import { lineParts } from '../terminal/edit-line.ts';
import { terminalText, type Viewport, filled, part, rowOf, type RowPart, cell } from '../terminal/lines.ts';
import { paintMark } from '../terminal/style.ts';
import { widthOf, wrapLine } from '../terminal/width.ts';
import { listRows, MIN_ROWS_FOR_PREVIEW, PREVIEW_ROWS, previewRows, endOfPath } from './list.ts';
import { layoutOf, loopRows } from './loop.ts';
import { currentCard, listed, type Asking, type TextAbout, type WatchState } from './state.ts';

const HEAD_ROWS = 2;
const QUESTION_LINES = 4;

/** Exactly `height` rows, none wider than the terminal. */
export function watchView(state: WatchState, viewport: Viewport): string[] {
  const foot = footRows(state, viewport);
  const height = bodyHeight(state, viewport);
  const card = currentCard(state);
  const body =
    state.asking?.is === 'help'
      ? helpRows(viewport)
      : state.open !== null && card !== null
        ? loopRows(state.open, card, height, viewport)
        : listAndPreview(state, height, viewport);
  return filled([headRow(state, viewport), '', ...filled(body, height), ...foot], viewport.height);
}

function listAndPreview(state: WatchState, height: number, viewport: Viewport): string[] {
  const card = currentCard(state);
  if (card === null || !hasPreview(viewport)) return listRows(state, height, viewport);
  return [...listRows(state, height - PREVIEW_ROWS, viewport), ...previewRows(card, viewport)];
}

function hasPreview({ height }: Viewport): boolean {
  return height >= MIN_ROWS_FOR_PREVIEW;
}

export function pageHeight(state: WatchState, viewport: Viewport): number {
  const height = bodyHeight(state, viewport);
  const card = currentCard(state);
  if (state.open === null || card === null)
    return Math.max(1, height - 1 - (hasPreview(viewport) ? PREVIEW_ROWS : 0));
  return layoutOf(state.open, card, height, viewport).room;
}

/** A reader who has scrolled up stays on the same lines when new ones are added below. */
export function keptPlace(before: WatchState, after: WatchState, viewport: Viewport): WatchState {
  const [open, card] = [after.open, currentCard(after)];
  if (open === null || card === null || open.up === 0) return after;
  const height = bodyHeight(after, viewport);
  const { lines, room } = layoutOf(open, card, height, viewport);
  const isSame = before.open?.id === open.id && before.open.tab === open.tab && before.open.up === open.up;
  const earlier =
    isSame && before.open !== null ? layoutOf(before.open, card, height, viewport).lines : lines;
  const added = lines.length - earlier.length;
  const isGrown = added > 0 && before.open?.depth === open.depth;
  const up = Math.min(open.up + (isGrown ? added : 0), Math.max(0, lines.length - room));
  return { ...after, open: { ...open, up } };
}

function bodyHeight(state: WatchState, viewport: Viewport): number {
  return Math.max(1, viewport.height - HEAD_ROWS - footRows(state, viewport).length);
}

function headRow(state: WatchState, viewport: Viewport): string {
  const clockNow = new Date(viewport.now).toTimeString().slice(0, 8);
  const { open, isFleet, root } = state;
  const all = isFleet ? 'the fleet' : 'all projects';
  const scope = root === null ? all : endOfPath(root, Math.floor(viewport.width / 4));
  const where = part(open === null ? scope : labelForScreen(open.id));
  const counts = open === null ? sayCounts(state) : [];
  return rowOf([part(' Da Capo', 'bold'), part('  '), where, part('  '), ...counts], viewport, [
    part(`${clockNow} `, 'dim'),
  ]);
}

function sayCounts(state: WatchState): RowPart[] {
  const cards = listed(state);
  const count = (of: LoopCard['group']) => cards.filter(({ group }) => group === of).length;
  const asking = count('needs-you');
  const all: [number, string, RowPart['brush']][] = [
    [count('working'), 'at work', 'cyan'],
    [asking, asking === 1 ? 'needs you' : 'need you', 'yellow'],
    [count('resting'), 'at rest', 'dim'],
    [count('ended'), 'ended', 'dim'],
    [state.unread, 'unreadable', 'red'],
  ];
  return all
    .filter(([count]) => count > 0)
    .flatMap(([count, words, brush], at): RowPart[] => [
      ...(at === 0 ? [] : [part(' · ', 'dim')]),
      part(`${count} ${words}`, brush),
    ]);
}

function footRows(state: WatchState, viewport: Viewport): string[] {
  const { asking } = state;
  if (asking?.is === 'confirm') return confirmRows(asking, viewport);
  if (asking?.is === 'text') return textRows(asking, viewport);
  if (asking?.is === 'help') return [''];
  return [noticeRow(state, viewport), keyRow(state, viewport)];
}

function noticeRow({ notice }: WatchState, viewport: Viewport): string {
  if (notice === null) return '';
  const mark = paintMark(notice.mark, viewport.style);
  return ` ${mark} ${rowOf([part(labelForScreen(notice.text))], { ...viewport, width: viewport.width - 3 })}`;
}

type KeyHint = readonly [key: string, does: string];

const IN_LIST: readonly KeyHint[] = [
  ['↑↓', 'choose'],
  ['Enter', 'open'],
];
const IN_LOOP: readonly KeyHint[] = [
  ['Esc', 'back'],
  ['Tab', 'next tab'],
  ['↑↓', 'scroll'],
];
const ANSWERS: Readonly<Record<CardRequest['kind'], string>> = {
  approval: 'approve',
  question: 'answer',
  completion: 'confirm',
  acceptance: 'confirm',
};
const RESUME: KeyHint = ['r', 'resume'];
const STILL: readonly string[] = ['paused', 'interrupted'];

function steersOf(card: LoopCard | null): readonly KeyHint[] {
  if (card === null || card.status === 'completed') return [];
  if (card.hasEnded) return [RESUME];
  return [['s', 'steer'], STILL.includes(card.status) ? RESUME : ['p', 'pause'], ['c', 'cancel']];
}

const ALWAYS: readonly KeyHint[] = [
  ['?', 'help'],
  ['q', 'quit'],
];

function keyRow(state: WatchState, viewport: Viewport): string {
  const card = currentCard(state);
  const request = card?.requests[0];
  const widthIn = (hints: readonly KeyHint[]) =>
    hints.reduce((sum, [key, does]) => sum + widthOf(terminalText(`${key} ${does}  `, viewport)), 0);
  const wanted = [
    ...(request === undefined
      ? []
      : ([
          ['a', ANSWERS[request.kind]],
          ['x', 'reject'],
        ] as const)),
    ...(state.open === null ? IN_LIST : IN_LOOP),
    ...steersOf(card),
  ];
  const kept: KeyHint[] = [];
  const room = viewport.width - 1 - widthIn(ALWAYS);
  for (const hint of wanted) if (widthIn([...kept, hint]) <= room) kept.push(hint);
  const parts = [...kept, ...ALWAYS].flatMap(([key, does]) => [part(key, 'bold'), part(` ${does}  `, 'dim')]);
  return rowOf([part(' '), ...parts], viewport);
}

function confirmRows({ words }: Extract<Asking, { is: 'confirm' }>, viewport: Viewport): string[] {
  const keys = [part(' '), part('y', 'bold'), part(' yes   ', 'dim'), part('any other key', 'bold')];
  return [...questionRows(words, QUESTION_LINES, viewport), rowOf([...keys, part(' no', 'dim')], viewport)];
}

function questionRows(words: string, most: number, viewport: Viewport): string[] {
  return wrapLine(terminalText(labelForScreen(words), viewport), viewport.width - 4)
    .slice(0, most)
    .map((line) => rowOf([part(` ${line}`, 'yellow')], viewport));
}

const PROMPTS_FOR_TEXT: Readonly<Record<TextAbout['is'], string>> = {
  steer: 'message for the agent, for its next iteration',
  answer: 'your answer',
  reject: 'reject, with an optional message for the agent',
  find: 'find',
};

function textRows({ about, text, cursor }: Extract<Asking, { is: 'text' }>, viewport: Viewport): string[] {
  const asked = 'request' in about ? questionRows(about.request.what, QUESTION_LINES - 1, viewport) : [];
  return [
    ...asked,
    rowOf([part(` ${PROMPTS_FOR_TEXT[about.is]}`, 'dim')], viewport, [
      part('Enter sends, Esc leaves ', 'dim'),
    ]),
    rowOf(lineParts({ text, cursor }, viewport.width - 6), viewport),
  ];
}

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['↑ ↓  j k', 'choose a loop, or scroll'],
  ['PgUp PgDn', 'move by a page; Home and End jump to either end'],
  ['Enter', 'open the loop'],
  ['Tab  1 … 4', 'its story, its journal, its agent at work, its last proof'],
  ['Esc', 'back to the list'],
  ['/', 'find loops by task, id, status or project'],
  ['A', 'all projects, or this one'],
  ['', ''],
  ['a', 'approve what the loop asks for, or answer its question'],
  ['x', 'reject it, with an optional message for the agent'],
  ['s', 'steer: send the agent a message for its next iteration'],
  ['p  r', 'pause, resume'],
  ['c', 'cancel; you are asked first'],
  ['', ''],
  ['?', 'this help'],
  ['q', 'quit; the loops continue'],
];

function helpRows(viewport: Viewport): string[] {
  return [
    '',
    ...KEYS.map(([keys, does]) => rowOf([part('   '), cell(keys, 12, 'cyan'), part(does)], viewport)),
    '',
    rowOf([part('   any key closes this', 'dim')], viewport),
  ];
}
