/** Lines of the screen: marks hang in a margin of two columns, and all words begin in the third. */
import type { Mark } from './entry.ts';
import type { Folded } from './fold-output.ts';
import { toAscii } from './clean-text.ts';
import { markOf, type Style, type Paint } from './style.ts';
import { clip, widthOf, wrap } from './width.ts';

export interface Frame {
  /** In milliseconds since the epoch. */
  readonly now: number;
  readonly width: number;
  readonly height: number;
  readonly look: Style;
}

/** null: as it comes. */
export type Brush = keyof Paint | null;

/** Wider than this nobody reads with pleasure. */
const WIDEST = 100;
export const MARGIN = 2;
const OUTPUT_MARGIN = 4;
/** Room for Read, Bash, Edit, Write, Grep and Glob: what follows stands in one column. */
const NAME = 5;

/** How many columns words may take. The last column stays free: some terminals break a line that fills it. */
export function roomOf({ width }: Frame, margin = MARGIN): number {
  return Math.max(4, Math.min(width - 1, WIDEST) - margin);
}

/** `text` as this terminal can show it. To be asked for before anything is measured. */
export function shown(text: string, { look }: Frame): string {
  return look.isAscii ? toAscii(text) : text;
}

export function ellipsisOf(frame: Frame): string {
  return shown('…', frame);
}

export function painted(text: string, brush: Brush, { look }: Frame): string {
  return brush === null || text === '' ? text : look.paint[brush](text);
}

function margin(mark: Mark | null, { look }: Frame): string {
  return mark === null ? '  ' : `${markOf(mark, look)} `;
}

/** Wrapped, with the mark at the first line. */
export function marked(mark: Mark | null, text: string, frame: Frame, brush: Brush): string[] {
  return wrap(shown(text, frame), roomOf(frame)).map(
    (line, n) => margin(n === 0 ? mark : null, frame) + painted(line, brush, frame),
  );
}

/** One line, whatever it takes to cut it, with `aside` behind it. */
export function row(mark: Mark | null, text: string, frame: Frame, brush: Brush, aside = ''): string {
  const beside = aside === '' ? '' : `  ${shown(aside, frame)}`;
  const room = roomOf(frame) - beside.length;
  const line = clip(shown(text, frame), Math.max(1, room), ellipsisOf(frame));
  return margin(mark, frame) + painted(line, brush, frame) + (room < 1 ? '' : painted(beside, 'dim', frame));
}

/** A tool or a check: its name, and dim beside it what it is about. */
export function workRow(
  mark: Mark,
  { name, summary }: { readonly name: string; readonly summary: string },
  aside: string,
  frame: Frame,
): string {
  if (name === '') return row(mark, summary, frame, null, aside);
  // What it is matters more than what is said beside it.
  const beside = aside === '' || aside.length > roomOf(frame) / 2 ? '' : `  ${shown(aside, frame)}`;
  const room = roomOf(frame) - beside.length;
  const label = clip(shown(name, frame), room, ellipsisOf(frame));
  const column = label + ' '.repeat(Math.max(0, NAME - widthOf(label)) + 2);
  const about = clip(shown(summary, frame), Math.max(0, room - widthOf(column)), ellipsisOf(frame));
  return margin(mark, frame) + (about === '' ? label : column) + painted(about + beside, 'dim', frame);
}

/** Words of the agent: wrapped, nothing cut. */
export function spoken(text: Folded, frame: Frame): string[] {
  return unfold(text, (line) =>
    wrap(shown(line, frame), roomOf(frame)).map((part) => (part === '' ? '' : `  ${part}`)),
  ).map((line) => (typeof line === 'string' ? line : row(null, moreLines(line.hidden), frame, 'dim')));
}

/** What a tool printed: a line each, cut to the width. */
export function printed(text: Folded, frame: Frame): string[] {
  const indent = ' '.repeat(OUTPUT_MARGIN);
  const cut = (line: string) => {
    const kept = clip(shown(line, frame), roomOf(frame, OUTPUT_MARGIN), ellipsisOf(frame));
    return kept === '' ? '' : indent + painted(kept, 'dim', frame);
  };
  return unfold(text, (line) => [cut(line)]).map((line) =>
    typeof line === 'string' ? line : cut(moreLines(line.hidden)),
  );
}

function unfold(
  { head, hidden, tail }: Folded,
  lines: (line: string) => string[],
): (string | { readonly hidden: number })[] {
  return [...head.flatMap(lines), ...(hidden > 0 ? [{ hidden }] : []), ...tail.flatMap(lines)];
}

function moreLines(hidden: number): string {
  return `… ${hidden} more lines`;
}
