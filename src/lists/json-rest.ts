/**
 * What a JSON file says besides its list: the words that it allows for a status, and further items that do not count.
 * A person is told about the latter, because a loop completes without them.
 */
import { few } from '../core/words/phrases.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { isRecord, text } from '../core/shape.ts';
import { plainKey } from './json-keys.ts';
import { itemState, markFieldOf } from './json-mark.ts';
import { wordsOf } from './json-words.ts';
import type { JsonItem } from './json-list.ts';

/** Deeper than any real file we have seen. Deeper levels are not read. */
const DEPTH = 6;

/** `valid_status: ["todo", "done"]`, or `status_legend: { todo: "…", done: "…" }`, at the top or one level below. */
export function declaredWords(value: unknown): string[] {
  if (!isRecord(value)) return [];
  for (const part of [value, ...Object.values(value).filter(isRecord)])
    for (const [key, words] of Object.entries(part)) {
      if (!/(?:status|state)(?:es|s|legend|values|options)?$/.test(plainKey(key))) continue;
      const known = Array.isArray(words) ? words : isRecord(words) ? Object.keys(words) : [];
      if (known.length > 1 && known.every((word) => text(word))) return known;
    }
  return [];
}

/** Lists with open items outside of the list that counts, and items that are done while a part of them is open. */
export function openElsewhere(value: unknown, items: readonly JsonItem[]): string[] {
  const counted = new Set(items.map(({ value: item }) => item));
  const lists = new Map<string, number>();
  const partly: string[] = [];
  const look = (at: unknown, where: string, depth: number): void => {
    if (depth > DEPTH) return;
    if (Array.isArray(at)) {
      const open = at.filter((one) => isOpenItem(one) && !counted.has(one)).length;
      if (open > 0) lists.set(where, (lists.get(where) ?? 0) + open);
      for (const one of at) if (!counted.has(one)) look(one, where, depth + 1);
    } else if (isRecord(at))
      for (const [key, part] of Object.entries(at))
        look(part, where === '' ? key : `${where}.${key}`, depth + 1);
  };
  look(value, '', 0);
  for (const { value: item } of items)
    if (isRecord(item) && itemState(item) === 'done' && holdsOpen(item)) partly.push(wordsOf(item));
  return [
    ...(lists.size === 0
      ? []
      : [
          `does not count ${few([...lists], ([where, open]) => `${open} open in ${oneLine(where, 60)}`, 3).join(', ')}; to take another list, name it, as in FILE#name`,
        ]),
    ...(partly.length === 0
      ? []
      : [`counts as done what has open parts: ${few(partly, (words) => oneLine(words, 60), 3).join(', ')}`]),
  ];
}

function isOpenItem(value: unknown): boolean {
  return (
    isRecord(value) && markFieldOf(value) !== null && wordsOf(value) !== '' && itemState(value) !== 'done'
  );
}

function holdsOpen(item: Readonly<Record<string, unknown>>): boolean {
  return Object.values(item).some((part) => Array.isArray(part) && part.some(isOpenItem));
}
