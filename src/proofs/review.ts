/**
 * Asks another agent whether the work is done. A whole agent runs for that, in a process of its own under the supervisor
 * (`review/main.ts`). A separate file in the plugin, since most loops have none.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ReviewGate } from '../core/gates.ts';
import { topFrame, type Loop } from '../core/loop.ts';
import type { EventOf } from '../core/record/events.ts';
import { contentOf } from '../core/record/mark.ts';
import type { GateResult } from '../core/record/verdict.ts';
import { amount, list, oneOf, orNull, readAs, record, text, whole, type Infer } from '../core/shape.ts';
import type { Proofs } from '../core/stop.ts';
import { few, sayCheck, sayNames, sayReviewer } from '../core/words/phrases.ts';
import { fenced, oneLine } from '../core/words/sanitize.ts';
import { sayOutcome } from '../core/words/seldom.ts';
import { readEnd } from '../files/read.ts';
import { filesBetween, treeMark } from '../git/marks/mark.ts';
import { supervise, type Account } from '../process/supervise.ts';
import { evidenceFile, treeStore } from '../store/evidence.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { readPromptText } from '../store/prompts.ts';
import type { Runtime } from '../store/runtime.ts';
import { ownFiles } from '../views/names.ts';

export interface ReviewOrder extends Pick<ReviewGate, 'host' | 'model'> {
  readonly project: string;
  readonly task: string;
  readonly proofs: readonly string[];
  /** The mark of the work tree when the loop began, the store that it is in, and the files that don't count. */
  readonly begun: string | null;
  readonly store: string;
  readonly ignored: readonly string[];
  readonly timeoutMs: number;
  /** The file that the answer goes to. */
  readonly answer: string;
}

const reviewAnswer = record({
  answer: oneOf('approved', 'objected', 'unreached'),
  words: list(text),
  asked: text,
  used: orNull(record({ costUsd: amount, tokens: whole })),
});
export type ReviewAnswer = Infer<typeof reviewAnswer>;

/** A large change takes a while to read. In a session there is less time. */
const MOST_MS = 30 * 60_000;
const OUTPUT = 1_000;
const TOLD = 8;
const WORDS = 500;

/** Null: this process was told to end. Records what the reviewer was given and what it said. */
export async function hearReview(
  open: OpenLoop,
  gate: ReviewGate,
  proofs: Proofs,
  n: number,
  bench: { readonly signal: AbortSignal; readonly leftMs: number },
  runtime: Runtime,
): Promise<GateResult | null> {
  const loop = open.loop();
  const before = loop.noted.reviewed;
  const tree = await treeOf(open);
  if (before?.answer === 'approved' && tree !== null && before.tree === tree) return sightOf(before, gate);
  const timeoutMs = Math.max(1, Math.min(MOST_MS, bench.leftMs));
  const evidence = evidenceFile(open, `stop-${n}-review.txt`);
  const { said, ms } = await ask(open, gate, proofs, { ...bench, timeoutMs, evidence }, runtime);
  if (bench.signal.aborted) return null;
  const touched = await changedFrom(open, tree);
  const { host, model } = gate;
  const event: EventOf<'reviewed'> = {
    type: 'reviewed',
    at: runtime.now(),
    n,
    host,
    model,
    // After the last objection it may make, a person had to resume the loop.
    review: before?.answer === 'objected' && before.review < gate.most ? before.review + 1 : 1,
    tree,
    ...said,
    ...(touched !== null && {
      answer: 'unreached' as const,
      words: [`its answer does not count, because meanwhile these files changed: ${touched}`],
    }),
    ms,
    evidence,
  };
  open.write(event);
  return sightOf(event, gate);
}

async function treeOf(open: OpenLoop): Promise<string | null> {
  const loop = open.loop();
  const mark = await treeMark(loop.project, treeStore(open), ownFiles(loop));
  return mark && contentOf(mark);
}

/** The files that differ, in words. Null: none, or nobody can tell. */
async function changedFrom(open: OpenLoop, tree: string | null): Promise<string | null> {
  const now = tree === null ? null : await treeOf(open);
  if (tree === null || now === null || now === tree) return null;
  return sayNames((await filesBetween(open.loop().project, tree, now, treeStore(open))) ?? ['unknown files']);
}

type Asked = { readonly said: ReviewAnswer; readonly ms: number };

async function ask(
  open: OpenLoop,
  gate: ReviewGate,
  proofs: Proofs,
  bench: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly evidence: string },
  { runner }: Runtime,
): Promise<Asked> {
  const scratch = open.folder(`review-${randomUUID()}`);
  const [question, answer] = [join(scratch, 'question.json'), join(scratch, 'answer.json')];
  const { timeoutMs, evidence: output, signal } = bench;
  try {
    writeFileSync(question, JSON.stringify(orderFor(open, gate, proofs, timeoutMs, answer)), { mode: 0o600 });
    const args = [join(dirname(runner), 'reviewer.cjs'), question];
    const cwd = open.loop().project;
    const account = await supervise(
      { command: process.execPath, args, cwd, timeoutMs, output },
      runner,
      signal,
    );
    const said = readAs(reviewAnswer, () => readFileSync(answer, 'utf8')) ?? unheard(account, output);
    return { said, ms: account.ms };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function unheard(account: Account, output: string): ReviewAnswer {
  const why =
    account.is === 'timed-out'
      ? 'it gave no answer in time'
      : `it ended: ${oneLine(readEnd(output, WORDS), WORDS)}`;
  return { answer: 'unreached', words: [why], asked: 'the task', used: null };
}

function orderFor(
  open: OpenLoop,
  { host, model }: ReviewGate,
  proofs: Proofs,
  timeoutMs: number,
  answer: string,
): ReviewOrder {
  const loop = open.loop();
  return {
    host,
    model,
    project: loop.project,
    task: readPromptText(open.blobs, topFrame(loop).prompt),
    proofs: [
      ...proofs.checks.map((proof) => {
        const output = proof.evidence === null ? '' : readEnd(proof.evidence, OUTPUT).trim();
        const ends = output === '' ? '' : `. The end of its output:\n${fenced(output)}`;
        return `${sayCheck(proof)} ${sayOutcome(proof.outcome)}${ends}`;
      }),
      ...proofs.sights.filter(({ holds }) => holds).map(({ says }) => says),
    ],
    begun: loop.begunTree,
    store: treeStore(open),
    ignored: ownFiles(loop).ignored,
    timeoutMs,
    answer,
  };
}

function sightOf(
  { answer, words, review }: NonNullable<Loop['noted']['reviewed']>,
  gate: ReviewGate,
): GateResult {
  const who = sayReviewer(gate);
  const said = few(words, (one) => oneLine(one, WORDS), TOLD).join('; ');
  const sight = (holds: boolean, says: string, trouble: string | null): GateResult => ({
    gate: 'review',
    holds,
    says,
    trouble,
  });
  if (answer === 'approved') return sight(true, `${who} has reviewed the work and approves`, null);
  if (answer === 'unreached') {
    const why = `${who} could not review the work: ${said}`;
    return sight(false, why, why);
  }
  const objects = `${who} has reviewed the work (review ${review} of ${gate.most}). Missing: ${said}`;
  return sight(false, objects, review < gate.most ? null : objects);
}
