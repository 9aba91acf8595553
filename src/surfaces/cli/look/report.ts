/** `dacapo report`: a loop from its prompt to its ending, to stdout or into one file. */
import { writeFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { codeOf } from '#base/shape.ts';
import { reportInHtml } from '#telling/report/html.ts';
import { reportInMarkdown } from '#telling/report/markdown.ts';
import type { LoopReport } from '#telling/report/report-model.ts';
import { buildReport } from '#engine/look/read-report.ts';
import { withSnakeKeys } from '#telling/story/snake-keys.ts';
import { heldOutLines } from './held-out.ts';
import { pickNewest, shownPath } from '../context.ts';
import { EXIT, fail, printNote, printLines, verbatim, failUsage } from '../terminal/terminal.ts';
import type { CommandCall, GivenFlags } from '../command.ts';

type ReportOptions = GivenFlags<'html' | 'md' | 'json', 'id' | 'output'>;

const FORMATS = ['html', 'md', 'json'] as const;
type ReportFormat = (typeof FORMATS)[number];

const ENDINGS: Readonly<Record<string, ReportFormat>> = {
  '.html': 'html',
  '.htm': 'html',
  '.md': 'md',
  '.markdown': 'md',
  '.json': 'json',
};

export async function runReport(options: ReportOptions, { runtime }: CommandCall): Promise<number> {
  const { id, output } = options;
  const format = formatOf(options);
  if (format === null)
    return failUsage('a report has only one format.', 'give one of --html, --md and --json.');
  if (format === undefined)
    return failUsage(
      `${shownPath(output ?? '')} has no ending that names a format.`,
      'use .html, .md or .json, or give --html, --md or --json.',
    );
  const loop = pickNewest(id, { verb: 'report' }, runtime);
  if (typeof loop === 'number') return loop;
  const open = runtime.store.open(loop.id);
  if (open === null) return fail(`loop ${loop.id} can't be read.`, 'dacapo list shows the existing loops.');
  try {
    const code = putReport(written(await buildReport(open, runtime), format), output);
    // Not in the report itself, which may lie where the agent works.
    for (const line of heldOutLines(loop.id, runtime)) printNote(line);
    return code;
  } finally {
    open.close();
  }
}

/**
 * Without a flag, the name of the file decides. Null: several flags. Undefined: the name has an unknown
 * ending.
 */
function formatOf({ html, md, json, output }: ReportOptions): ReportFormat | null | undefined {
  const given = { html, md, json };
  const asked = FORMATS.filter((format) => given[format]);
  if (asked.length > 1) return null;
  const ending = extname(output ?? '').toLowerCase();
  return asked[0] ?? (ending === '' ? 'md' : ENDINGS[ending]);
}

function written(report: LoopReport, format: ReportFormat): string {
  if (format === 'json') return `${JSON.stringify(withSnakeKeys(report), null, 2)}\n`;
  return format === 'html' ? reportInHtml(report) : reportInMarkdown(report);
}

function putReport(text: string, output: string | undefined): number {
  if (output === undefined) {
    printLines(verbatim(text.replace(/\n$/, '')));
    return EXIT.ok;
  }
  try {
    writeFileSync(resolve(output), text);
  } catch (error) {
    return fail(
      `${shownPath(resolve(output))} can't be written (${codeOf(error)}).`,
      'give another file with -o.',
    );
  }
  printNote(`Da Capo: wrote ${shownPath(resolve(output))}.`);
  return EXIT.ok;
}
