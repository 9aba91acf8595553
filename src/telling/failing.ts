/**
 * The part of a check's output that shows what failed. Test runners print it far above their last line, and
 * the end is often only a summary. So we keep the lines around the first failure, and the end.
 */
import { harmless, headOf, tailOf } from '#base/words/sanitize.ts';

// Only one letter before "Error": the engine would retry a run of letters from each of them, and a line may
// hold 16 MB.
const FAILURE = /\bFAIL(?:ED|URE)?\b|\berror\b|\bnot ok\b|[✗✕✖×]|\wError\b|\bpanicked\b|^Traceback /imu;
/** A line that counts zero failures, or reports what passed, is not a failure. */
const HARMLESS = /\b(?:0|no) (?:errors?|fail(?:ed|ures?|ing)?)\b|^\s*(?:✓|✔|√|ok\b|PASS\b)/iu;
/**
 * Lines of TAP, and of what Node prints instead from version 24 on, that frame a failure or count nothing,
 * and calls within Node itself. Dropping them leaves room for what was expected and what came.
 */
const FRAME_LINES = [
  String.raw`(?:# +)?at .*\bnode:internal/.*`,
  String.raw`---|\.\.\.`,
  "duration_ms: .*|type: '(?:test|suite)'|failureType: .*",
  '[#ℹ] (?:suites|cancelled|skipped|todo) 0|[#ℹ] duration_ms .*',
];
const FRAME = new RegExp(String.raw`^\s*(?:${FRAME_LINES.join('|')})$`, 'u');
/** From version 24 on, Node tells below this line what failed, and above it only the names of all tests. */
const DETAILS = '✖ failing tests:';
/** Runners print the file and the name of the suite just before the failure. */
const LINES_BEFORE = 3;

/** At most `most` characters. If the output is longer, the failure and the end share the room. */
export function failingPart(output: string, most: number): string {
  const clean = harmless(output).trimEnd();
  const half = most >> 1;
  const from = firstFailure(clean);
  // If the output is short, or the failure is near the end anyway, the end gets all the room.
  if (from === null || from >= clean.length - most) return endOf(clean, most);
  const part = headOf(clean.slice(from), half).trimEnd();
  return `${from === 0 ? '' : '…\n'}${part}\n${endOf(clean, most - half)}`;
}

/** The output may be megabytes and is already clean, so only the part that is kept is cleaned again. */
function endOf(clean: string, most: number): string {
  return tailOf(clean.slice(-most - 1), most);
}

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

/** The few lines that matter most: from the first failure on, and the end. Empty lines are dropped. */
export function failingLines(output: string, most: number): string[] {
  if (most <= 0) return [];
  const all = harmless(output)
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (all.length <= most) return all;
  // Without that line, all of it.
  const lines = all.slice(all.indexOf(DETAILS) + 1).filter((line) => !FRAME.test(line));
  if (lines.length <= most) return lines;
  const first = lines.findIndex((line) => FAILURE.test(line) && !HARMLESS.test(line));
  const end = most > 5 ? 2 : 0;
  const from = first === -1 ? lines.length - most : Math.min(first, lines.length - most);
  // Without a failure further up, show only the end.
  if (first === -1 || from === lines.length - most) return lines.slice(-most);
  const head = lines.slice(from, from + most - end - (end === 0 ? 0 : 1));
  return end === 0 ? head : [...head, '…', ...lines.slice(-end)];
}
