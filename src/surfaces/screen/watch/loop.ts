/** One loop: what it is about, how it stands, and a window on its story, its journal or its agent. */
import type { LoopCard } from '#telling/story/card.ts';
import { labelForScreen } from '../terminal/clean-text.ts';
import { terminalText, type Viewport, filled, part, rowOf, type RowPart } from '../terminal/lines.ts';
import { entryLines } from '../terminal/scrollback.ts';
import { widthOf, wrapLine } from '../terminal/width.ts';
import { cardFacts, gateMark, REQUEST_QUESTIONS, toneBrush, toneMark } from './card-words.ts';
import { TABS, type OpenedLoop } from './state.ts';
import { journalLines, proofLines, storyLines } from './story-lines.ts';

const REQUEST_LINES = 3;
const TASK_LINES = 2;
const GATE_ROWS = 3;
const INDENT = '   ';
/** With fewer rows for the window, the head gets shorter. */
const MIN_WINDOW_ROWS = 6;

export function loopRows(open: OpenedLoop, card: LoopCard, height: number, viewport: Viewport): string[] {
  const { head, lines, room } = layoutOf(open, card, height, viewport);
  const below = Math.min(open.up, Math.max(0, lines.length - room));
  const end = lines.length - below;
  const top = Math.max(0, end - room);
  const shown = filled(lines.slice(top, end), room);
  return [...head, tabRow(open, top, below, viewport), ...shown].slice(0, height);
}

/** `lines`: all that there is to read. `room`: how many of them the window shows. */
export function layoutOf(open: OpenedLoop, card: LoopCard, height: number, viewport: Viewport) {
  const full = headRows(card, viewport, true);
  const isLow = height - full.length - 1 < MIN_WINDOW_ROWS;
  const head = isLow ? headRows(card, viewport, false) : full;
  return { head, lines: tabLines(open, viewport), room: Math.max(1, height - head.length - 1) };
}

function headRows(card: LoopCard, viewport: Viewport, isFull: boolean): string[] {
  const { status, says, task, id } = card;
  const lines = (text: string, most: number) =>
    wrapLine(terminalText(labelForScreen(text), viewport), viewport.width - INDENT.length - 1).slice(
      0,
      isFull ? most : 1,
    );
  // A figure and its unit stay on one line.
  const whole = (fact: string) => fact.replaceAll(' ', '\u00A0');
  const facts = lines(`${status}  ${[card.host, ...cardFacts(card)].map(whole).join(' · ')}`, 2);
  return [
    ...lines(labelForScreen(task) || id, TASK_LINES).map((line) =>
      rowOf([part(INDENT), part(line, 'bold')], viewport),
    ),
    ...facts.map((line, at) => rowOf(factParts(card, line, at === 0), viewport)),
    ...gateRows(card, viewport),
    ...(isFull && status !== 'running' ? lines(labelForScreen(says), 2) : []).map((line) =>
      rowOf([part(INDENT), part(line, 'dim')], viewport),
    ),
    ...requestRows(card, viewport),
    '',
  ];
}

function factParts(card: LoopCard, line: string, isFirst: boolean): RowPart[] {
  if (!isFirst) return [part(INDENT), part(line, 'dim')];
  const { length } = card.status;
  return [
    part(' '),
    toneMark(card),
    part(' '),
    part(line.slice(0, length), toneBrush(card)),
    part(line.slice(length), 'dim'),
  ];
}

function gateRows({ gates }: LoopCard, viewport: Viewport): string[] {
  const rows: RowPart[][] = [];
  let room = 0;
  for (const gate of gates) {
    const label = labelForScreen(gate.label);
    const width = widthOf(terminalText(label, viewport)) + 5;
    if (width > room || rows.length === 0) {
      rows.push([part(INDENT)]);
      room = viewport.width - INDENT.length;
    }
    room -= width;
    rows.at(-1)?.push(gateMark(gate), part(` ${label}   `, gate.is === 'failing' ? null : 'dim'));
  }
  return rows.slice(0, GATE_ROWS).map((parts) => rowOf(parts, viewport));
}

function requestRows({ requests }: LoopCard, viewport: Viewport): string[] {
  const [request] = requests;
  if (request === undefined) return [];
  const more = requests.length > 1 ? ` (${requests.length - 1} more after this)` : '';
  const words = `${REQUEST_QUESTIONS[request.kind]} ${labelForScreen(request.what)}${more}`;
  const why = request.why === '' ? [] : [`why: ${labelForScreen(request.why)}`];
  const lines = wrapLine(words, viewport.width - 6).slice(0, REQUEST_LINES);
  return [
    ...lines.map((line, at) =>
      rowOf([part(at === 0 ? ' ! ' : '   ', 'yellow'), part(line, 'yellow')], viewport),
    ),
    ...why.map((line) => rowOf([part(`   ${line}`, 'dim')], viewport)),
  ];
}

function tabRow(open: OpenedLoop, above: number, below: number, viewport: Viewport): string {
  const tabs = TABS.flatMap((tab, at) => [
    part('  '),
    part(` ${at + 1} ${tab} `, tab === open.tab ? 'inverse' : 'dim'),
  ]);
  const older = open.tab === 'story' ? open.total - open.entries.length : 0;
  const place = below > 0 ? `${below} more below` : above + older > 0 ? 'at the end' : '';
  return rowOf(tabs, viewport, [part(`${place} `, 'dim')]);
}

function tabLines({ tab, entries, journal, agent, proofs }: OpenedLoop, viewport: Viewport): string[] {
  switch (tab) {
    case 'story':
      return storyLines(entries, viewport);
    case 'journal':
      return journalLines(journal, viewport);
    case 'agent':
      return agent.length === 0
        ? ['', rowOf([part('  nothing from the agent yet', 'dim')], viewport)]
        : agent.flatMap((told) => entryLines(told, viewport));
    case 'proof':
      return proofs.length === 0
        ? ['', rowOf([part('  no check has run yet', 'dim')], viewport)]
        : proofLines(proofs, viewport);
  }
}
