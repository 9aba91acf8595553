/** The text of a JSON item: its title and its description, under the names that people use. */
import { text } from '../core/shape.ts';

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
