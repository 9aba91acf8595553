/** Rules that only look: at a file of the project, at the agent's output, at a coverage report. */
import { isAbsolute, resolve } from 'node:path';
import { oneLine } from '../../core/words/sanitize.ts';
import { isIn, leadsOut } from '../../files/paths.ts';
import { readRegular } from '../../files/read.ts';
import { match } from './match.ts';
import { notRun, seen, type Seen } from './result.ts';
import type { CoverageRule, PatternRule } from '../../flags/validation-rules.ts';
import { parseAs, isRecord } from '../../core/shape.ts';

const SHOWN = 500;

export interface RuleGround {
  readonly project: string;
  /** What the agent said; null: no output is known. */
  readonly output: string | null;
}

export async function testPattern(rule: PatternRule, ground: RuleGround, signal: AbortSignal): Promise<Seen> {
  const { pattern, flags = '', file, expect = 'present' } = rule;
  const text = file === undefined ? ground.output : readIn(ground.project, file);
  const place = file === undefined ? 'the output' : oneLine(file, 120);
  if (text === null) return notRun('the output of the agent was not given');
  if (typeof text !== 'string') return text.is === 'gone' ? seen(false, text.why) : notRun(text.why);
  const found = await match(pattern, flags, text, signal);
  switch (found.is) {
    case 'failed':
      return notRun(`the pattern can't be used: ${oneLine(found.why, SHOWN)}`);
    case 'absent':
      return seen(expect === 'absent', `the pattern does not occur in ${place}`);
    case 'found':
      return seen(expect === 'present', `the pattern occurs in ${place}: ${oneLine(found.text, 120)}`);
  }
}

export function testFile(file: string, project: string): Seen {
  const content = readIn(project, file);
  if (typeof content === 'string') return seen(true, `${oneLine(file, 120)} is there`);
  return content.is === 'gone' ? seen(false, content.why) : notRun(content.why);
}

export function testCoverage({ file, metric = 'lines', threshold }: CoverageRule, project: string): Seen {
  const names = file === undefined ? USUAL_REPORTS : [file];
  for (const name of names) {
    const content = readIn(project, name);
    if (typeof content !== 'string') {
      if (content.is === 'gone') continue;
      return notRun(content.why);
    }
    const percent = coverageIn(content, metric);
    if (percent === null) return notRun(`${oneLine(name, 120)} has no coverage of ${metric}`);
    const says = `${Math.floor(percent * 100) / 100} % of ${metric} are covered (${oneLine(name, 120)}), at least ${threshold} % are asked for`;
    return seen(percent >= threshold, says);
  }
  return notRun(`there is no coverage report (${names.map((name) => oneLine(name, 120)).join(', ')})`);
}

interface UnreadFile {
  readonly is: 'gone' | 'unreadable';
  readonly why: string;
}

/** A regular file of the project. Nothing outside is read, not even through a link. */
function readIn(project: string, file: string): string | UnreadFile {
  const name = oneLine(file, 120);
  const [path, folder] = [resolve(project, file), resolve(project)];
  const isNamed = !isAbsolute(file) && !file.includes('\0') && path !== folder && isIn(path, folder);
  if (!isNamed || leadsOut(path, folder)) return { is: 'unreadable', why: `${name} is not in the project` };
  const read = readRegular(path);
  if (read.is === 'content') return read.content;
  return read.is === 'gone'
    ? { is: 'gone', why: `${name} is not there` }
    : { is: 'unreadable', why: `${name} can't be read (${read.why})` };
}

type Metric = NonNullable<CoverageRule['metric']>;

/** Where the tools write their reports. */
const USUAL_REPORTS = ['coverage/coverage-summary.json', 'coverage/lcov.info', 'lcov.info', 'coverage.json'];

/** The percentage in a report of Istanbul (its summary), coverage.py (JSON) or lcov. Null: the report does not have it. */
export function coverageIn(content: string, metric: Metric): number | null {
  return content.trimStart().startsWith('{') ? inJson(content, metric) : inLcov(content, metric);
}

function inJson(content: string, metric: Metric): number | null {
  const value = parseAs(isRecord, content);
  if (value === null) return null;
  const { total, totals } = value;
  const measured = isRecord(total) ? total[metric] : undefined;
  if (isRecord(measured)) return percent(measured['pct']);
  // coverage.py counts statements, and calls them lines.
  const isPython = isRecord(totals) && (metric === 'lines' || metric === 'statements');
  return isPython ? percent(totals['percent_covered']) : null;
}

function percent(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= 100 ? value : null;
}

/** How many there are, and how many of them were reached. */
const COUNTERS: Readonly<Partial<Record<Metric, readonly [all: string, hit: string]>>> = {
  lines: ['LF', 'LH'],
  branches: ['BRF', 'BRH'],
  functions: ['FNF', 'FNH'],
};

function inLcov(content: string, metric: Metric): number | null {
  const [all, hit] = COUNTERS[metric] ?? [];
  if (all === undefined || hit === undefined) return null;
  let [found, reached] = [0, 0];
  for (const line of content.split('\n')) {
    const [key, count = ''] = line.trim().split(':', 2);
    if (key === all) found += Number(count);
    if (key === hit) reached += Number(count);
  }
  return found > 0 ? percent((100 * reached) / found) : null;
}
