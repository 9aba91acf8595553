/** How the items of a set ended: a row for each, for people and programs, and the exit code. */
import { commandsInAdvice, sayAdvice, type Audience } from '#telling/advice.ts';
import { iterationsInAll, planOf } from '#law/loop.ts';
import { sayCost, sayCostFigure } from '#law/words/figures.ts';
import { plural } from '#law/words/phrases.ts';
import { loopsOfItem, USED_UP, type ItemSet, type SetItem } from '#engine/sets/set.ts';
import type { SetOutcome } from '#engine/sets/work-through.ts';
import { clip } from '#surfaces/screen/terminal/width.ts';
import type { Runtime } from '#store/runtime.ts';
import { EXIT, headedTable, printLines, linesWhen } from '../terminal/terminal.ts';

interface TableContext {
  readonly audience: Audience;
  readonly runtime: Runtime;
}

export function rowFor(
  set: ItemSet,
  item: SetItem,
  outcome: SetOutcome,
  { audience, runtime }: TableContext,
) {
  const loops = loopsOfItem(set, item, runtime);
  const last = loops.at(-1);
  const { why, next, code = null } = outcome.is === 'left' ? outcome : LANDED;
  return {
    item: item.id,
    title: item.title,
    loop: last?.id ?? null,
    status: last?.status.is ?? null,
    iterations: loops.reduce((sum, loop) => sum + iterationsInAll(loop), 0),
    costUsd: loops.reduce((sum, { spent }) => sum + spent.costUsd, 0),
    estimated: loops.some(({ spent }) => spent.estimated === true),
    branch: last === undefined ? null : planOf(last).branch,
    done: outcome.is !== 'left',
    merged: outcome.is === 'merged',
    why,
    code,
    next: next === null ? null : sayAdvice(next, audience),
    commands: commandsInAdvice(next ?? ''),
  };
}

const LANDED = { why: null, next: null, code: null };

type ItemRow = ReturnType<typeof rowFor>;

const MAX_TITLE_CHARS = 32;

export function sayRows({ onto, more }: ItemSet, rows: readonly ItemRow[], isOver: boolean): void {
  const open = rows.flatMap((row, at) => (row.done ? [] : [{ ...row, n: at + 1 }]));
  const cells = rows.map((row, at) => [
    `${at + 1} ${clip(row.title, MAX_TITLE_CHARS, '…')}`,
    row.loop ?? '–',
    String(row.iterations),
    row.loop === null ? '–' : sayCostFigure(row),
    row.merged ? 'merged' : row.done ? 'done, nothing to merge' : `not merged: ${row.status ?? row.why}`,
  ]);
  const total = { costUsd: costOfItems(rows), estimated: rows.some(({ estimated }) => estimated) };
  printLines(
    '',
    ...headedTable(['ITEM', 'LOOP', 'ITER', 'COST', 'RESULT'], cells),
    '',
    `${sayMerged(rows, onto)}, ${sayCost(total)}.`,
    ...open.flatMap(({ n, why, next }) => sayOpen(n, why, next)),
    ...linesWhen(more > 0, `The list has ${plural(more, 'more item')}: --max-items.`),
    ...linesWhen(!isOver, 'Run the same command again to continue with the rest.'),
  );
}

/** The reason stands here and not in the table, where it would be cut. */
function sayOpen(n: number, why: string | null, next: string | null): string[] {
  return [why, next].every((words) => words === null)
    ? []
    : [`  ${n}: ${[why, next].filter((words) => words !== null).join('; ')}`];
}

function sayMerged(rows: readonly ItemRow[], onto: string): string {
  const merged = rows.filter((row) => row.merged).length;
  const unchanged = rows.filter((row) => row.done && !row.merged).length;
  const more = unchanged === 0 ? '' : `; ${unchanged} done without a change`;
  return `${merged} of ${plural(rows.length, 'item')} merged into ${onto}${more}`;
}

export function costOfItems(rows: readonly ItemRow[]): number {
  return rows.reduce((sum, { costUsd }) => sum + costUsd, 0);
}

/**
 * Not over: something goes on with the same command alone. Else a limit is used up, or a person has to look.
 */
export function exitFor({ more }: ItemSet, rows: readonly ItemRow[], isStopped: boolean): number {
  const open = rows.filter(({ done }) => !done);
  const has = (...statuses: readonly ItemRow['status'][]) =>
    open.some(({ status }) => statuses.includes(status));
  if (isStopped || has('paused', 'interrupted', 'pending', 'waiting')) return EXIT.unfinished;
  if (open.length === 0) return more === 0 ? EXIT.ok : EXIT.exhausted;
  return has('exhausted') || open.some(({ code }) => code === USED_UP) ? EXIT.exhausted : EXIT.escalated;
}
