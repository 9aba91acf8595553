/**
 * The verbs that look at loops, each once: a record is asked, and its answer is shown. `dacapo list` and
 * `dacapo fleet list` differ only in the record.
 */
import type { LoopStatus } from '#telling/loop-status.ts';
import { EXIT, headedTable, printNote, printLines, sayJson, type Line } from '../terminal/terminal.ts';
import type { GivenFlags } from '../command.ts';
import { openLogPrinter, type LoopLog } from './log-lines.ts';

/** A number: the exit code, after the person was told why there is nothing to show. */
type ShownOrExit<T> = T | number | Promise<T | number>;

/** The loops of this machine, or those of a fleet. */
export interface LookRecord {
  readonly list: () => ShownOrExit<ListedLoops>;
  readonly status: (id: string | undefined) => ShownOrExit<ShownStatus>;
  /** Shows the journal of one loop while it is open, and gives the exit code. */
  readonly withLog: (id: string | undefined, show: (log: LoopLog) => Promise<number>) => Promise<number>;
}

export interface ListedLoops {
  readonly loops: readonly LoopStatus[];
  readonly heading: readonly string[];
  /** One for each loop. */
  readonly rows: readonly (readonly string[])[];
  /** What to say where there is none. */
  readonly none: string;
  /** About loops that are not in it. */
  readonly notes: readonly string[];
  /** Some loops can't be read, so the list is not whole. */
  readonly isPartial: boolean;
}

export interface ShownStatus {
  /** For programs. */
  readonly value: () => unknown;
  /** For people. */
  readonly lines: () => readonly Line[];
  readonly notes: readonly string[];
  readonly isPartial: boolean;
}

export async function runList(
  { json }: GivenFlags<'json'>,
  record: Pick<LookRecord, 'list'>,
): Promise<number> {
  const list = await record.list();
  if (typeof list === 'number') return list;
  for (const line of list.notes) printNote(line);
  if (json) sayJson(list.loops);
  else if (list.loops.length > 0) printLines(...headedTable(list.heading, list.rows));
  else if (!list.isPartial) printLines(list.none);
  return list.isPartial ? EXIT.failed : EXIT.ok;
}

export async function runStatus(
  { id, json }: GivenFlags<'json', 'id'>,
  record: Pick<LookRecord, 'status'>,
): Promise<number> {
  const shown = await record.status(id);
  if (typeof shown === 'number') return shown;
  for (const line of shown.notes) printNote(line);
  const lines = json ? [] : shown.lines();
  if (json) sayJson(shown.value());
  else if (lines.length > 0) printLines(...lines);
  return shown.isPartial ? EXIT.failed : EXIT.ok;
}

export function runLogs(
  { id, json }: GivenFlags<'json', 'id'>,
  record: Pick<LookRecord, 'withLog'>,
): Promise<number> {
  return record.withLog(id, async (log) => {
    const print = openLogPrinter(log, json);
    print();
    await log.follow(print);
    const unread = log.sayUnread();
    if (unread !== null) printNote(unread);
    if (!json && log.ending !== null) printLines(log.ending());
    return EXIT.ok;
  });
}
