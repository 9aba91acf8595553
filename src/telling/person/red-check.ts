/**
 * Why a check fails before the first pass: a person sees at once whether it is the failure that they mean.
 */
import type { CheckProof } from '#law/record/verdict.ts';
import { sayCheck } from '#law/words/phrases.ts';
import { oneLine, nearPaths } from '#base/words/sanitize.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
import { failingLines } from '../failing.ts';
import { tookTime } from '../time.ts';

const MAX_LINES_SHOWN = 3;
const MAX_LINE_CHARS = 200;

/** "fails now: exit code 1, 0.6 s"; empty: it does not fail. */
export function sayFailsNow({ outcome, ms }: CheckProof): string {
  if (outcome.is === 'passed' || outcome.is === 'not-yet') return '';
  const how = outcome.is === 'failed' ? `exit code ${outcome.exit}` : sayOutcome(outcome);
  return `fails now: ${how}, ${tookTime(ms)}`;
}

/** The lines of its output that tell the most. `folder`: where it ran. */
export function tellingLines({ outcome }: CheckProof, folder: string): string[] {
  const tail = 'tail' in outcome ? nearPaths(outcome.tail, folder) : '';
  return failingLines(tail, MAX_LINES_SHOWN).map((line) => oneLine(line, MAX_LINE_CHARS));
}

/** For each check that fails: how, and the telling lines below. `before`: stands before each. */
export function sayRedChecks(proofs: readonly CheckProof[], before: string, folder: string): string[] {
  return proofs.flatMap((proof) => {
    const fails = sayFailsNow(proof);
    if (fails === '') return [];
    return [
      `${before}${sayCheck(proof)} ${fails}`,
      ...tellingLines(proof, folder).map((line) => `  ${line}`),
    ];
  });
}
