/** Tells the agent and the person which frame ended and which one begins. */
import type { ContinueVerdict, Popped } from '#law/record/verdict.ts';
import { framesOf, type Frame, type MissingItems, type Loop } from '#law/loop.ts';
import { ofIterations, plural } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';

const MAX_ITEMS_LISTED = 5;
const MAX_ITEM_CHARS = 100;

/** As sentences; null: the same frame continues. `loop` is the loop after the verdict. */
export function sayTurn(before: Loop, loop: Loop, { popped, item }: ContinueVerdict): string | null {
  if (popped.length === 0 && item === null && before.frame.promptGiven) return null;
  const frames = framesOf(before);
  const ended = popped.map((one, k) => sayPopped(one, frames.at(-1 - k)));
  const next = item === null ? null : `Item ${item.n} of ${item.of} begins: ${item.title}.`;
  return [...ended, next ?? goesOn(loop, popped.length > 0)].join(' ');
}

function goesOn(loop: Loop, back: boolean): string {
  const iteration = `iteration ${ofIterations(loop)}`;
  if (!back)
    return `An inner task comes first; the task around it continues when it is done: ${iteration} begins.`;
  return loop.frame.items === null
    ? `Back to the task around it: ${iteration} continues.`
    : 'No item is left, but the work as a whole is not proven done yet.';
}

function sayPopped({ outcome, why, item, mode, iterations }: Popped, frame: Frame | undefined): string {
  const nth = frame?.item ?? null;
  const unnamed = mode === 'grind' ? 'The list of items' : 'The inner task';
  const what = item === null ? unnamed : `Item ${nth === null ? '' : `${nth.n} of ${nth.of} `}(${item})`;
  const used = `after ${plural(iterations, 'iteration')}`;
  return outcome === 'complete' ? `${what} is done ${used}.` : `${what} ended undone ${used}: ${why}.`;
}

export function sayShortened(before: Loop, after: Loop): string | null {
  const known = new Map(framesOf(before).map((frame) => [frame.id, frame.gone]));
  const news = framesOf(after).filter((frame) => frame.gone.count > (known.get(frame.id)?.count ?? 0));
  return news.length === 0 ? null : news.map(({ gone }) => sayGone(gone, after.id)).join(' ');
}

/** Says what to do in both cases: only a person knows whether the items were meant to go. */
export function sayGone({ count, items }: MissingItems, loop: string): string {
  const names = items.slice(0, MAX_ITEMS_LISTED).map((item) => oneLine(item, MAX_ITEM_CHARS));
  const more = count > names.length ? `, and ${count - names.length} more` : '';
  return (
    `${plural(count, 'item')} left the list without a turn, by an unknown hand: ` +
    `${names.join(', ')}${more}. Put them back to work on them. If they were removed on purpose: ` +
    `\`dacapo resume ${loop} --accept-changes\`.`
  );
}
