/** The story of a loop and its journal as lines of the terminal. */
import type { StoryCheck, StoryEntry, StoryIteration, StoryMoment } from '../../live/story.ts';
import type { EntryMark } from '../entry.ts';
import { labelForScreen, lineForScreen } from '../clean-text.ts';
import {
  eventBrush,
  marked,
  painted,
  roomOf,
  row,
  terminalText,
  type Brush,
  type Viewport,
} from '../lines.ts';
import { sayUsd } from '../../core/words/figures.ts';
import { clock, took } from '../phrases.ts';
import { wrap } from '../width.ts';
import { part, rowOf } from './row.ts';
import type { JournalLine, ProofText } from './state.ts';

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
  const { iteration, stop, item, beganAt, stoppedAt, used, verdict, said, checks, sights, commit } = entry;
  const title = iteration === null ? `stop ${stop}` : `iteration ${iteration}`;
  const facts = [
    clock(Date.parse(stoppedAt) - Date.parse(beganAt)),
    ...(used === null || used.costUsd === 0 ? [] : [sayUsd(used.costUsd)]),
    timeOf(stoppedAt, viewport),
  ];
  const [mark, brush] = verdictMark(entry);
  const heading = rowOf(
    [
      part('  '),
      part(item === null ? title : `${title} · ${labelForScreen(item)}`, 'bold'),
      part('  '),
      part(sayVerdict(entry), brush),
    ],
    { ...viewport, width: viewport.width - 2 },
    [part(facts.join(' · '), 'dim')],
  );
  const words = said === null ? [] : marked(null, `“${labelForScreen(said)}”`, viewport, 'dim');
  const tests = [
    ...checks.flatMap((check) => checkLines(check, viewport)),
    ...sights.flatMap(({ holds, says }) =>
      marked(holds ? 'ok' : 'failed', labelForScreen(says), viewport, null),
    ),
  ];
  const reasons = (verdict?.reasons ?? [])
    .filter((reason) => checks.length === 0 || !reason.startsWith('check '))
    .flatMap((reason) => marked('open', labelForScreen(reason), viewport, 'dim'));
  const why =
    verdict === null || verdict.is === 'continue'
      ? []
      : marked(
          mark,
          `${labelForScreen(verdict.says)} (rule ${verdict.rule.number}: ${verdict.rule.name})`,
          viewport,
          null,
        );
  const kept =
    commit === null
      ? []
      : [
          row(
            'open',
            `${commit.onBranch ? 'committed' : 'kept'} as ${commit.id.slice(0, 12)}`,
            viewport,
            'dim',
          ),
        ];
  return [heading, ...words, ...tests, ...reasons, ...why, ...kept];
}

function checkLines(
  { command, name, is, says, ms, tail, evidence }: StoryCheck,
  viewport: Viewport,
): string[] {
  const label = `${name === null ? '' : `${name} `}${command} ${says}`;
  const head = row(is === 'passed' ? 'ok' : 'failed', labelForScreen(label), viewport, null, took(ms));
  if (is === 'passed' || tail === '') return [head];
  const lines = tail
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 3);
  const where = evidence === null ? [] : [`… ${evidence}`];
  return [
    head,
    ...[...lines, ...where].map(
      (line) => `  ${row(null, labelForScreen(line), { ...viewport, width: viewport.width - 2 }, 'dim')}`,
    ),
  ];
}

function sayVerdict({ verdict, claim }: StoryIteration): string {
  if (verdict === null) return 'being judged';
  if (verdict.isVoid) return `${verdict.is}, void`;
  if (verdict.is !== 'continue') return verdict.is;
  return claim === 'done' ? 'claim refused' : 'continue';
}

function verdictMark({ verdict, claim }: StoryIteration): [EntryMark, Brush] {
  switch (verdict?.is) {
    case 'complete':
      return ['ok', 'green'];
    case 'escalate':
      return ['warning', 'yellow'];
    case 'exhaust':
      return ['failed', 'red'];
    case 'continue':
      return ['open', claim === 'done' ? 'yellow' : 'dim'];
    case 'allow':
    case undefined:
      return ['open', 'dim'];
  }
}

const MOMENT_MARKS: Readonly<Record<StoryMoment['tone'], EntryMark>> = {
  plain: 'open',
  person: 'open',
  good: 'ok',
  warning: 'warning',
  bad: 'failed',
};

function momentLines({ at, type, says, tone }: StoryMoment, viewport: Viewport): string[] {
  return marked(
    MOMENT_MARKS[tone],
    `${timeOf(at, viewport)}  ${type}: ${labelForScreen(says)}`,
    viewport,
    tone === 'plain' ? 'dim' : null,
  );
}

const TYPE = 11;

export function journalLines(lines: readonly JournalLine[], viewport: Viewport): string[] {
  const times = lines.map(({ at }) => timeOf(at, viewport));
  const column = Math.max(0, ...times.map((time) => time.length));
  const indent = ' '.repeat(2 + column + 2 + TYPE + 2);
  const room = Math.max(20, roomOf(viewport, 0) - indent.length);
  return lines.flatMap(({ type, says }, n) =>
    wrap(terminalText(labelForScreen(says), viewport), room).map((line, row) => {
      if (row > 0) return `${indent}${line}`;
      const time = painted((times[n] ?? '').padEnd(column), 'dim', viewport);
      return `  ${time}  ${painted(type.padEnd(TYPE), eventBrush(type), viewport)}  ${line}`;
    }),
  );
}

/** All of what the checks printed, line by line. */
export function proofLines(proofs: readonly ProofText[], viewport: Viewport): string[] {
  return proofs.flatMap(({ stop, check, output }, at) => {
    const { command, name, is, says, ms, evidence } = check;
    const label = `${name === null ? '' : `${name} `}${command} ${says}`;
    const where = [`stop ${stop}`, took(ms), ...(evidence === null ? [] : [evidence])].join(' · ');
    return [
      ...(at === 0 ? [] : ['']),
      ...marked(is === 'passed' ? 'ok' : 'failed', labelForScreen(label), viewport, 'bold'),
      row(null, where, viewport, 'dim'),
      ...output.split('\n').map((line) => rowOf([part(`  ${lineForScreen(line)}`)], viewport)),
    ];
  });
}

/** The local time, with the day unless it is today. */
function timeOf(at: string, { now }: Viewport): string {
  const [date, today] = [new Date(at), new Date(now)];
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return date.toDateString() === today.toDateString()
    ? `${minutes}:${two(date.getSeconds())}`
    : `${two(date.getMonth() + 1)}-${two(date.getDate())} ${minutes}`;
}
