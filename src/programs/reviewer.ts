/**
 * The program of a review: `reviewer.cjs HOME LOOP`. It asks all reviewers of a loop at once, on ground of
 * their own, and records what each answers. It prints both sides in full, as evidence. Its supervisor ends
 * what it leaves behind.
 */
import { reviewerOf, reviewsOf, type ReviewGate } from '#law/gates.ts';
import type { EventOf } from '#law/record/events.ts';
import { contentOf } from '#law/record/mark.ts';
import { few, plural, sayNames } from '#law/words/phrases.ts';
import { endsOf, oneLine } from '#base/words/sanitize.ts';
import { diffSince } from '#evidence/git/marks/diff.ts';
import { filesBetween, takeTreeMark } from '#evidence/git/marks/mark.ts';
import { QUESTION, type ReviewQuestion } from '#evidence/proofs/review.ts';
import { treeStore } from '#store/evidence.ts';
import { homeAt } from '#store/file/home.ts';
import { fileStore } from '#store/file/store.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { readPromptText } from '#store/prompts.ts';
import { isAlive } from '#store/runtime.ts';
import { reviewBrief } from '#telling/agent/review.ts';
import { ownFiles } from '#evidence/views/names.ts';
import { askReviewer, unreached, type ReviewerAnswer } from '#engine/review/ask-reviewer.ts';
import { matchHostFiles, withReviewGround } from '#engine/review/ground.ts';

/** The agent can read the files, so it needs no more of a long diff. */
const MAX_DIFF_CHARS = 60_000;
/** Left for our own end when the agents have used their time. */
const OWN_MS = 5_000;
const MAX_FILES_LISTED = 8;
const MAX_NAME_CHARS = 120;

const [, , home = '', id = ''] = process.argv;
const store = fileStore(homeAt(home));
const stop = new AbortController();

async function main(open: OpenLoop): Promise<void> {
  const question = JSON.parse(open.blobs.read(QUESTION) ?? '') as ReviewQuestion;
  const tree = await hashWorkTree(open);
  const gates = reviewsOf(open.loop().frame).filter((gate) => !hasApproved(open, gate, tree));
  if (gates.length === 0) return;
  const write = async (gate: ReviewGate, asked: string, heard: ReviewerAnswer) => {
    if (!stop.signal.aborted)
      writeReview(open, { gate, question, tree, asked, heard: await counted(open, tree, heard) });
  };
  const hosts = gates.map(({ host }) => host);
  const obeyed = await changedHostFiles(open, tree, hosts);
  if (obeyed.length > 0) {
    const heard: ReviewerAnswer = { answer: 'objected', words: [sayObeyed(obeyed)], used: null };
    for (const gate of gates) await write(gate, 'nothing: it was not started', heard);
    return;
  }
  const { briefFor, asked } = await prepareMatter(open, question);
  const order = { home, isAlive, hosts, project: open.loop().project, signal: stop.signal };
  const done = await withReviewGround(order, async (folder) => {
    const ask = async (gate: ReviewGate) => {
      const said: string[] = [];
      const place = {
        folder,
        loop: open.loop(),
        store,
        signal: stop.signal,
        onWords: (words: string) => void said.push(words),
      };
      const heard = await askReviewer(gate, briefFor(gate), { ...place, endMs: question.timeoutMs - OWN_MS });
      process.stdout.write(`${said.join('')}\n`);
      await write(gate, asked, heard);
    };
    await Promise.all(gates.map(ask));
    return { ok: true as const };
  });
  if (!done.ok) for (const gate of gates) await write(gate, asked, unreached(`${done.message} ${done.next}`));
}

/** An approval counts for the task and the work tree that it saw. */
function hasApproved(open: OpenLoop, gate: ReviewGate, tree: string | null): boolean {
  const last = lastOf(open, gate);
  return last?.answer === 'approved' && tree !== null && last.tree === tree;
}

