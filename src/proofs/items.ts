/** Reads a list of work items: from a file of the project, or from the output of a command, run like a check. */
import { readFileSync } from 'node:fs';
import type { Items } from '../core/record/definition.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { readItemList } from '../lists/items.ts';
import type { ItemList } from '../lists/work-item.ts';
import { sayOutcome } from '../core/words/phrases.ts';
import { outcomeOf } from './checks.ts';
import { supervise } from '../process/supervise.ts';
import { readItemFile } from '../lists/file.ts';

/** The command runs after the checks of a stop, within the hook's own time-out; at a start the host waits 30 s. */
const COMMAND_MS = 20_000;
const NAMED = 120;
const TAIL = 300;

export interface ItemsBench {
  readonly project: string;
  /** The bundled supervisor. */
  readonly runner: string;
  readonly signal: AbortSignal;
  /** New files for a command's output and for its errors. */
  readonly output: () => string;
}

export async function readItems({ from }: Items, bench: ItemsBench): Promise<ItemList> {
  if (from.is === 'file') return readItemFile(from.file, bench.project);
  const [output, errors] = [bench.output(), bench.output()];
  const { command } = from;
  const order = { command, cwd: bench.project, timeoutMs: COMMAND_MS, output, errors };
  const account = await supervise(order, bench.runner, bench.signal);
  const name = `\`${oneLine(command, NAMED)}\``;
  const outcome = outcomeOf(account, errors);
  if (outcome.is === 'passed') return readItemList(readFileSync(output, 'utf8'), name, 'command');
  const tail = 'tail' in outcome && outcome.is !== 'unstartable' ? oneLine(outcome.tail, TAIL) : '';
  return { ok: false, why: `${name}, which lists the items, ${sayOutcome(outcome)}${tail && `: ${tail}`}` };
}
