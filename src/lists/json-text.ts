/** Parses a JSON text, and finds the line of an error for a person or an agent who has to correct it. */
import { errorMessage, type Attempt } from '../core/shape.ts';

export function parseJson(content: string): Attempt<{ readonly value: unknown }> {
  try {
    return { ok: true, value: JSON.parse(content) };
  } catch (error) {
    return { ok: false, why: sayBroken(content, error) };
  }
}

/** Why it is not JSON, with the line. The wording comes from the engine and differs from version to version. */
function sayBroken(content: string, error: unknown): string {
  const plain = errorMessage(error)
    .replace(/ (?:in JSON )?at position \d+.*$/s, '')
    .replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, '');
  return `line ${brokenLine(content)}: ${plain}`;
}

/** The first line with which the text can't become JSON any more. Not every message of the engine tells a position. */
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
