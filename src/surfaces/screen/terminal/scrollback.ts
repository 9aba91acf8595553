/** Entries as the lines that stay in the terminal's scrollback. */
import type { StatusWord } from '#law/loop.ts';
import { duration, plural } from '#law/words/phrases.ts';
import type { Closing, ScrollbackEntry } from '../entry.ts';
import { marked, printed, row, spoken, workRow, type Viewport } from './lines.ts';
import { sayCount } from '#law/words/figures.ts';

const REASON_LINES = 6;
const OPEN_LINES = 10;
/** Lines that stay free below an ending, for a shell prompt of two lines. */
const ROWS_BELOW = 3;

export function entryLines({ entry, air }: ScrollbackEntry, viewport: Viewport): string[] {
  const lines = linesOfEntry(entry, viewport);
  return air ? ['', ...lines] : lines;
}

function linesOfEntry(entry: ScrollbackEntry['entry'], viewport: Viewport): string[] {
  switch (entry.kind) {
    case 'heading':
      return marked(null, entry.parts.join(' · '), viewport, 'bold');
    case 'begins':
      return flush(spoken(entry.text, viewport));
    case 'says':
      return spoken(entry.text, viewport);
    case 'work':
    case 'check':
      return [workRow(entry.mark, entry, entry.aside, viewport), ...printed(entry.output, viewport)];
    case 'judged':
      return [
        ...marked(entry.mark, entry.text, viewport, 'bold'),
        ...entry.lines.flatMap(({ mark, text }) => marked(mark, text, viewport, null)),
      ];
    case 'note':
      return marked(entry.mark, entry.text, viewport, entry.mark === 'open' ? 'dim' : null);
    case 'ending':
      return endingLines(entry.closing, viewport);
  }
}

/** Without the margin in its first line, like the lines of the command before and after the run. */
function flush([first = '', ...others]: readonly string[]): string[] {
  return [first.trimStart(), ...others];
}

/** It fits the window, so that its first line, the reason, stays visible. */
function endingLines(closing: Closing, viewport: Viewport): string[] {
  const { status, reason, open, next } = closing;
  const unlucky = FAILED.includes(status) ? 'failed' : 'warning';
  const mark = status === 'completed' ? 'ok' : unlucky;
  const why = marked(mark, reason || status, viewport, 'bold').slice(0, REASON_LINES);
  const totals = marked(null, sayTotals(closing), viewport, 'dim');
  const advice = next === null ? [] : marked(null, `next: ${next}`, viewport, null);
  const room = viewport.height - ROWS_BELOW - 1 - why.length - totals.length - advice.length;
  return [...why, ...totals, ...openLines(open, Math.min(room, OPEN_LINES), viewport), ...advice];
}

export function sayTotals({ iterations, workedMs, cost, tokens }: Closing): string {
  return [
    plural(iterations, 'iteration'),
    duration(workedMs),
    ...(cost === null ? [] : [cost]),
    ...(tokens === 0 ? [] : [`${sayCount(tokens)} tokens`]),
  ].join(' · ');
}

const BELOW_HEADING = '  ';

function openLines(open: readonly string[], room: number, viewport: Viewport): string[] {
  const lines: string[] = open.length === 0 ? [] : [row(null, 'still open:', viewport, 'dim')];
  const inner = { ...viewport, width: viewport.width - BELOW_HEADING.length };
  for (const [n, text] of open.entries()) {
    const item = marked('failed', text, inner, null).map((line) => `${BELOW_HEADING}${line}`);
    const isLast = n === open.length - 1;
    if (lines.length + item.length + (isLast ? 0 : 1) > room) {
      const left = open.length - n;
      return n === 0
        ? [row('failed', `${left} still open`, viewport, null)]
        : [...lines, `${BELOW_HEADING}${row('failed', `and ${left} more`, inner, null)}`];
    }
    lines.push(...item);
  }
  return lines;
}

const FAILED: readonly StatusWord[] = ['exhausted', 'stuck', 'escalated', 'aborted'];
