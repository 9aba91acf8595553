/** What a pass works on: an item of its list, the next open feature, or the task itself. */
import { featuresOf, unprovenItems } from '../core/gates.ts';
import { topFrame, type Loop } from '../core/loop.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { readPromptText } from '../store/prompts.ts';
import type { OpenLoop } from '../store/open-loop.ts';

/** The marks of a heading, a quote or a list before the first words of a task. */
const MARKUP = /^(?:[#>*-]+\s+)+/;

export function featureFacts(loop: Loop) {
  return loop.last?.features ?? featuresOf(topFrame(loop))?.begun ?? null;
}

export function nextFeature(loop: Loop) {
  const facts = featureFacts(loop);
  return facts?.is === 'read' ? facts.facts.next : null;
}

export function featureAtWork(loop: Loop): string | null {
  const facts = featureFacts(loop);
  const marked = facts?.is === 'read' ? facts.facts.marked : undefined;
  if (marked !== undefined && unprovenItems(loop) > 0) return `Repair ${marked.description}`;
  return nextFeature(loop)?.description ?? null;
}

export function workOf({ blobs }: Pick<OpenLoop, 'blobs'>, loop: Loop, max: number): string {
  const { item, prompt } = topFrame(loop);
  const given = item?.title ?? featureAtWork(loop) ?? firstLine(readPromptText(blobs, prompt));
  return oneLine(given, max) || oneLine(loop.name ?? loop.id, max);
}

function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim().replace(MARKUP, ''));
  return lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? '';
}
