/** The verdicts with which a loop waits for a person. Most loops never do, so they never load this. */
import type { Verdict } from '../record/verdict.ts';

const WAIT = { is: 'allow', why: 'approval', shells: [], until: null } as const;

/** A request is open. */
export function waitForAnswer(): Verdict {
  return WAIT;
}

/** The agent asks. */
export function waitToAnswer(question: string): Verdict {
  return { ...WAIT, asks: { kind: 'question', text: question } };
}

/** The gates hold. */
export function waitToConfirm(): Verdict {
  return { ...WAIT, asks: { kind: 'completion', text: 'The gates hold: is the task done?' } };
}
