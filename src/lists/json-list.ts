/**
 * Finds the list of items in a JSON value. People call it `features`, `userStories` or `tasks`, and put it below
 * phases.
 */
import { isRecord, text } from '../core/shape.ts';
import { markFieldOf } from './json-mark.ts';

export interface JsonItem {
  readonly value: unknown;
  /** For `linesOf`. */
  readonly path: string;
}

export type FoundList =
  | { readonly ok: true; readonly where: string; readonly items: readonly JsonItem[] }
  | { readonly ok: false; readonly why: string };

/** The usual names, ignoring case, `_` and `-`. */
const NAMES: readonly string[] = [
  'features',
  'featurelist',
  'userstories',
  'stories',
  'tasks',
  'implementationtasks',
  'items',
  'issues',
  'tests',
  'testcases',
  'todos',
  'backlog',
];

/** Named in the message when none of them is found. */
export const USUAL_NAMES = 'features, userStories, stories, tasks, items';

/** `name`: the list that the person named (`FILE#name`), as a key or a path with dots; null: the only list. */
export function findList(value: unknown, name: string | null): FoundList | null {
  if (name !== null) return namedList(value, name);
  if (Array.isArray(value)) return { ok: true, where: 'its list', items: listed(value, '') };
  if (!isRecord(value)) return null;
  const lists = listsIn(value, '');
  return oneOf(lists.length > 0 ? lists : below(value));
}

interface Candidate {
  readonly where: string;
  readonly items: readonly JsonItem[];
}

function listsIn(value: Record<string, unknown>, path: string): Candidate[] {
  return NAMES.flatMap((name) =>
    Object.entries(value).flatMap(([key, list]) =>
      Array.isArray(list) && plain(key) === name
        ? [{ where: key, items: listed(list, `${path}/${key}`) }]
        : [],
    ),
  );
}

/**
 * Lists below one more key (`prd.userStories`), or spread over groups (`phases: [{ tasks: […] }]`), all taken together.
 */
function below(value: Record<string, unknown>): Candidate[] {
  const groups = Object.entries(value).map(([key, part]) => {
    const members = Array.isArray(part) ? listed(part, `/${key}`) : [{ value: part, path: `/${key}` }];
    return {
      key,
      lists: members.flatMap(({ value, path }) => (isRecord(value) ? listsIn(value, path) : [])),
    };
  });
  const names = new Set(groups.flatMap(({ lists }) => lists.map(({ where }) => where)));
  return [...names].map((name) => {
    const same = groups.flatMap(({ key, lists }) =>
      lists.filter(({ where }) => where === name).map(({ items }) => ({ key, items })),
    );
    const keys = [...new Set(same.map(({ key }) => key))];
    return { where: `${keys.join(', ')}: ${name}`, items: same.flatMap(({ items }) => items) };
  });
}

/**
 * Chooses between several lists: the only one whose items have a status, else the only one with objects in it.
 * Otherwise the person has to name one.
 */
function oneOf(lists: readonly Candidate[]): FoundList | null {
  const [first] = lists;
  if (first === undefined) return null;
  const records = lists.filter(({ items }) => items.some(({ value }) => isRecord(value)));
  const marked = records.filter(({ items }) =>
    items.some(({ value }) => isRecord(value) && markFieldOf(value) !== null),
  );
  const [best = first, ...others] = marked.length > 0 ? marked : records;
  if (others.length === 0) return { ok: true, ...best };
  const names = [best, ...others].map(({ where }) => where).join(' and ');
  return {
    ok: false,
    why: `has several lists, ${names}: name the one that is meant, as in FILE#${best.where}`,
  };
}

function namedList(value: unknown, name: string): FoundList {
  let [at, path]: [unknown, string] = [value, ''];
  for (const part of name.split('.')) {
    const key: string | undefined = isRecord(at)
      ? Object.keys(at).find((key) => plain(key) === plain(part))
      : undefined;
    at = isRecord(at) && key !== undefined ? at[key] : undefined;
    path += `/${key ?? ''}`;
  }
  if (Array.isArray(at)) return { ok: true, where: name, items: listed(at, path) };
  return { ok: false, why: `has no list ${name}` };
}

function listed(list: readonly unknown[], path: string): JsonItem[] {
  return list.map((value, k) => ({ value, path: `${path}/${k}` }));
}

function plain(key: string): string {
  return key.toLowerCase().replace(/[_-]/g, '');
}

const TITLES = [
  'title',
  'name',
  'summary',
  'feature',
  'task',
  'story',
  'behavior',
  'behaviour',
  'content',
  'text',
];
const DESCRIPTIONS = ['description', 'details', 'body'];

/** Empty: it has no text. */
export function wordsOf(item: Readonly<Record<string, unknown>>): string {
  const [short, long] = [TITLES, DESCRIPTIONS].map((keys) => firstOf(item, keys));
  return [...new Set([short, long])].filter(Boolean).join(': ');
}

function firstOf(item: Readonly<Record<string, unknown>>, keys: readonly string[]): string {
  const found = keys.map((key) => item[key]).find((words) => text(words) && words.trim() !== '');
  return text(found) ? found.trim() : '';
}
