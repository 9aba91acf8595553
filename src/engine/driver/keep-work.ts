/**
 * Keeps the work of each pass: a point in git for a rollback, and a commit if the person asked for one. A
 * failure never ends a loop: it is reported once.
 */
import { few } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { hasEnded, iterationsInAll, planOf, type Loop } from '#law/loop.ts';
import type { Refusal } from '#base/refusal.ts';
import type { TreeMark } from '#law/record/mark.ts';
import type { Runtime } from '#store/runtime.ts';
import { ownFiles } from '#evidence/views/names.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { treeStore } from '#store/evidence.ts';
import { commitPass } from '#evidence/git/points/commit.ts';
import { sayStrayed, takeTreeMark } from '#evidence/git/marks/mark.ts';
import { LOOP_TRAILER } from '#evidence/git/worktree/merge.ts';
import { recordBeginning, recordWorkSpan } from '#evidence/git/points/points.ts';
import type { TreePair } from '#evidence/git/lists.ts';
import { gapsAfter, readWorkSpans, workSpansSince, type TreeState } from '#evidence/git/points/work-spans.ts';
import { lastWords } from '#telling/person/last-words.ts';
import { gateStatuses, markHolds, type GateStatus } from '#telling/gate-status.ts';
import type { RunEventBody } from '../run-event.ts';
import { readWork } from './work.ts';

type LoopToKeep = Pick<OpenLoop, 'blobs' | 'folder' | 'loop'>;

export interface Keeper {
  readonly begins: (open: LoopToKeep) => Promise<void>;
  /** The stop of the pass was judged. `message`: the agent's last one. */
  readonly ended: (open: LoopToKeep & Pick<OpenLoop, 'write' | 'keep'>, message: string) => Promise<void>;
  /**
   * The pass was interrupted or had a fault. Its work still belongs to the loop. Does nothing after `ended`.
   */
  readonly brokenOff: (open: LoopToKeep) => Promise<void>;
}

/** The first line of a commit: what `git log --oneline` shows without wrapping. */
const MAX_SUBJECT_CHARS = 72;
const MAX_WORDS_CHARS = 300;
const MAX_GATE_CHARS = 40;
const MAX_GATES_LISTED = 5;
/**
 * If the next pass begins this soon after the last one was recorded (`--pause 0`), it begins with what was
 * recorded. A host needs longer until its agent writes a file, and what a person changes in that time counts
 * as the pass's anyway.
 */
const AT_ONCE_MS = 250;

interface PassStart {
  readonly done: number;
  readonly from: TreeState;
  /** When the iteration began; this pass may be a retry in it. */
  readonly first: TreeState;
  /** Changes that someone else made between its tries. */
  readonly foreignChanges: readonly TreePair[];
  readonly work: string;
}

export function openKeeper(tell: (what: RunEventBody) => void, runtime: Runtime): Keeper {
  const speaker = openSpeaker(tell);
  const { complain } = speaker;
  const commits = openCommits(speaker);
  let passStart: PassStart | null = null;
  let main: TreeMark | null = null;
  const last = openLastState();
  return {
    begins: async (open) => {
      const [loop, store] = [open.loop(), treeStore(open)];
      const done = iterationsInAll(loop);
      const { worktreeOf } = planOf(loop);
      main = worktreeOf === null ? null : await takeTreeMark(worktreeOf, store, ownFiles(loop));
      const { project } = loop;
      const { ignored } = ownFiles(loop);
      const from = last.stateAt(done) ?? (await recordBeginning({ project, store, done, ignored }));
      passStart = null;
      if (!from.ok) return complain(withoutGit(from, loop));
      const tries = workSpansSince(readWorkSpans(store), commits.owed() ?? done + 1);
      const foreignChanges = gapsAfter(tries, from.tree);
      const work = readWork(open, loop, MAX_SUBJECT_CHARS);
      passStart = { done, from, first: tries[0]?.from ?? from, foreignChanges, work };
    },
    ended: async (open, message) => {
      const [loop, store] = [open.loop(), treeStore(open)];
      const { worktreeOf, commit, part } = planOf(loop);
      if (worktreeOf !== null && main !== null) {
        const strayed = await sayStrayed(
          { main: worktreeOf, before: main, store },
          ownFiles(loop),
          part !== undefined,
        );
        if (strayed !== null) tell({ is: 'warning', text: strayed });
      }
      if (passStart === null) return;
      const pass = passStart;
      passStart = null;
      const sha = commit === 'none' ? null : await commits.make(loop, store, pass, message);
      const iteration = iterationsInAll(loop);
      // A stop that spends no iteration does not end one.
      const isSpent = iteration !== pass.done;
      const about = { work: pass.work, gates: sayGates(gateStatuses(loop)) };
      const name = isSpent ? String(iteration) : null;
      const point = await recordWorkSpan({ ...orderFor(loop, store, pass), name, about });
      if (point === null) return;
      if (!point.ok) return complain(point);
      last.keep(iteration, point);
      const event = { type: 'recorded', at: runtime.now(), iteration } as const;
      open.write({ ...event, commit: sha ?? point.tree, onBranch: sha !== null });
      open.keep();
    },
    brokenOff: async (open) => {
      if (passStart === null) return;
      const pass = passStart;
      passStart = null;
      const kept = await recordWorkSpan({ ...orderFor(open.loop(), treeStore(open), pass), name: null });
      if (kept?.ok === false) complain(kept);
    },
  };
}

