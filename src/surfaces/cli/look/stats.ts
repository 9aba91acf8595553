/** `dacapo stats`: how loops end, what they take, which gates refuse them. */
import { duration, plural } from '#law/words/phrases.ts';
import { readStats } from '#engine/look/read-stats.ts';
import { withSnakeKeys } from '#telling/story/snake-keys.ts';
import type { Spread, Stats } from '#telling/story/stats.ts';
import { isCostKnown, sayCostFigure, sayCount, sayUsd } from '#law/words/figures.ts';
import { failUnreadable, noteUnread, projectRoot } from '../context.ts';
import { EXIT, hanging, paint, printLines, sayJson, headedTable, type Line } from '../terminal/terminal.ts';
import { percent } from '#surfaces/screen/phrases.ts';
import type { CommandCall, GivenFlags } from '../command.ts';

const BAR_COLUMNS = 20;
const MAX_GATES_SHOWN = 12;

export async function runStats(
  { all, json }: GivenFlags<'all' | 'json'>,
  { runtime }: CommandCall,
): Promise<number> {
  const unreadable = failUnreadable(runtime);
  if (unreadable !== null) return unreadable;
  const stats = readStats(all ? null : projectRoot(), runtime);
  const exit = noteUnread(runtime) ? EXIT.failed : EXIT.ok;
  if (json) sayJson(withSnakeKeys(stats));
  else if (stats.loops > 0) printStats(stats);
  else if (exit === EXIT.ok)
    printLines(
      all ? 'No loops yet.' : 'No loops in this project. dacapo stats --all counts other projects too.',
    );
  return exit;
}

function printStats(stats: Stats): void {
  const facts = factsOf(stats).map(([name, value]) => hanging(`${paint.dim(name.padEnd(10))}  `, value));
  printLines(...facts, ...section(gateRows(stats)), ...section(modelRows(stats)));
}

function section([heading = [], ...rows]: readonly (readonly string[])[]): Line[] {
  return rows.length === 0 ? [] : ['', ...headedTable(heading, rows)];
}

type StatsFact = [name: string, value: string];

function factsOf(stats: Stats): StatsFact[] {
  const { loops, ended, completed, completionRate, iterations, iterationsToDone, claims, claimsRefused } =
    stats;
  const ofEnded = `${completed} of ${ended} that have ended`;
  return [
    ['loops', sayLoops(stats)],
    ...(completionRate === null
      ? []
      : [['completed', `${bar(completionRate)} ${percent(completionRate)}, ${ofEnded}`] satisfies StatsFact]),
    ['iterations', `${iterations} in ${plural(loops, 'loop')}${sayToDone(iterationsToDone, sayRounded)}`],
    ['claims', claims === 0 ? 'none' : `${claims} to be done, ${claimsRefused} refused`],
    ['time', `${duration(stats.workedMs)} of work, ${duration(stats.waitedMs)} of waiting`],
    ['cost', sayCostOfAll(stats)],
  ];
}

function sayCostOfAll(stats: Stats): string {
  const { loops, counted, tokens, costUsdToDone } = stats;
  if (counted === 0) return 'not counted: only loops with a budget and those of dacapo run are';
  const some = counted === loops ? '' : `, counted in ${counted} of ${plural(loops, 'loop')}`;
  return `${sayCostFigure(stats)}, ${sayCount(tokens)} tokens${sayToDone(costUsdToDone, sayUsd)}${some}`;
}

function sayLoops({ loops, byStatus }: Stats): string {
  const states = Object.entries(byStatus)
    .toSorted(([, a], [, b]) => b - a)
    .map(([status, count]) => `${count} ${status}`);
  return `${loops}: ${states.join(', ')}`;
}

function sayToDone(spread: Spread | null, say: (value: number) => string): string {
  if (spread === null) return '';
  const { least, median, most } = spread;
  const range = least === most ? '' : `, ${say(least)} to ${say(most)}`;
  return `; ${say(median)} until completed (median${range})`;
}

function gateRows({ gates }: Stats): string[][] {
  return [
    ['TESTED', 'HELD', '', 'TIME', 'GATE'],
    ...gates
      .slice(0, MAX_GATES_SHOWN)
      .map(({ gate, tested, held, ms }) => [
        String(tested).padStart(6),
        percent(held / tested).padStart(5),
        bar(held / tested, BAR_COLUMNS / 2),
        ms === 0 ? '' : duration(ms),
        gate,
      ]),
  ];
}

function modelRows({ models }: Stats): string[][] {
  return [
    ['LOOPS', 'COMPLETED', 'ITERATIONS', 'COST', 'TOKENS', 'MODEL'],
    ...models.map(({ model, loops, completed, iterations, costUsd, tokens }) => [
      String(loops).padStart(5),
      String(completed).padStart(9),
      String(iterations).padStart(10),
      isCostKnown({ costUsd }) ? sayUsd(costUsd) : '-',
      tokens === 0 ? '-' : sayCount(tokens),
      model ?? 'the default of the host',
    ]),
  ];
}

function bar(share: number, width = BAR_COLUMNS): string {
  const full = Math.round(share * width);
  return `${paint.green('█'.repeat(full))}${paint.dim('░'.repeat(width - full))}`;
}

function sayRounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}
