/** Asks other agents whether the work is done. A separate file in the plugin: most loops ask none. */
import { dirname, join } from 'node:path';
import { reviewerOf, type ReviewGate } from '#law/gates.ts';
import type { EventOf } from '#law/record/events.ts';
import type { GateResult } from '#law/record/verdict.ts';
import type { Proofs } from '#law/stop.ts';
import { few, sayCheck, sayReviewer } from '#law/words/phrases.ts';
import { fenced, oneLine } from '#base/words/sanitize.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
import { readEnd } from '#base/files/read.ts';
import { supervise } from '#base/process/supervise.ts';
import { evidenceFile } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';

export const QUESTION = 'review.json';

export interface ReviewQuestion {
  readonly n: number;
  readonly proofs: readonly string[];
  readonly timeoutMs: number;
  readonly evidence: string;
}

/** A large change takes a while to read. In a session there is less time. */
const MAX_REVIEW_MS = 30 * 60_000;
const MAX_OUTPUT_CHARS = 1_000;
const MAX_FINDINGS_LISTED = 8;
const MAX_SENTENCE_CHARS = 500;

interface ReviewOrder {
  readonly open: OpenLoop;
  readonly gates: readonly ReviewGate[];
  readonly proofs: Proofs;
  readonly n: number;
}

/** One result per reviewer. Null: this process was told to end. */
export async function hearReviews(
  { open, gates, proofs, n }: ReviewOrder,
  { signal, leftMs }: { readonly signal: AbortSignal; readonly leftMs: number },
  { runner, store }: Runtime,
): Promise<readonly GateResult[] | null> {
  const { id, project } = open.loop();
  const timeoutMs = Math.max(1, Math.min(MAX_REVIEW_MS, leftMs));
  const output = evidenceFile(open, `stop-${n}-review.txt`);
  const question: ReviewQuestion = { n, proofs: sayProofs(proofs), timeoutMs, evidence: output };
  open.blobs.write(QUESTION, JSON.stringify(question));
  const args = [join(dirname(runner), 'reviewer.cjs'), store.place(), id];
  const order = { command: process.execPath, args, cwd: project, timeoutMs, output };
  const account = await supervise(order, runner, signal);
  if (signal.aborted) return null;
  const { reviewed = {} } = open.look().noted;
  const late =
    account.is === 'timed-out'
      ? 'it gave no answer in time'
      : oneLine(readEnd(output, MAX_SENTENCE_CHARS), MAX_SENTENCE_CHARS);
  const results = gates.map((gate) => {
    const event = reviewed[reviewerOf(gate)];
    // An approval of before counts as long as the work is the same. Then nobody was asked.
    const isHeard = event?.n === n || (event?.answer === 'approved' && isDone(account));
    return event !== undefined && isHeard ? resultOf(event, gate) : troubled(gate, late || NOT_RUN);
  });
  // What is still missing comes before trouble with another reviewer: the agent can do something about it.
  const isObjected = results.some(({ holds, trouble }) => !holds && trouble === null);
  return isObjected ? results.map((result) => ({ ...result, trouble: null })) : results;
}

const NOT_RUN = 'its program did not run';

function isDone(account: Awaited<ReturnType<typeof supervise>>): boolean {
  return account.is === 'ended' && account.exit === 0;
}

function sayProofs({ checks, gateResults }: Proofs): string[] {
  const says = checks.map((proof) => {
    const output = proof.evidence === null ? '' : readEnd(proof.evidence, MAX_OUTPUT_CHARS).trim();
    const ends = output === '' ? '' : `. The end of its output:\n${fenced(output)}`;
    return `${sayCheck(proof)} ${sayOutcome(proof.outcome)}${ends}`;
  });
  return [...says, ...gateResults.filter(({ holds }) => holds).map((gateResult) => gateResult.says)];
}

function troubled(gate: ReviewGate, why: string): GateResult {
  const says = `${sayReviewer(gate)} could not review the work: ${why}`;
  return { gate: 'review', by: reviewerOf(gate), holds: false, says, trouble: says };
}

function resultOf({ answer, words, review }: EventOf<'reviewed'>, gate: ReviewGate): GateResult {
  const who = `${sayReviewer(gate)} has reviewed the work`;
  const said = few(words, (one) => oneLine(one, MAX_SENTENCE_CHARS), MAX_FINDINGS_LISTED).join('; ');
  if (answer === 'unreached') return troubled(gate, said);
  const result = { gate: 'review', by: reviewerOf(gate) } as const;
  if (answer === 'approved') return { ...result, holds: true, says: `${who} and approves`, trouble: null };
  const says = `${who} (review ${review} of ${gate.most}). Missing: ${said}`;
  return { ...result, holds: false, says, trouble: review < gate.most ? null : says };
}
