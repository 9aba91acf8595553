/**
 * Parses a JSON text and finds the list of items in it. People call it `features`, `userStories` or `tasks`,
 * put it below phases or epics, and sometimes write it as an object with an id or a group for each key. A
 * person is told of items elsewhere in the file, because a loop completes without them.
 */
import { few } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { errorMessage, isRecord, recordsIn, text, type Attempt } from '#base/shape.ts';
import { wordList } from '#base/words/word-list.ts';
import { itemState, markFieldOf, plainKey, itemWords, type JsonObject } from './json-item.ts';

export interface JsonItem {
  readonly value: unknown;
  readonly path: string;
  /** Its key, where the list is an object. */
  readonly key?: string;
}

type FoundList = Attempt<ListCandidate>;

const NAMES = wordList(`
  features featurelist userstories stories tasks implementationtasks items issues tests testcases
  todos backlog
`);

/** Deeper than this, a list is a part of something else. */
const MAX_LIST_DEPTH = 4;

/**
 * `name`: the list that the person named (`FILE#name`), as a key or a path with dots; null: the only list.
 */
export function findList(value: unknown, name: string | null): FoundList | null {
  if (name !== null) return namedList(value, name);
  if (Array.isArray(value)) return { ok: true, ...unfold({ where: 'its list', items: listed(value, '') }) };
  if (!isRecord(value)) return null;
  const found = oneOf(listsNear(value, '', '', 0));
  return found?.ok === true ? { ok: true, ...unfold(found) } : found;
}

interface ListCandidate {
  readonly where: string;
  readonly items: readonly JsonItem[];
}

function listsIn(value: JsonObject, path: string): ListCandidate[] {
  return NAMES.flatMap((name) =>
    Object.entries(value).flatMap(([key, list]) => {
      if (plainKey(key) !== name) return [];
      const items = itemsIn(list, `${path}/${key}`);
      return items === null ? [] : [{ where: key, items }];
    }),
  );
}

/** A list, an object whose values are items, or one whose values are lists of items; null: none of these. */
function itemsIn(value: unknown, path: string): JsonItem[] | null {
  if (Array.isArray(value)) return listed(value, path);
  if (!isRecord(value)) return null;
  const entries = Object.entries(value);
  if (entries.length === 0) return null;
  if (entries.every(([, part]) => isItem(part)))
    return entries.map(([key, part]) => ({ value: part, path: `${path}/${key}`, key }));
  if (entries.every(([, part]) => Array.isArray(part) && part.length > 0 && part.every(isItem)))
    return entries.flatMap(([key, part]) => (Array.isArray(part) ? listed(part, `${path}/${key}`) : []));
  return null;
}

function isItem(value: unknown): value is JsonObject {
  return isRecord(value) && markFieldOf(value) !== null && itemWords(value) !== '';
}

/**
 * The lists of this object; otherwise those below its keys (`prd.userStories`), or spread over groups
 * (`phases: [{ tasks: […] }]`). Those of one name are taken together.
 */
function listsNear(value: unknown, where: string, path: string, depth: number): ListCandidate[] {
  if (!isRecord(value)) return [];
  const own = listsIn(value, path).map((list) => ({ ...list, where: where + list.where }));
  if (own.length > 0 || depth === MAX_LIST_DEPTH) return own;
  const below = Object.entries(value).flatMap(([key, part]) =>
    membersOf({ value: part, path: `${path}/${key}` }).flatMap((member) =>
      listsNear(member.value, `${where}${key}.`, member.path, depth + 1),
    ),
  );
  return depth === 0 ? merged(below) : merged(below).filter(saysDone);
}

function merged(lists: readonly ListCandidate[]): ListCandidate[] {
  const byName = new Map<string, ListCandidate>();
  for (const { where, items } of lists) {
    const name = where.slice(where.lastIndexOf('.') + 1);
    const known = byName.get(name);
    byName.set(name, {
      where: known === undefined || known.where === where ? where : `${known.where} and ${where}`,
      items: [...(known?.items ?? []), ...items],
    });
  }
  return [...byName.values()];
}

function saysDone({ items }: ListCandidate): boolean {
  return items.some(({ value }) => isRecord(value) && markFieldOf(value) !== null);
}

/** Where the items only group others, which say what is done, those are the items. */
function unfold(list: ListCandidate): ListCandidate {
  if (saysDone(list)) return list;
  const inner = merged(
    list.items.flatMap(({ value, path }) =>
      isRecord(value)
        ? listsIn(value, path).map(({ where, items }) => unfold({ where: `${list.where}.${where}`, items }))
        : [],
    ),
  ).filter(saysDone);
  return inner[0] !== undefined && inner.length === 1 ? inner[0] : list;
}

/**
 * Chooses between several lists: the only one whose items have a status, else the only one with objects in
 * it. Otherwise the person has to name one.
 */
function oneOf(lists: readonly ListCandidate[]): FoundList | null {
  const [first] = lists;
  if (first === undefined) return null;
  const records = lists.filter(({ items }) => items.some(({ value }) => isRecord(value)));
  const marked = records.filter(saysDone);
  const [best = first, ...others] = marked.length > 0 ? marked : records;
  if (others.length === 0) return { ok: true, ...best };
  const names = [best, ...others].map(({ where }) => where).join(' and ');
  return {
    ok: false,
    why: `has several lists, ${names}: name the one that is meant, as in FILE#${best.where}`,
  };
}

