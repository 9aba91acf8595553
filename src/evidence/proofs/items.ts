/** Lists of work: the items that a file of the project or a command lists, and the gate of a feature list. */
import { readFileSync } from 'node:fs';
import type { Items, FeaturesProof } from '#law/record/definition.ts';
import type { GateResult } from '#law/record/verdict.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { readItemFile } from '../lists/file.ts';
import { readItemList } from '../lists/items.ts';
import type { ItemList } from '../lists/work-item.ts';
import { supervise } from '#base/process/supervise.ts';
import { sayFeatures } from '#telling/person/features.ts';
import { readOutcome, type CheckRun } from './checks.ts';

/**
 * The command runs after the checks of a stop, within the hook's own time-out; at a start the host waits 30
 * s.
 */
const COMMAND_MS = 20_000;
const MAX_COMMAND_CHARS = 120;
const MAX_TAIL_CHARS = 300;

export interface ItemsRun extends Pick<CheckRun, 'runner' | 'signal'> {
  readonly project: string;
  /** New files for a command's output and for its errors. */
  readonly output: () => string;
}

export async function readItems({ from }: Items, itemsRun: ItemsRun): Promise<ItemList> {
  if (from.is === 'file') return readItemFile(from.file, itemsRun.project);
  const [output, errors] = [itemsRun.output(), itemsRun.output()];
  const { command } = from;
  const order = { command, cwd: itemsRun.project, timeoutMs: COMMAND_MS, output, errors };
  const account = await supervise(order, itemsRun.runner, itemsRun.signal);
  const name = `\`${oneLine(command, MAX_COMMAND_CHARS)}\``;
  const outcome = readOutcome(account, errors);
  if (outcome.is === 'passed') return readItemList(readFileSync(output, 'utf8'), name, 'command');
  const tail = 'tail' in outcome && outcome.is !== 'unstartable' ? oneLine(outcome.tail, MAX_TAIL_CHARS) : '';
  return { ok: false, why: `${name}, which lists the items, ${sayOutcome(outcome)}${tail && `: ${tail}`}` };
}

/** `before`: at the last stop. The agent may correct a broken file once, and then a person has to look. */
export function featuresResult(file: string, proof: FeaturesProof, before: FeaturesProof | null): GateResult {
  const isNews = before?.is !== 'unreadable';
  return {
    gate: 'features',
    holds: proof.is === 'read' && proof.facts.next === null,
    says: sayFeatures(file, proof),
    trouble: proof.is === 'unreadable' && !(proof.broken === true && isNews) ? proof.why : null,
  };
}
