/**
 * The part of a check's output that tells what failed. Test runners print it far above their last line, and the end
 * alone is often a summary: so the lines around the first failure are kept, and the end.
 */
import { harmless, headOf, tailOf } from '../core/words/sanitize.ts';

// One letter before "Error": a run of them would be tried from each of its letters, and a line may be 16 MB of them.
const FAILURE = /\bFAIL(?:ED|URE)?\b|\berror\b|\bnot ok\b|[✗✕✖×]|\wError\b|\bpanicked\b|^Traceback /imu;
/** A line that only counts none, or tells of what passed, is no failure. */
const HARMLESS = /\b(?:0|no) (?:errors?|fail(?:ed|ures?|ing)?)\b|^\s*(?:✓|✔|√|ok\b|PASS\b)/iu;
/** What a runner says just before: the file, the name of the suite. */
const LINES_BEFORE = 3;

/** At most `most` characters, and then as much of both as there is room for. */
export function failingPart(output: string, most: number): string {
  const clean = harmless(output).trimEnd();
  const half = most >> 1;
  const from = firstFailure(clean);
  // Where all is short, or the failure stands in the end anyway, the end gets all the room.
  if (from === null || from >= clean.length - most) return endOf(clean, most);
  const part = headOf(clean.slice(from), half).trimEnd();
  return `${from === 0 ? '' : '…\n'}${part}\n${endOf(clean, most - half)}`;
}

/** Of megabytes that are clean, only what is kept is cleaned again. */
function endOf(clean: string, most: number): string {
  return tailOf(clean.slice(-most - 1), most);
}

/** Where the lines begin that are to be kept; null: nothing looks like a failure. */
function firstFailure(clean: string): number | null {
  const starts: number[] = [];
  for (let at = 0; at < clean.length;) {
    const newline = clean.indexOf('\n', at);
    const end = newline === -1 ? clean.length : newline;
    const line = clean.slice(at, end);
    starts.push(at);
    if (FAILURE.test(line) && !HARMLESS.test(line)) return starts.at(-1 - LINES_BEFORE) ?? 0;
    if (starts.length > LINES_BEFORE) starts.shift();
    at = end + 1;
  }
  return null;
}

/** The few lines that matter most: from the first failure on, and the end. Empty ones tell nothing. */
export function failingLines(output: string, most: number): string[] {
  if (most <= 0) return [];
  const lines = harmless(output)
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length <= most) return lines;
  const first = lines.findIndex((line) => FAILURE.test(line) && !HARMLESS.test(line));
  const end = most > 5 ? 2 : 0;
  const from = first === -1 ? lines.length - most : Math.min(first, lines.length - most);
  // Without a failure in front the end is all there is to show.
  if (first === -1 || from === lines.length - most) return lines.slice(-most);
  const head = lines.slice(from, from + most - end - (end === 0 ? 0 : 1));
  return end === 0 ? head : [...head, '…', ...lines.slice(-end)];
}
