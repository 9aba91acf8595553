/** Asks the stop hooks at a stop. A separate file in the plugin, since most loops have none. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { topFrame, type Loop } from '../../core/loop.ts';
import type { TreeMark } from '../../core/record/mark.ts';
import type { Sight } from '../../core/record/verdict.ts';
import { hooksOf, type HooksGate } from '../../core/gates.ts';
import { hooksSight, hooksTrouble, type HookEvaluation } from '../../core/stop-hooks/account.ts';
import { hookContext, type ChangedPaths } from '../../core/stop-hooks/context.ts';
import type { Proofs, Stop } from '../../core/stop.ts';
import { realPath } from '../../files/paths.ts';
import { filesModifiedSince, treeMark } from '../../git/marks/mark.ts';
import { evidenceFolder } from '../../store/evidence.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { treeStore } from '../../store/tree-store.ts';
import { ownFiles } from '../../views/names.ts';
import { keepCheckpoint, phaseOf } from './checkpoints.ts';
import { NO_PINS, notTrusted, trustIn } from './config-trust.ts';
import { NO_GATES, readOwnGates, storedFor, type OwnGates } from './own-gates.ts';
import { askHooks } from './process.ts';
import { ruleAccounts, rulesSight, withRules, type RuleSeen } from './rules.ts';

/** Returns null if this process was told to end. Records the hooks' answers, and keeps their checkpoints. */
export async function hearHooks(
  open: OpenLoop,
  stop: Stop,
  proofs: Proofs,
  files: ChangedPaths,
  n: number,
  bench: { readonly signal: AbortSignal; readonly leftMs: number; readonly rules: readonly RuleSeen[] },
  world: Runtime,
): Promise<Sight | null> {
  const loop = open.loop();
  const gate = hooksOf(topFrame(loop));
  if (gate === null) return null;
  // Check again: the checks have run since, and they are code of the project too.
  const standing = loop.config === null ? null : trustIn(world.store, loop.project, loop.config.file);
  if (standing !== null && standing.is !== 'trusted') return notTrusted(standing);
  const ofUser = storedFor(world.store, [realPath(loop.project), loop.id]);
  if (!ofUser.ok) return hooksTrouble(`${ofUser.why}, so the stop hooks can't be asked`);
  const own = readOwnGates(open.blobs);
  if (own === null) return hooksTrouble("the hooks of this loop can't be read, so they can't be asked");
  const { rules } = bench;
  const { project } = loop;
  const since = markOf(loop, gate);
  const context = withRules(hookContext(loop, stop.message, proofs, files, world.now()), rules);
  const stored = [...ofUser.hooks, ...own.hooks];
  const mark = looksAtFiles(loop, ofUser.hooks, own)
    ? await treeMark(project, treeStore(open), ownFiles(loop))
    : null;
  if (loop.config === null && (stored.length === 0 || world.askData !== undefined)) {
    const evaluation = stored.length === 0 ? null : await world.askData?.(stored, context, gate.timeoutMs);
    keep(open, withAccounts(evaluation ?? NOBODY, rules), { n, since, mark }, world);
    return sightOf(loop, evaluation ?? null, rules);
  }
  const output = join(evidenceFolder(open), `stop-${n}-hooks.txt`);
  const answer = await askHooks(
    {
      project,
      config: loop.config?.file ?? null,
      stored,
      pins: standing?.pin ?? NO_PINS,
      context,
      timeoutMs: gate.timeoutMs,
    },
    {
      runner: world.runner,
      signal: bench.signal,
      scratch: open.folder(`asked-${n}`),
      output,
      allMs: Math.min(gate.allMs, bench.leftMs),
    },
  );
  if (bench.signal.aborted) return null;
  dropIfEmpty(output);
  if (answer.is === 'failed') {
    const { hook, error: reason, ms } = answer;
    const account = hook === null ? [] : [{ hook, is: 'timed-out', action: 'escalate', reason, ms }];
    open.write({ type: 'asked', at: world.now(), n, since, mark, next: null, account });
    return hooksTrouble(hook === null ? `the stop hooks can't be asked: ${reason}` : reason);
  }
  keep(open, withAccounts(answer.evaluation, rules), { n, since, mark }, world);
  return sightOf(loop, answer.evaluation, rules);
}

/** A loop with rules and no hooks asks nobody. */
const NOBODY: HookEvaluation = {
  hook: 'default',
  action: 'continue',
  reason: '',
  next: null,
  account: [],
  checkpoints: [],
};

function withAccounts(evaluation: HookEvaluation, rules: readonly RuleSeen[]): HookEvaluation {
  return { ...evaluation, account: [...ruleAccounts(rules), ...evaluation.account] };
}

/** Null: no hook was asked. Rules that fail keep the gate open, whatever a hook says. */
function sightOf(loop: Loop, evaluation: HookEvaluation | null, rules: readonly RuleSeen[]): Sight {
  const { gates, require } = topFrame(loop);
  // Rules that pass prove something, so hooks that abstain are not alone.
  const alone = rules.length === 0 && (gates.length === 1 || require === 'any');
  const ofHooks = evaluation === null ? null : hooksSight(evaluation, alone);
  return rulesSight(rules, ofHooks);
}

/**
 * What changed in this pass, and since the loop began. Call it before the checks run, since they may write files too.
 */
export async function changedFiles(open: OpenLoop, { store }: Runtime): Promise<ChangedPaths> {
  const loop = open.loop();
  const gate = hooksOf(topFrame(loop));
  const ofUser = storedFor(store, [realPath(loop.project), loop.id]);
  const gates = readOwnGates(open.blobs) ?? NO_GATES;
  if (gate === null || !looksAtFiles(loop, ofUser.ok ? ofUser.hooks : [], gates))
    return { inPass: [], inLoop: null };
  const since = markOf(loop, gate);
  const own = ownFiles(loop);
  const modified = async (mark: TreeMark | null) =>
    mark === null ? null : filesModifiedSince(loop.project, mark, treeStore(open), own);
  const inLoop = await modified(gate.mark);
  const inPass = since === gate.mark ? inLoop : await modified(since);
  return { inPass: inPass ?? [], inLoop };
}

/** A config may hold any code, and hooks of the user any type. Of its own hooks, the loop knows. */
function looksAtFiles({ config }: Loop, ofUser: readonly object[], { files }: OwnGates): boolean {
  return config !== null || ofUser.length > 0 || files;
}

/** The mark at the beginning of this pass. A stop that was only let through did not end a pass. */
function markOf({ noted: { asked }, last }: Loop, gate: HooksGate): TreeMark | null {
  if (asked === undefined) return gate.mark;
  return last?.n === asked.n && last.verdict.is === 'allow' ? asked.since : asked.mark;
}

function keep(
  open: OpenLoop,
  { account, next, checkpoints }: HookEvaluation,
  facts: { readonly n: number; readonly since: TreeMark | null; readonly mark: TreeMark | null },
  world: Runtime,
): void {
  const at = world.now();
  const iteration = topFrame(open.loop()).passes + 1;
  open.write({ type: 'asked', at, ...facts, next, account });
  for (const { hook, data } of checkpoints) {
    const file = keepCheckpoint(open.blobs, { iteration, hook, at, data });
    open.write({ type: 'checkpointed', at, hook, phase: phaseOf(data), file });
  }
}

function dropIfEmpty(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) rmSync(path, { force: true });
}
