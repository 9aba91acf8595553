/** The text of a JSON item: its title, its description and its steps, under the names that people use. */
import { isRecord, text } from '../core/shape.ts';
import { keyNames, keysIn, type JsonObject } from './json-keys.ts';

const TITLES = keyNames(`
  title name summary feature task story userstory behavior behaviour requirement goal objective
  subject label content text
`);
const DESCRIPTIONS = ['description', 'details', 'body', 'uservisiblebehavior', 'summary'];
const STEPS = keyNames(`
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

/** The first of its lists of steps that holds any. */
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
