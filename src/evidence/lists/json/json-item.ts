/**
 * An item of a JSON list: its keys by any usual spelling, its words, and how it says that it is done
 * (`"passes": true`, `"status": "completed"`). Da Capo reads each list by its own convention and tells the
 * agent to write by it.
 */
import { groupBy } from '#base/group-by.ts';
import type { Mark } from '#law/record/definition.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { isRecord, text } from '#base/shape.ts';
import { wordList } from '#base/words/word-list.ts';
import { stateOf, type ItemState } from '../states.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The items of a list share their keys, so each is made plain once, not once per item. A file may have very
 * many keys.
 */
const PLAIN = new Map<string, string>();
const MAX_KEYS_CACHED = 2_000;

/** `dependsOn`, `depends_on` and `DependsOn` are one. */
export function plainKey(key: string): string {
  const plain = PLAIN.get(key) ?? key.toLowerCase().replace(/[_\s-]/g, '');
  if (PLAIN.size < MAX_KEYS_CACHED) PLAIN.set(key, plain);
  return plain;
}

/** Every key that has one of these names, in the order of the names. */
export function keysIn(object: JsonObject, names: readonly string[]): string[] {
  const found = Object.keys(object).filter((key) => names.includes(plainKey(key)));
  return found.toSorted((a, b) => names.indexOf(plainKey(a)) - names.indexOf(plainKey(b)));
}

export function fieldValueOf(object: JsonObject, names: readonly string[]): unknown {
  const [key] = keysIn(object, names);
  return key === undefined ? null : object[key];
}

/** The first usable id under one of these names. */
export function idIn(item: JsonObject, names: readonly string[]): string | number | null {
  const ids = keysIn(item, names).map((key) => item[key]);
  return (
    ids.find((id): id is string | number => typeof id === 'number' || (text(id) && id.trim() !== '')) ?? null
  );
}

const TITLES = wordList(`
  title name summary feature task story userstory behavior behaviour requirement goal objective
  subject label content text
`);
const DESCRIPTIONS = ['description', 'details', 'body', 'uservisiblebehavior', 'summary'];
const STEPS = wordList(`
  steps acceptancecriteria acceptance criteria verification verificationsteps teststeps donewhen
`);

const WHO = ['asa', 'asan', 'role'];
const WHAT = ['iwant', 'iwantto', 'want'];
const WHAT_FOR = ['sothat', 'benefit'];

export function itemWords(item: JsonObject): string {
  return [...new Set([titleOf(item), descriptionOf(item)])].filter(Boolean).join(': ');
}

export function titleOf(item: JsonObject): string {
  return firstOf(item, TITLES) || wishOf(item);
}

export function descriptionOf(item: JsonObject): string {
  return firstOf(item, DESCRIPTIONS);
}

function wishOf(item: JsonObject): string {
  const [who, what, why] = [WHO, WHAT, WHAT_FOR].map((names) => firstOf(item, names));
  if (!what) return '';
  return [who && `As ${who}, `, `I want ${what}`, why && `, so that ${why}`].filter(Boolean).join('');
}

function firstOf(item: JsonObject, names: readonly string[]): string {
  const found = keysIn(item, names)
    .map((key) => item[key])
    .find((words) => text(words) && words.trim() !== '');
  return text(found) ? found.trim() : '';
}

export function stepsOf(item: JsonObject): string[] {
  const given = keysIn(item, STEPS).map((key) => stepsIn(item[key]));
  return given.find((steps) => steps.length > 0) ?? [];
}

/** A step may be an object with words of any name, and the steps may be grouped. */
function stepsIn(value: unknown): string[] {
  if (text(value)) return value.trim() === '' ? [] : [value.trim()];
  if (Array.isArray(value)) return value.flatMap((step) => (isRecord(step) ? stepIn(step) : stepsIn(step)));
  return isRecord(value) ? Object.values(value).flatMap(stepsIn) : [];
}

function stepIn(step: JsonObject): string[] {
  const texts = Object.values(step).filter((part) => text(part));
  return stepsIn(itemWords(step) || texts.join(': '));
}

/** In this order: a yes-or-no field comes before a word. */
const FIELDS = wordList(`
  passes passed passing ispassing done isdone complete completed iscomplete iscompleted finished
  checked status state
`);
/**
 * These count only where an item has one of them alone: `implemented` beside `verified` is not yet "done".
 */
