/** The percentage in a coverage report of a common tool: Istanbul's summary, coverage.py's JSON, or lcov. Pure. */
import { parseAs, isRecord } from '../../core/shape.ts';
import type { CoverageRule } from '../../flags/validation-rules.ts';

export type Metric = NonNullable<CoverageRule['metric']>;

/** Where the tools write their reports. */
export const USUAL_REPORTS = [
  'coverage/coverage-summary.json',
  'coverage/lcov.info',
  'lcov.info',
  'coverage.json',
];

/** Null: the report does not have it. */
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
