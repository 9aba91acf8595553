/**
 * Lines of the screen. Of a run: marks stand in a margin of two columns, and all text begins in the third.
 */
import type { EventTone } from '#telling/event.ts';
import type { EntryMark } from '../entry.ts';
import { type Folded, toAscii } from './clean-text.ts';
import { paintMark, type Style, type Paint } from './style.ts';
import { clip, widthOf, wrapLine } from './width.ts';

export interface Viewport {
  readonly now: number;
  readonly width: number;
  readonly height: number;
  readonly style: Style;
}

export function viewportOf(
  { columns, rows }: { readonly columns?: number; readonly rows?: number },
  style: Style,
  now: number,
): Viewport {
  // Some terminals do not report their size.
  return { now, width: columns || 80, height: rows || 24, style };
}

export type Brush = keyof Paint | null;

const MAX_TEXT_COLUMNS = 100;
export const MARGIN_COLUMNS = 2;
const OUTPUT_MARGIN_COLUMNS = 4;
/** Room for Read, Bash, Edit, Write, Grep and Glob, so that what follows them is aligned. */
const LABEL_COLUMNS = 5;

export const TONE_BRUSHES: Readonly<Record<EventTone, Brush>> = {
  plain: null,
  person: 'cyan',
  good: 'green',
  warning: 'yellow',
  bad: 'red',
};

/**
 * How many columns the text may take. The last column stays free: some terminals break a line that fills it.
 */
export function roomOf({ width }: Viewport, margin = MARGIN_COLUMNS): number {
  return Math.max(4, Math.min(width - 1, MAX_TEXT_COLUMNS) - margin);
}

/** `text` as this terminal can show it. Call this before you measure. */
export function terminalText(text: string, { style }: Viewport): string {
  return style.isAscii ? toAscii(text) : text;
}

/** As this terminal can show it, cut to that many columns. */
export function clipped(text: string, width: number, viewport: Viewport): string {
  return clip(terminalText(text, viewport), width, terminalText('…', viewport));
}

export function painted(text: string, brush: Brush, { style }: Viewport): string {
  return brush === null || text === '' ? text : style.paint[brush](text);
}

function margin(mark: EntryMark | null, { style }: Viewport): string {
  return mark === null ? '  ' : `${paintMark(mark, style)} `;
}

export function marked(mark: EntryMark | null, text: string, viewport: Viewport, brush: Brush): string[] {
  return wrapLine(terminalText(text, viewport), roomOf(viewport)).map(
    (line, n) => margin(n === 0 ? mark : null, viewport) + painted(line, brush, viewport),
  );
}

export function row(
  mark: EntryMark | null,
  text: string,
  viewport: Viewport,
  brush: Brush,
  aside = '',
): string {
  const beside = aside === '' ? '' : `  ${terminalText(aside, viewport)}`;
  const room = roomOf(viewport) - beside.length;
  const line = clipped(text, Math.max(1, room), viewport);
  return (
    margin(mark, viewport) +
    painted(line, brush, viewport) +
    (room < 1 ? '' : painted(beside, 'dim', viewport))
  );
}

export function workRow(
  mark: EntryMark,
  { name, summary }: { readonly name: string; readonly summary: string },
  aside: string,
  viewport: Viewport,
): string {
  if (name === '') return row(mark, summary, viewport, null, aside);
  // The name and the summary matter more than the aside.
  const beside =
    aside === '' || aside.length > roomOf(viewport) / 2 ? '' : `  ${terminalText(aside, viewport)}`;
  const room = roomOf(viewport) - beside.length;
  const label = clipped(name, room, viewport);
  const column = label + ' '.repeat(Math.max(0, LABEL_COLUMNS - widthOf(label)) + 2);
  const about = clipped(summary, Math.max(0, room - widthOf(column)), viewport);
  return margin(mark, viewport) + (about === '' ? label : column) + painted(about + beside, 'dim', viewport);
}

/** Text of the agent: wrapped, nothing cut. */
export function spoken(text: Folded, viewport: Viewport): string[] {
  const wrapped = (line: string) =>
    wrapLine(terminalText(line, viewport), roomOf(viewport)).map((part) => (part === '' ? '' : `  ${part}`));
  return unfold(text, wrapped, (more) => row(null, more, viewport, 'dim'));
}

/** Output of a tool: each line cut to the width. */
export function printed(text: Folded, viewport: Viewport): string[] {
  const cut = (line: string) => {
    const kept = clipped(line, roomOf(viewport, OUTPUT_MARGIN_COLUMNS), viewport);
    return kept === '' ? '' : ' '.repeat(OUTPUT_MARGIN_COLUMNS) + painted(kept, 'dim', viewport);
  };
  return unfold(text, (line) => [cut(line)], cut);
}

function unfold(
  { head, hidden, tail }: Folded,
  lines: (line: string) => string[],
  more: (words: string) => string,
): string[] {
  const gap = hidden > 0 ? [more(`… ${hidden} more lines`)] : [];
  return [...head.flatMap(lines), ...gap, ...tail.flatMap(lines)];
}

/* Rows of a full screen: parts with a colour each, cut to the width of the terminal. */

export interface RowPart {
  readonly text: string;
  readonly brush: Brush;
}

export function part(text: string, brush: Brush = null): RowPart {
  return { text, brush };
}

export function cell(
  text: string,
  width: number,
  brush: Brush = null,
  align: 'left' | 'right' = 'left',
): RowPart {
  const cut = clip(text, width, '…');
  const pad = ' '.repeat(Math.max(0, width - widthOf(cut)));
  return { text: align === 'left' ? cut + pad : pad + cut, brush };
}

export function rowOf(parts: readonly RowPart[], viewport: Viewport, right: readonly RowPart[] = []): string {
  const left = cutTo(parts, viewport.width, viewport);
  const used = widthIn(left);
  const aside = right.map((one) => ({ ...one, text: terminalText(one.text, viewport) }));
  const gap = viewport.width - used - widthIn(aside);
  const all = aside.length > 0 && gap >= 1 ? [...left, part(' '.repeat(gap)), ...aside] : left;
  return all.map(({ text, brush }) => painted(text, brush, viewport)).join('');
}

function cutTo(parts: readonly RowPart[], width: number, viewport: Viewport): RowPart[] {
  let room = width;
  return parts.flatMap(({ text, brush }) => {
    const kept = clipped(text, room, viewport);
    room -= widthOf(kept);
    return kept === '' ? [] : [{ text: kept, brush }];
  });
}

function widthIn(parts: readonly RowPart[]): number {
  return parts.reduce((sum, { text }) => sum + widthOf(text), 0);
}

export function filled(rows: readonly string[], height: number): string[] {
  return [...rows.slice(0, height), ...Array.from({ length: Math.max(0, height - rows.length) }, () => '')];
}
