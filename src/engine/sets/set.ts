/**
 * A set on this machine: reads its list, finds its loops, orders a loop for an item, and merges what a loop
 * has done.
 */
import { randomBytes } from 'node:crypto';
import { checksOf } from '#law/gates.ts';
import { hash } from '#base/hash.ts';
import { shareOf } from '#law/item-set.ts';
import { isLive, planOf, type Loop } from '#law/loop.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { plural, sayCheck, sayNames } from '#law/words/phrases.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
import { fenced, oneLine } from '#base/words/sanitize.ts';
import { shellWord } from '#base/words/shell-quote.ts';
import type { RunRequest } from '#input/run-request.ts';
import {
  branchToMergeInto,
  bringUpToDate,
  hasCommitOf,
  isLanded,
  land,
  LOOP_TRAILER,
  MOVED,
} from '#evidence/git/worktree/merge.ts';
import { worktreeAround } from '#evidence/git/worktree/worktree.ts';
import { itemPrompt } from '#evidence/lists/items.ts';
import type { WorkItem } from '#evidence/lists/work-item.ts';
import { openHeldOut } from '#evidence/proofs/held-out.ts';
import { isOwnedByThisProcess, type Runtime } from '#store/runtime.ts';
import { loopsUnder, ownerRuns, withLoop } from '../look/loops.ts';
import { listAsked } from '../asked/items.ts';
import { runChecksOutsideStop } from '../begin/prepare.ts';
import type { BeginRun } from '../begin/run.ts';
import type { Broken, Merged } from './work-through.ts';

export interface ItemSet extends RunRequest {
  readonly ok: true;
  readonly id: string;
  readonly project: string;
  readonly onto: string;
  readonly items: readonly SetItem[];
  /** How many items of the list are beyond `--max-items`. */
  readonly more: number;
  readonly notes: readonly string[];
}

export interface SetItem extends WorkItem {
  readonly n: number;
  readonly of: number;
}

const MAX_LOOP_NAME_CHARS = 80;
const MAX_SUBJECT_CHARS = 72;
const MAX_TREE_NAME_CHARS = 48;

/** The same prompt, list and branch are the same set, so the same command continues it. */
export async function openSet(
  asked: RunRequest & { project: string },
  runtime: Runtime,
): Promise<ItemSet | Refusal> {
  const { request, plan, project } = asked;
  const list = await listAsked({ request, project }, runtime);
  if (list === null) return refuse('loops-of-none', 'There is no list of items.', 'Give one: --items FILE.');
  if (!list.ok) return list;
  const target = await branchToMergeInto(project, plan.branch);
  if (!target.ok) return target;
  const { branch: onto } = target;
  const id = hash([project, onto, request.items ?? request.itemsFrom, request.prompt].join('\n')).slice(0, 8);
  const chosen = list.items.slice(0, list.most);
  const items = chosen.map((item, at) => ({ ...item, n: at + 1, of: chosen.length }));
  const more = list.items.length - chosen.length;
  const set: ItemSet = { ...asked, ok: true, id, onto, items, more, notes: list.notes };
  return refuseHeld(set, runtime) ?? set;
}

/** Two runs would give the same item to two loops. */
function refuseHeld(set: ItemSet, runtime: Runtime): Refusal | null {
  const held = loopsOfSet(set, runtime).find(
    (loop) => isLive(loop) && ownerRuns(loop, runtime) && !isOwnedByThisProcess(loop.session.owner, runtime),
  );
  if (held === undefined) return null;
  const { process } = held.session.owner ?? {};
  return refuse('held', `Another dacapo run works on this list (process ${process}).`, 'See dacapo watch.');
}

function loopsOfSet({ id, project }: ItemSet, runtime: Runtime): Loop[] {
  return loopsUnder(project, runtime).filter((loop) => planOf(loop).part?.set === id);
}

/**
 * The oldest first: the last one is at work, or tells how the item ended. Those after the first mend a merge.
 */
export function loopsOfItem(set: ItemSet, item: SetItem, runtime: Runtime): Loop[] {
  return loopsOfSet(set, runtime)
    .filter((loop) => planOf(loop).part?.item === item.id)
    .toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
}

export interface ItemOrder extends Pick<BeginRun, 'request' | 'plan' | 'worktree'> {
  readonly ok: true;
}

export const USED_UP = 'used-up';

export interface ItemToBegin {
  readonly item: SetItem;
  /** The command that sets its work tree up. */
  readonly setup: string | null;
  /** How many items are not settled, with this one. At most this many loops may begin at this moment. */
  readonly unsettled: number;
}

/**
 * The loop of one item, in a new work tree. It commits everything, because what is not committed is not
 * merged. Limits of money and tokens hold for the whole set: each loop gets an equal share of what is left.
 */
