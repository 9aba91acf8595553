/** Asks another agent whether the work is done. A separate file in the plugin: most loops ask none. */
import { dirname, join } from 'node:path';
import type { ReviewGate } from '../core/gates.ts';
import type { EventOf } from '../core/record/events.ts';
import type { GateResult } from '../core/record/verdict.ts';
import type { Proofs } from '../core/stop.ts';
import { few, sayCheck, sayReviewer } from '../core/words/phrases.ts';
import { fenced, oneLine } from '../core/words/sanitize.ts';
import { sayOutcome } from '../core/words/seldom.ts';
import { readEnd } from '../files/read.ts';
import { supervise } from '../process/supervise.ts';
import { evidenceFile } from '../store/evidence.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';

export const QUESTION = 'review.json';

export interface ReviewQuestion {
  readonly n: number;
  readonly proofs: readonly string[];
  readonly timeoutMs: number;
  readonly evidence: string;
}

/** A large change takes a while to read. In a session there is less time. */
const MOST_MS = 30 * 60_000;
const OUTPUT = 1_000;
const TOLD = 8;
const WORDS = 500;

/** Null: this process was told to end. */
export async function hearReview(
  open: OpenLoop,
  gate: ReviewGate,
  proofs: Proofs,
  n: number,
  { signal, leftMs }: { readonly signal: AbortSignal; readonly leftMs: number },
  { runner, store }: Runtime,
): Promise<GateResult | null> {
  const { id, project } = open.loop();
  const timeoutMs = Math.max(1, Math.min(MOST_MS, leftMs));
  const output = evidenceFile(open, `stop-${n}-review.txt`);
  const question: ReviewQuestion = { n, proofs: sayProofs(proofs), timeoutMs, evidence: output };
  open.blobs.write(QUESTION, JSON.stringify(question));
  const args = [join(dirname(runner), 'reviewer.cjs'), store.place(), id];
  const order = { command: process.execPath, args, cwd: project, timeoutMs, output };
  const account = await supervise(order, runner, signal);
  if (signal.aborted) return null;
  const event = open.look().noted.reviewed;
  if (account.is === 'ended' && account.exit === 0 && event !== undefined) return sightOf(event, gate);
  const why =
    account.is === 'timed-out' ? 'it gave no answer in time' : oneLine(readEnd(output, WORDS), WORDS);
  return troubled(gate, why || 'its program did not run');
}

function sayProofs({ checks, sights }: Proofs): string[] {
  const says = checks.map((proof) => {
    const output = proof.evidence === null ? '' : readEnd(proof.evidence, OUTPUT).trim();
    const ends = output === '' ? '' : `. The end of its output:\n${fenced(output)}`;
    return `${sayCheck(proof)} ${sayOutcome(proof.outcome)}${ends}`;
  });
  return [...says, ...sights.filter(({ holds }) => holds).map((sight) => sight.says)];
}

function troubled(gate: ReviewGate, why: string): GateResult {
  const says = `${sayReviewer(gate)} could not review the work: ${why}`;
  return { gate: 'review', holds: false, says, trouble: says };
}

function sightOf({ answer, words, review }: EventOf<'reviewed'>, gate: ReviewGate): GateResult {
  const who = `${sayReviewer(gate)} has reviewed the work`;
  const said = few(words, (one) => oneLine(one, WORDS), TOLD).join('; ');
  if (answer === 'unreached') return troubled(gate, said);
  if (answer === 'approved')
    return { gate: 'review', holds: true, says: `${who} and approves`, trouble: null };
  const says = `${who} (review ${review} of ${gate.most}). Missing: ${said}`;
  return { gate: 'review', holds: false, says, trouble: review < gate.most ? null : says };
}
