/** The report as Markdown. Text from outside stands in fences and code spans that it can't close. */
import { duration } from '#law/words/phrases.ts';
import { fenced } from '#base/words/sanitize.ts';
import { clockTime } from '../time.ts';
import { cleanLine } from '../story/clean.ts';
import { costWords } from '../story/rows.ts';
import type { LoopReport, ReportEntry } from './report-model.ts';
import { iterationWords, storyParts, reportWords } from './words.ts';

const MAX_LINE_CHARS = 600;
/** Underscores inside words mean nothing. */
const SPECIAL = /[\\`*[\]<>|#~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g;

export function reportInMarkdown(report: LoopReport): string {
  const { loop, asked, doneWhen, limits, story, madeAt } = report;
  const { title, ending, facts, missing, filesBy, files } = reportWords(report);
  const parts = [
    `# ${plain(title)}`,
    `**${loop.status}**: ${plain(ending)}`,
    ['| | |', '|---|---|', ...facts.map(([name, value]) => `| ${name} | ${plain(value)} |`)].join('\n'),
    '## What was asked',
    fenced(asked),
    `Done when ${plain(doneWhen)}.`,
    `Limits: ${plain(limits)}.`,
    '## What was done',
    ...(story.length === 0 ? ['Nothing yet.'] : storyParts(report, entryPart, (words) => `*${words}*`)),
    ...(missing.length === 0 ? [] : ['## Still missing', bullets(missing)]),
    '## Files changed',
    filesBy,
    bullets(files),
    '---',
    `Loop ${plain(loop.id)}, reported by Da Capo at ${clockTime(madeAt)}.`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function entryPart(entry: ReportEntry): string {
  if (entry.is === 'moment') return `*${clockTime(entry.at)}* **${entry.type}**: ${plain(entry.says)}`;
  const { stoppedAt, ms, said, word } = entry;
  const { heading, claim, rows, notes } = iterationWords(entry);
  const [why = '', ...others] = notes;
  return [
    `### ${plain(heading)}`,
    `${clockTime(stoppedAt)}, after ${[duration(ms), ...costWords(entry)].join(', ')}. ${claim}`,
    said === null ? '' : `> ${plain(said)}`,
    bullets(
      rows.map(({ mark, words, check }) =>
        check?.evidence ? `${mark} ${words}, evidence \`${check.evidence}\`` : `${mark} ${words}`,
      ),
    ),
    ...rows.map(({ check }) => (check?.is !== 'passed' && check?.output ? fenced(check.output) : '')),
    `**${word}**${why === '' ? '' : `: ${plain(why)}`}`,
    ...others.map(plain),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${plain(line)}`).join('\n');
}

/**
 * One line whose characters mean nothing in Markdown or HTML. What stands between backticks stays a code
 * span.
 */
function plain(text: string): string {
  return cleanLine(text, MAX_LINE_CHARS)
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? code(part) : part.replace(SPECIAL, (character) => `\\${character}`)))
    .join('');
}

/** A code span with more backticks around it than in it. */
function code(text: string): string {
  const line = cleanLine(text, MAX_LINE_CHARS).replaceAll('|', '\\|');
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = '`'.repeat(longest + 1);
  const air = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${air}${line}${air}${ticks}`;
}