export function orderFor(
  set: ItemSet,
  { item, setup, unsettled }: ItemToBegin,
  runtime: Runtime,
): ItemOrder | Refusal {
  const { request, plan, id, onto } = set;
  const loops = loopsOfSet(set, runtime);
  const maxCostUsd = shareOf('costUsd', request.maxCostUsd, loops, unsettled);
  const maxTokens = shareOf('tokens', request.maxTokens, loops, unsettled);
  if (maxCostUsd === 0 || maxTokens === 0)
    return refuse(
      USED_UP,
      `nothing is left of ${maxCostUsd === 0 ? '--max-cost' : '--max-tokens'}`,
      'Raise it, and give the command again.',
    );
  const name = oneLine(
    [...(request.name === null ? [] : [request.name]), item.title].join(': '),
    MAX_LOOP_NAME_CHARS,
  );
  const prompt = itemPrompt(request.prompt, item, item.n, item.of);
  const own = { mode: 'issue', items: null, itemsFrom: null, maxItems: null } as const;
  return {
    ok: true,
    request: { ...request, ...own, name, prompt, maxCostUsd, maxTokens },
    plan: { ...plan, commit: 'all', branch: null, part: { set: id, item: item.id, onto } },
    worktree: { setup, from: onto, name: treeName(item) },
  };
}

/** It names the branch, too, so people should recognise it. */
function treeName({ title }: SetItem): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return ['run', randomBytes(4).toString('hex'), ...words]
    .join('_')
    .slice(0, MAX_TREE_NAME_CHARS)
    .replace(/_$/, '');
}

/** Somebody else may commit to the branch while the checks run. */
const MAX_MERGE_TRIES = 3;

/** Merges the work of a completed loop. Its checks have to hold for the merged files. */
export async function mergeLoop(set: ItemSet, item: SetItem, loop: Loop, runtime: Runtime): Promise<Merged> {
  const { onto, project } = set;
  const branch = planOf(loop).branch ?? '';
  const work = { loop: loop.id, branch, tree: loop.project };
  for (let n = 1; ; n++) {
    if (await isLanded(project, work, onto)) return landedAs(set, item, runtime);
    const next = `Fix it in ${shellWord(loop.project)} and commit it, then git merge ${shellWord(branch)}`;
    const current = await bringUpToDate(work, onto);
    if (!current.ok) return { is: 'left', why: current.message, next: current.next };
    const { conflicts } = current;
    const broken = (why: string, output: string): Broken => ({ is: 'broken', why, next, conflicts, output });
    if (conflicts.length > 0) return broken(`in conflict with ${onto}: ${sayNames(conflicts)}`, '');
    const { parallel, timeoutMs } = loop.limits.checking;
    const heldOut = withLoop(loop.id, runtime, ({ blobs }) => openHeldOut(blobs));
    const terms = { cwd: loop.project, parallel, budgetMs: timeoutMs, ...(heldOut && { heldOut }) };
    const failed = (await runChecksOutsideStop(checksOf(loop.frame), terms, runtime)).flatMap(
      ({ outcome, ...check }) => (outcome.is === 'passed' ? [] : [{ ...check, outcome }]),
    );
    if (runtime.stopped?.aborted === true)
      return { is: 'left', why: 'stopped before it was merged', next: null };
    if (failed.length > 0) {
      const says = failed.map((one) => `${sayCheck(one)} ${sayOutcome(one.outcome)}`).join(', ');
      return broken(`merged with ${onto}, ${says}`, failed.map(({ outcome }) => outcome.tail).join('\n'));
    }
    const subject = oneLine(`Merge item ${item.n} of ${item.of}: ${item.title}`, MAX_SUBJECT_CHARS);
    const refused = await land(loop.project, onto, `${subject}\n\n${LOOP_TRAILER}${loop.id}\n`);
    if (refused === null) return landedAs(set, item, runtime);
    if (refused.code !== MOVED || n === MAX_MERGE_TRIES)
      return { is: 'left', why: refused.message, next: refused.next };
  }
}

async function landedAs(set: ItemSet, item: SetItem, runtime: Runtime): Promise<Merged> {
  const loops = loopsOfItem(set, item, runtime).map(({ id }) => id);
  return { is: await landedKind(set, loops) };
}

/**
 * What is there of items whose work is in the branch: a commit of theirs, or nothing, because they changed
 * nothing.
 */
export async function landedKind(
  { project, onto }: Pick<ItemSet, 'project' | 'onto'>,
  loops: readonly string[],
): Promise<'merged' | 'unchanged'> {
  return (await hasCommitOf(project, loops, onto)) ? 'merged' : 'unchanged';
}

/** Shows the lines with markers that are left in these files, and fails while there are any. */
const NO_MARKERS = "! git grep -nE '^(<{7}|>{7})( |$)' --";

/**
 * A loop in the work tree of `before` that makes its branch fit to be merged. The gates are those of the
 * item.
 */
export function mendingOrder(
  order: ItemOrder,
  before: Loop,
  { conflicts, output, why }: Broken,
  runtime: Runtime,
): ItemOrder {
  const { branch, part } = planOf(before);
  const files = conflicts.map((file) => shellWord(`:(top,literal)${file}`)).join(' ');
  const told = [
    `The work of this item is done, on the branch ${branch}. It can't be merged into ${part?.onto} ` +
      `yet: ${why}.`,
    conflicts.length === 0
      ? fenced(output)
      : `${part?.onto} was merged into this work tree, and git's conflict markers are in ` +
        `${plural(conflicts.length, 'file')}. Resolve each of them: keep what both sides want.`,
    'Change only what this needs.',
  ];
  return {
    ...order,
    request: {
      ...order.request,
      prompt: [order.request.prompt, ...told].join('\n\n'),
      checks: [...order.request.checks, ...(conflicts.length === 0 ? [] : [`${NO_MARKERS} ${files}`])],
    },
    worktree: { setup: null, name: worktreeAround(runtime.store.place(), before.project) ?? '' },
  };
}