function namedList(value: unknown, name: string): FoundList {
  let at: JsonItem[] = [{ value, path: '' }];
  for (const part of name.split('.')) {
    at = at.flatMap(membersOf).flatMap(({ value: group, path }) => {
      const key = isRecord(group)
        ? Object.keys(group).find((known) => plainKey(known) === plainKey(part))
        : undefined;
      return isRecord(group) && key !== undefined ? [{ value: group[key], path: `${path}/${key}` }] : [];
    });
  }
  const lists = at.flatMap(({ value: list, path }) => {
    const items = itemsIn(list, path);
    if (items !== null) return [items];
    return isRecord(list) ? listsIn(list, path).map((inner) => inner.items) : [];
  });
  if (lists.length > 0) return { ok: true, where: name, items: lists.flat() };
  return { ok: false, why: `has no list ${name}` };
}

/**
 * What its list is called beside others of the same kind: `master` for `/master/tasks/0`, `phases/1` for
 * `/phases/0/tasks/2`.
 */
export function groupOf({ path }: JsonItem): string {
  const parts = path.split('/').slice(1, -1);
  const told = parts.filter((part) => !NAMES.includes(plainKey(part)));
  return told.map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part)).join('/');
}

function membersOf(one: JsonItem): JsonItem[] {
  return Array.isArray(one.value) ? listed(one.value, one.path) : [one];
}

function listed(list: readonly unknown[], path: string): JsonItem[] {
  return list.map((value, k) => ({ value, path: `${path}/${k}` }));
}

/** Deeper than any real file we have seen. Deeper levels are not read. */
const MAX_READ_DEPTH = 6;

/**
 * `valid_status: ["todo", "done"]`, or `status_legend: { todo: "…", done: "…" }`, at the top or one level
 * below.
 */
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

/**
 * Lists with open items outside of the list that counts, and items that are done while a part of them is
 * open.
 */
export function openElsewhere(value: unknown, items: readonly JsonItem[]): string[] {
  const counted = new Set(items.map(({ value: item }) => item));
  const lists = new Map<string, number>();
  const look = (at: unknown, where: string, depth: number): void => {
    if (depth > MAX_READ_DEPTH) return;
    if (Array.isArray(at)) {
      const open = at.filter((one) => isOpenItem(one) && !counted.has(one)).length;
      if (open > 0) lists.set(where, (lists.get(where) ?? 0) + open);
      for (const one of at) if (!counted.has(one)) look(one, where, depth + 1);
    } else if (isRecord(at))
      for (const [key, part] of Object.entries(at))
        look(part, where === '' ? key : `${where}.${key}`, depth + 1);
  };
  look(value, '', 0);
  const partly = recordsIn([...counted]).filter((item) => itemState(item) === 'done' && holdsOpen(item));
  return [
    lists.size > 0 &&
      'does not count ' +
        `${few([...lists], ([where, open]) => `${open} open in ${oneLine(where, 60)}`, 3).join(', ')}; ` +
        'to take another list, name it, as in FILE#name',
    partly.length > 0 &&
      'counts as done what has open parts: ' +
        `${few(partly, (item) => oneLine(itemWords(item), 60), 3).join(', ')}`,
  ].filter((note) => note !== false);
}

function isOpenItem(value: unknown): boolean {
  return isItem(value) && itemState(value) !== 'done';
}

function holdsOpen(item: JsonObject): boolean {
  return Object.values(item).some((part) => Array.isArray(part) && part.some(isOpenItem));
}

export function parseJson(content: string): Attempt<{ readonly value: unknown }> {
  try {
    return { ok: true, value: JSON.parse(content) };
  } catch (error) {
    return { ok: false, why: sayBroken(content, error) };
  }
}

/**
 * Why it is not JSON, with the line. The wording comes from the engine and differs from version to version.
 */
function sayBroken(content: string, error: unknown): string {
  const plain = errorMessage(error)
    .replace(/ (?:in JSON )?at position \d+.*$/s, '')
    .replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, '');
  return `line ${brokenLine(content)}: ${plain}`;
}

/**
 * The first line with which the text can't become JSON any more. Not every message of the engine tells a
 * position.
 */
function brokenLine(content: string): number {
  const ends = [...content.trimEnd().matchAll(/\n|$/g)].map(({ index }) => index);
  let [whole, broken] = [0, ends.length];
  while (whole + 1 < broken) {
    const middle = (whole + broken) >> 1;
    if (canGoOn(content.slice(0, ends[middle - 1]))) whole = middle;
    else broken = middle;
  }
  return broken;
}

/** Whether the beginning of a text may be that of JSON: nothing is wrong with it but its end. */
function canGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const [, at] = /\bat position (\d+)/.exec(errorMessage(error)) ?? [];
    return at === undefined
      ? /end of JSON|Unterminated/.test(errorMessage(error))
      : Number(at) >= beginning.length;
  }
}