const WEAK = wordList('implemented verified validated tested resolved fixed closed');

/** For a list without such a field in any item. */
const USUAL_FIELD = 'passes';
/** A longer value is a remark. */
const MAX_WORD_CHARS = 40;

export function markFieldOf(item: JsonObject): string | null {
  const given = keysIn(item, FIELDS);
  const known = given.find((field) => item[field] !== null) ?? given[0];
  if (known !== undefined) return known;
  const [only, ...others] = Object.keys(item).filter((key) => isWeak(key, item[key]));
  return only !== undefined && others.length === 0 ? only : null;
}

/** `implemented: true`, or a status under a longer name (`test_status: "passing"`). */
function isWeak(key: string, value: unknown): boolean {
  const plain = plainKey(key);
  if (WEAK.includes(plain)) return typeof value === 'boolean';
  return isWordField(key) && text(value) && stateOf(value) !== 'unknown';
}

function isWordField(key: string): boolean {
  return /(?:status|state)$/.test(plainKey(key));
}

export function itemState(item: JsonObject): ItemState {
  const field = markFieldOf(item);
  const state = field === null ? 'open' : stateIn(item[field]);
  const isBlocked = keysIn(item, ['blocked', 'isblocked']).some((key) => item[key] === true);
  return isBlocked && state === 'open' ? 'held' : state;
}

function stateIn(value: unknown): ItemState {
  if (value === true) return 'done';
  if (value === false || value === null || value === undefined) return 'open';
  return text(value) ? stateOf(value) : 'unknown';
}

/**
 * What to write to close and to reopen an item, following the other items of its list. `declared`: the words
 * that the file itself allows, if it says so.
 */
export function marksOf(items: readonly JsonObject[], declared: readonly string[]) {
  const usual = mostOf(items.flatMap((item) => markFieldOf(item) ?? [])) ?? USUAL_FIELD;
  const known = new Map<string, Mark>();
  return (item: JsonObject): Mark => {
    const field = markFieldOf(item) ?? usual;
    const mark = known.get(field) ?? markIn(items, field, declared);
    known.set(field, mark);
    return mark;
  };
}

function markIn(items: readonly JsonObject[], field: string, declared: readonly string[]): Mark {
  const words = items
    .map((item) => item[field])
    .filter((value) => text(value))
    .filter((word) => word.trim() !== '' && word.length <= MAX_WORD_CHARS);
  // `"true"` in quotes is no yes. The agent is told to write the real one.
  if (!isWordField(field) && words.every((word) => /^(?:true|false|yes|no)$/i.test(word.trim())))
    return { field, done: 'true', open: 'false' };
  const isDone = (word: string) => stateOf(word) === 'done';
  const open =
    mostOf(words.filter((word) => stateOf(word) === 'open')) ?? declared.find((word) => !isDone(word));
  const done =
    mostOf(words.filter(isDone)) ??
    declared.find(isDone) ??
    doneFor([...(open === undefined ? [] : [open]), ...words]);
  return {
    field,
    done: JSON.stringify(oneLine(done, MAX_WORD_CHARS)),
    open: JSON.stringify(oneLine(open ?? 'pending', MAX_WORD_CHARS)),
  };
}

/** For a list in which nothing is done yet: the counterpart of one of its words for "open". */
function doneFor(words: readonly string[]): string {
  const paired = words.find((word) => PAIRS.has(word.trim().toLowerCase())) ?? words[0] ?? '';
  const word = PAIRS.get(paired.trim().toLowerCase()) ?? 'done';
  return paired === paired.toUpperCase() && paired !== paired.toLowerCase() ? word.toUpperCase() : word;
}

const PAIRS: ReadonlyMap<string, string> = new Map([
  ['failing', 'passing'],
  ['fail', 'pass'],
  ['failed', 'passed'],
  ['incomplete', 'complete'],
  ['pending', 'completed'],
  ['open', 'closed'],
  ['未开始', '已完成'],
  ['pendiente', 'completado'],
  ['pendente', 'concluído'],
  ['à faire', 'terminé'],
  ['offen', 'erledigt'],
]);

function mostOf(words: readonly string[]): string | null {
  const [most] = [...groupBy(words, (word) => word).values()].toSorted((a, b) => b.length - a.length);
  return most?.[0] ?? null;
}
