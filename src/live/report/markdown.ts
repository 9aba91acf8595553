/** The report as Markdown. Text from outside stands in fences and code spans that it can't close. */
import { duration } from '../../core/words/phrases.ts';
import { fenced } from '../../core/words/sanitize.ts';
import { clockTime } from '../../text/time.ts';
import { sayUsd } from '../../core/words/figures.ts';
import { cleanLine } from '../clean.ts';
import type { LoopReport, ReportEntry, ReportIteration } from './report.ts';
import {
  factsOf,
  headlineOf,
  reasonsOf,
  sayFilesOf,
  sayVerdictOf,
  sayClaim,
  sayEnd,
  sayFilesBy,
  sayLeftOut,
  type Fact,
} from './words.ts';

const LINE = 600;
const FILES = 500;
/** Underscores inside words mean nothing. */
const SPECIAL = /[\\`*[\]<>|#~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g;

export function reportInMarkdown(report: LoopReport): string {
  const { loop, asked, doneWhen, limits, story, missing, files, madeAt } = report;
  const parts = [
    `# ${plain(headlineOf(loop))}`,
    `**${loop.status}**: ${plain(sayEnd(loop))}`,
    factTable(factsOf(report)),
    '## What was asked',
    fenced(asked),
    `Done when ${plain(doneWhen)}.`,
    `Limits: ${plain(limits)}.`,
    '## What was done',
    ...(story.length === 0 ? ['Nothing yet.'] : storyParts(report)),
    ...(missing.length === 0 || loop.status === 'completed'
      ? []
      : ['## Still missing', missing.map((one) => `- ${plain(one)}`).join('\n')]),
    '## Files changed',
    sayFilesBy(files),
    ...fileParts(files),
    '---',
    `Loop ${plain(loop.id)}, reported by Da Capo at ${clockTime(madeAt)}.`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function factTable(facts: readonly Fact[]): string {
  return ['| | |', '|---|---|', ...facts.map(([name, value]) => `| ${name} | ${plain(value)} |`)].join('\n');
}

function storyParts({ story, leftOut }: LoopReport): string[] {
  return story.flatMap((entry, at) => {
    const gap = leftOut > 0 && at > 0 && entry.seq > (story[at - 1]?.seq ?? 0) + 1;
    return [...(gap ? [`*${sayLeftOut(leftOut)}*`] : []), entryPart(entry)];
  });
}

function entryPart(entry: ReportEntry): string {
  return entry.is === 'moment'
    ? `*${clockTime(entry.at)}* **${entry.type}**: ${plain(entry.says)}`
    : iterationPart(entry);
}

function iterationPart(entry: ReportIteration): string {
  const {
    iteration,
    stop,
    item,
    stoppedAt,
    beganAt,
    claim,
    said,
    checks,
    sights,
    hooks,
    verdict,
    used,
    commit,
  } = entry;
  const took = duration(Date.parse(stoppedAt) - Date.parse(beganAt));
  const title = iteration === null ? `Stop ${stop}` : `Iteration ${iteration}`;
  const outputs = checks.filter(({ is, output }) => is !== 'passed' && output !== '');
  return [
    `### ${title}${item === null ? '' : `: ${plain(item)}`}`,
    `${clockTime(stoppedAt)}, after ${took}${used === null ? '' : `, ${sayUsd(used.costUsd)}`}. ${sayClaim(claim)}`,
    ...(said === null ? [] : [`> ${plain(said)}`]),
    [
      ...checks.map(
        ({ name, command, says, ms, is, evidence }) =>
          `- ${is === 'passed' ? '✓' : '✗'} ${name === null ? '' : `${plain(name)} `}${code(command)} ${plain(says)} (${duration(ms)})${evidence === null ? '' : `, evidence ${code(evidence)}`}`,
      ),
      ...sights.map(({ holds, says }) => `- ${holds ? '✓' : '✗'} ${plain(says)}`),
      ...hooks.map((hook) => `- stop hook ${plain(hook)}`),
    ].join('\n'),
    ...outputs.map(({ output }) => fenced(output)),
    verdict === null
      ? 'Not judged.'
      : `**${sayVerdictOf(entry)}**${verdict.isVoid ? ' (void)' : ''}: ${plain(verdict.rule.says)} (rule ${verdict.rule.number}, ${verdict.rule.name})`,
    reasonsOf(entry)
      .map((reason) => `- missing: ${plain(reason)}`)
      .join('\n'),
    ...(sayFilesOf(entry).length === 0 ? [] : [`Changed: ${sayFilesOf(entry).map(code).join(', ')}`]),
    ...(commit === null
      ? []
      : [`Work ${commit.onBranch ? 'committed' : 'kept'} as ${code(commit.id.slice(0, 12))}.`]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function fileParts(files: LoopReport['files']): string[] {
  if (files === null || files.files.length === 0) return [];
  const more = files.files.length - FILES;
  return [
    [
      ...files.files.slice(0, FILES).map((file) => `- ${code(file)}`),
      ...(more > 0 ? [`- and ${more} more`] : []),
    ].join('\n'),
  ];
}

/** One line whose characters mean nothing in Markdown or HTML. What stands between backticks stays a code span. */
function plain(text: string): string {
  return cleanLine(text, LINE)
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? code(part) : part.replace(SPECIAL, (character) => `\\${character}`)))
    .join('');
}

/** A code span with more backticks around it than in it. */
function code(text: string): string {
  const line = cleanLine(text, LINE).replaceAll('|', '\\|');
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = '`'.repeat(longest + 1);
  const air = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${air}${line}${air}${ticks}`;
}
