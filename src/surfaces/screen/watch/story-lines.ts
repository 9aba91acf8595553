/** The story of a loop and its journal as lines of the terminal. */
import type { StoryCheck, StoryEntry, StoryIteration, StoryMoment } from '#telling/story/story.ts';
import { commitWords, costWords, rowsOf } from '#telling/story/rows.ts';
import { labelForScreen, lineForScreen } from '../terminal/clean-text.ts';
import {
  marked,
  painted,
  roomOf,
  row,
  terminalText,
  TONE_BRUSHES,
  type Brush,
  type Viewport,
  part,
  rowOf,
} from '../terminal/lines.ts';
import type { EventTone, ToldEvent } from '#telling/event.ts';
import { clockTime } from '#telling/time.ts';
import { clock, took } from '../phrases.ts';
import type { EntryMark } from '../entry.ts';
import { markOfHolding } from '../state.ts';
import { wrapLine } from '../terminal/width.ts';
import type { ProofText } from './state.ts';

export function storyLines(entries: readonly StoryEntry[], viewport: Viewport): string[] {
  return entries.flatMap((entry, at) => {
    const above = entries[at - 1];
    const air = at > 0 && (entry.is === 'iteration' || above?.is === 'iteration') ? [''] : [];
    return [
      ...air,
      ...(entry.is === 'iteration' ? iterationLines(entry, viewport) : momentLines(entry, viewport)),
    ];
  });
}

function iterationLines(entry: StoryIteration, viewport: Viewport): string[] {
  const { title, item, word, tone, ms, stoppedAt, verdict, said } = entry;
  const committed = commitWords(entry);
  const facts = [clock(ms), ...costWords(entry), timeOf(stoppedAt, viewport)];
  const heading = rowOf(
    [
      part('  '),
      part(item === null ? title : `${title} · ${labelForScreen(item)}`, 'bold'),
      part('  '),
      part(word, TONE_BRUSHES[tone] ?? 'dim'),
    ],
    { ...viewport, width: viewport.width - 2 },
    [part(facts.join(' · '), 'dim')],
  );
  const lines = (mark: EntryMark | null, text: string, brush: Brush) =>
    marked(mark, labelForScreen(text), viewport, brush);
  return [
    heading,
    ...(said === null ? [] : lines(null, `“${said}”`, 'dim')),
    ...rowsOf(entry).flatMap(({ check, holds, words }) =>
      check === null
        ? lines(markOfHolding(holds), words, holds === null ? 'dim' : null)
        : checkLines(check, viewport),
    ),
    ...(verdict === null || verdict.is === 'continue'
      ? []
      : lines(MARKS[tone], `${verdict.says} (rule ${verdict.rule.number}: ${verdict.rule.name})`, null)),
    ...(committed === null ? [] : lines('open', committed, 'dim')),
  ];
}

function checkLines(check: StoryCheck, viewport: Viewport): string[] {
  const { is, ms, tail, evidence } = check;
  const head = row(markOfHolding(check.holds), checkLabel(check), viewport, null, took(ms));
  if (is === 'passed' || tail === '') return [head];
  const lines = tail
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 3);
  const where = evidence === null ? [] : [`… ${evidence}`];
  const narrower = { ...viewport, width: viewport.width - 2 };
  return [
    head,
    ...[...lines, ...where].map((line) => `  ${row(null, labelForScreen(line), narrower, 'dim')}`),
  ];
}

function checkLabel({ name, command, says }: StoryCheck): string {
  return labelForScreen(`${name === null ? '' : `${name} `}${command} ${says}`);
}

const MARKS: Readonly<Record<EventTone, EntryMark>> = {
  plain: 'open',
  person: 'open',
  good: 'ok',
  warning: 'warning',
  bad: 'failed',
};

function momentLines({ at, type, says, tone }: StoryMoment, viewport: Viewport): string[] {
  const words = `${timeOf(at, viewport)}  ${type}: ${labelForScreen(says)}`;
  return marked(MARKS[tone], words, viewport, tone === 'plain' ? 'dim' : null);
}

const TYPE_COLUMNS = 11;

export function journalLines(lines: readonly ToldEvent[], viewport: Viewport): string[] {
  const times = lines.map(({ at }) => timeOf(at, viewport));
  const column = Math.max(0, ...times.map((time) => time.length));
  const indent = ' '.repeat(2 + column + 2 + TYPE_COLUMNS + 2);
  const room = Math.max(20, roomOf(viewport, 0) - indent.length);
  return lines.flatMap(({ type, tone, says }, n) =>
    wrapLine(terminalText(labelForScreen(says), viewport), room).map((line, row) => {
      if (row > 0) return `${indent}${line}`;
      const time = painted((times[n] ?? '').padEnd(column), 'dim', viewport);
      return `  ${time}  ${painted(type.padEnd(TYPE_COLUMNS), TONE_BRUSHES[tone], viewport)}  ${line}`;
    }),
  );
}

export function proofLines(proofs: readonly ProofText[], viewport: Viewport): string[] {
  return proofs.flatMap(({ stop, check, output }, at) => {
    const { ms, evidence } = check;
    const where = [`stop ${stop}`, took(ms), ...(evidence === null ? [] : [evidence])].join(' · ');
    return [
      ...(at === 0 ? [] : ['']),
      ...marked(markOfHolding(check.holds), checkLabel(check), viewport, 'bold'),
      row(null, where, viewport, 'dim'),
      ...output.split('\n').map((line) => rowOf([part(`  ${lineForScreen(line)}`)], viewport)),
    ];
  });
}

/** The local time to the second, or with the day if that is not today. */
function timeOf(at: string, { now }: Viewport): string {
  const [day, time] = clockTime(at).split(' ');
  const isToday = clockTime(new Date(now).toISOString()).startsWith(day ?? '');
  return isToday ? (time ?? '') : clockTime(at).slice(5, 16);
}