/** What was recorded last, for a pass that begins at once. */
function openLastState() {
  /** `at`: by the clock of this process. */
  let last: { readonly done: number; readonly state: TreeState; readonly at: number } | null = null;
  return {
    stateAt: (done: number) =>
      last?.done === done && performance.now() - last.at < AT_ONCE_MS
        ? { ok: true as const, ...last.state }
        : null,
    keep: (done: number, state: TreeState) => {
      last = { done, state, at: performance.now() };
    },
  };
}

type Speaker = ReturnType<typeof openSpeaker>;

function openSpeaker(tell: (what: RunEventBody) => void) {
  const said = new Set<string>();
  const sayOnce = (text: string, again = false) => {
    if (said.has(text) && !again) return;
    said.add(text);
    tell({ is: 'warning', text });
  };
  return { tell, sayOnce, complain: ({ message, next }: Refusal) => sayOnce(`${message} ${next}`) };
}

/** The commits of a run, one per pass. */
function openCommits({ tell, sayOnce, complain }: Speaker) {
  /** The first iteration whose work git refused to commit. The next commit takes that work along. */
  let owed: number | null = null;
  let branch: string | null = null;
  return { make, owed: () => owed };

  async function make(loop: Loop, store: string, pass: PassStart, message: string): Promise<string | null> {
    const { done, first, foreignChanges } = pass;
    const made = await commitPass({
      project: loop.project,
      store,
      before: first,
      foreignChanges,
      message: commitMessage(loop.id, pass, message),
      includeDirty: planOf(loop).commit === 'all',
      ignored: ownFiles(loop).ignored,
    });
    if (!made.ok) {
      owed ??= done + 1;
      if (hasEnded(loop) && owed <= done) tell({ is: 'warning', text: sayOwed(owed, made) });
      else complain(made);
      return null;
    }
    owed = null;
    const left = made.leftOut.filter(({ why }) => why === 'dirty-before').map(({ path }) => path);
    if (left.length > 0) sayOnce(sayLeft(left, loop), hasEnded(loop));
    if (made.is === 'nothing') return null;
    tell({ is: 'committed', sha: made.sha, files: made.files.length });
    if (branch !== null && made.branch !== branch)
      tell({ is: 'warning', text: sayMoved(branch, made.branch) });
    branch = made.branch;
    return made.sha;
  }
}

/** The commits of a loop share its task, so the subject tells them apart by their iteration. */
function commitMessage(id: string, { done, work }: PassStart, message: string): string {
  const iteration = ` (iteration ${done + 1})`;
  const said = lastWords(message, MAX_WORDS_CHARS);
  return [
    `${oneLine(work, MAX_SUBJECT_CHARS - iteration.length)}${iteration}`,
    ...(said === null ? [] : [said]),
    `${LOOP_TRAILER}${id}\nDa-Capo-Iteration: ${done + 1}\n`,
  ].join('\n\n');
}

/** A person's own changes, or those of an agent whose run was killed: Da Capo can't tell them apart. */
function sayLeft(files: readonly string[], { id, status }: Loop): string {
  const names = oneLine(files.join(', '), 300);
  const all = status.is === 'completed' ? '' : `, or continue with dacapo run --loop ${id} --commit-all`;
  return (
    `not committed, because they had changed before this iteration began: ${names}. Commit them ` +
    `yourself${all}`
  );
}

/** Said at the end, because the first complaint may be hundreds of iterations above. */
function sayOwed(iteration: number, { message }: Refusal): string {
  return `not committed: the work since iteration ${iteration}. ${message}`;
}

function sayMoved(from: string, to: string | null): string {
  return (
    `this commit is ${to === null ? 'on no branch' : `on branch ${to}`}; the one before it is on ` + `${from}`
  );
}

function orderFor(loop: Loop, store: string, { done, from }: PassStart) {
  return { project: loop.project, store, ignored: ownFiles(loop).ignored, iteration: done + 1, from };
}

function sayGates(gates: readonly GateStatus[]): string {
  const label = ({ gate, name, wanted }: GateStatus) =>
    gate === 'confirmation' ? `${gate} ${wanted}` : (name ?? wanted);
  return few(
    gates,
    (gate) => `${markHolds(gate.holds)} ${oneLine(label(gate), MAX_GATE_CHARS)}`,
    MAX_GATES_LISTED,
  ).join(', ');
}

/** The person asked for nothing that needs git, so the message suggests no option to leave out. */
function withoutGit(refusal: Refusal, loop: Loop): Refusal {
  if (refusal.code !== 'no-repository' || planOf(loop).commit !== 'none') return refusal;
  return { ...refusal, next: 'So no iteration is recorded, and dacapo rollback can return to none.' };
}
