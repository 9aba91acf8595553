/** The keys of a JSON item, by any usual spelling, and its text: title, description and steps. */
import { isRecord, text } from '../core/shape.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The items of a list share their keys, so each is made plain once, not once per item. A file may have very many keys. */
const PLAIN = new Map<string, string>();
const MOST_PLAIN = 2_000;

/** `dependsOn`, `depends_on` and `DependsOn` are one. */
export function plainKey(key: string): string {
  const plain = PLAIN.get(key) ?? key.toLowerCase().replace(/[_\s-]/g, '');
  if (PLAIN.size < MOST_PLAIN) PLAIN.set(key, plain);
  return plain;
}

/** Words separated by white space. */
export function wordList(words: string): readonly string[] {
  return words.trim().split(/\s+/);
}

/** Every key that has one of these names, in the order of the names. */
export function keysIn(object: JsonObject, names: readonly string[]): string[] {
  const found = Object.keys(object).filter((key) => names.includes(plainKey(key)));
  return found.toSorted((a, b) => names.indexOf(plainKey(a)) - names.indexOf(plainKey(b)));
}

export function valueOf(object: JsonObject, names: readonly string[]): unknown {
  const [key] = keysIn(object, names);
  return key === undefined ? null : object[key];
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

export function wordsOf(item: JsonObject): string {
  return [...new Set([titleOf(item), descriptionOf(item)])].filter(Boolean).join(': ');
}

export function titleOf(item: JsonObject): string {
  return firstOf(item, TITLES) || wishOf(item);
}

export function descriptionOf(item: JsonObject): string {
  return firstOf(item, DESCRIPTIONS);
}

/** A story in three parts: who, what, and what for. */
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
  for (const key of keysIn(item, STEPS)) {
    const steps = stepsIn(item[key]);
    if (steps.length > 0) return steps;
  }
  return [];
}

/** A step may be an object with words of any name, and the steps may be grouped. */
function stepsIn(value: unknown): string[] {
  if (text(value)) return value.trim() === '' ? [] : [value.trim()];
  if (Array.isArray(value)) return value.flatMap((step) => (isRecord(step) ? stepIn(step) : stepsIn(step)));
  return isRecord(value) ? Object.values(value).flatMap(stepsIn) : [];
}

function stepIn(step: JsonObject): string[] {
  const words =
    wordsOf(step) ||
    Object.values(step)
      .filter((part) => text(part))
      .join(': ');
  return words.trim() === '' ? [] : [words.trim()];
}