/** What it last said about this task. */
function lastOf(open: OpenLoop, gate: ReviewGate): EventOf<'reviewed'> | null {
  const last = open.loop().noted.reviewed?.[reviewerOf(gate)];
  return last?.task === open.loop().frame.prompt ? last : null;
}

/** What the reviewers get: the same for all, but for what each has to look for. */
async function prepareMatter(open: OpenLoop, { proofs }: ReviewQuestion) {
  const loop = open.loop();
  const place = { project: loop.project, store: treeStore(open), ignored: ownFiles(loop).ignored };
  const known = loop.begunTree === null ? null : await diffSince(place, loop.begunTree);
  const diff = known === null ? null : endsOf(known, MAX_DIFF_CHARS) || 'Nothing has changed.';
  const task = readPromptText(open.blobs, loop.frame.prompt);
  const lines = known === null ? [] : [`a diff of ${plural(known.split('\n').length - 1, 'line')}`];
  const briefFor = ({ rubric }: ReviewGate) =>
    reviewBrief({
      task,
      proofs,
      diff,
      rubric: rubric === undefined ? null : readPromptText(open.blobs, rubric),
    });
  return { briefFor, asked: ['the task', ...lines, plural(proofs.length, 'proof')].join(', ') };
}

/**
 * What the loop has changed of the files that hosts obey. No reviewer sees them as such, and whoever opens
 * the project next does, so a person has to look at them.
 */
async function changedHostFiles(
  open: OpenLoop,
  tree: string | null,
  hosts: readonly string[],
): Promise<string[]> {
  const { project, begunTree } = open.loop();
  if (tree === null || begunTree === null || begunTree === tree) return [];
  const files = await filesBetween(project, begunTree, tree, treeStore(open));
  return (files ?? []).filter(matchHostFiles(hosts));
}

function sayObeyed(files: readonly string[]): string {
  const named = few(files, (file) => oneLine(file, MAX_NAME_CHARS), MAX_FILES_LISTED).join(', ');
  const says = `the work changes files that coding agents obey (${named})`;
  return `${says}, which no reviewer can judge: take that back, or a person looks at it`;
}

/**
 * An answer counts only if the work is still what was reviewed. A tree that can't be compared any more has
 * changed.
 */
async function counted(open: OpenLoop, tree: string | null, heard: ReviewerAnswer): Promise<ReviewerAnswer> {
  const after = tree === null ? null : await hashWorkTree(open);
  if (after === tree) return heard;
  const { project } = open.loop();
  const known = tree !== null && after !== null;
  const files = known ? await filesBetween(project, tree, after, treeStore(open)) : null;
  const names = sayNames(files ?? ['unknown']);
  return unreached(`its answer does not count, because meanwhile these files changed: ${names}`, heard.used);
}

interface Review {
  readonly gate: ReviewGate;
  readonly question: ReviewQuestion;
  readonly tree: string | null;
  readonly asked: string;
  readonly heard: ReviewerAnswer;
}

function writeReview(open: OpenLoop, { gate, question: { n, evidence }, tree, asked, heard }: Review): void {
  const before = lastOf(open, gate);
  open.write({
    type: 'reviewed',
    at: new Date().toISOString(),
    n,
    host: gate.host,
    model: gate.model,
    // After the last objection that it may make, a person had to resume the loop.
    review: before?.answer === 'objected' && before.review < gate.most ? before.review + 1 : 1,
    task: open.loop().frame.prompt,
    tree,
    asked,
    ...heard,
    ms: Math.round(performance.now()),
    evidence,
  });
}

async function hashWorkTree(open: OpenLoop): Promise<string | null> {
  const loop = open.loop();
  const mark = await takeTreeMark(loop.project, treeStore(open), ownFiles(loop));
  return mark && contentOf(mark);
}

process.on('SIGTERM', () => stop.abort());
const opened = store.open(id);
if (opened === null) throw new Error(`loop ${id} is not there`);
void main(opened).finally(() => {
  opened.close();
  // What was broken off has no answer.
  if (stop.signal.aborted) process.exitCode = 1;
});
