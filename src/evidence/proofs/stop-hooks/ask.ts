/**
 * Asks the stop hooks, at a stop or for a tool. A separate file in the plugin, since most loops have none.
 */
import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Loop } from '#law/loop.ts';
import type { TreeMark } from '#law/record/mark.ts';
import type { GateResult } from '#law/record/verdict.ts';
import { hooksOf, type HooksGate } from '#law/gates.ts';
import {
  hooksResult,
  hooksTrouble,
  type HookEvaluation,
  type HookRecord,
  hookContext,
  type ChangedPaths,
  type LoopContext,
} from '#law/proof/stop-hooks.ts';
import type { Proofs, Stop } from '#law/stop.ts';
import { few } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { realPath } from '#base/files/paths.ts';
import { filesModifiedSince, takeTreeMark } from '#evidence/git/marks/mark.ts';
import { evidenceFolder, treeStore } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { ownFiles } from '#evidence/views/names.ts';
import { keepCheckpoint, phaseOf, readCheckpoints, type Checkpoint } from './checkpoints.ts';
import { NO_PINS, notTrusted, trustIn } from './config-trust.ts';
import { HOOK_MS, HOOKS_MS, nameOfRule, NO_GATES, readOwnGates } from './own-gates.ts';
import { storedFor } from './configure.ts';
import { askHooksRunner, type Evaluated, type HooksRun } from './process.ts';

const MAX_RULE_CHARS = 300;
const MAX_RULES_LISTED = 5;

/** What a validation rule of the loop showed. `passed`: null if it could not be tested. */
export interface RuleSeen {
  readonly ruleName: string;
  readonly passed: boolean | null;
  readonly message: string;
}

export interface HookQuestion {
  readonly n: number;
  readonly stop: Stop;
  readonly proofs: Proofs;
  readonly files: ChangedPaths;
}

/** Returns null if this process was told to end. Records the hooks' answers, and keeps their checkpoints. */
export async function hearHooks(
  open: OpenLoop,
  { n, stop, proofs, files }: HookQuestion,
  terms: { readonly signal: AbortSignal; readonly leftMs: number; readonly rules: readonly RuleSeen[] },
  runtime: Runtime,
): Promise<GateResult | null> {
  const loop = open.loop();
  const gate = hooksOf(loop.frame);
  if (gate === null) return null;
  // Check again: the checks have run since, and they are code of the project too.
  const hooks = hooksNow(open, runtime);
  if ('gate' in hooks) return hooks;
  const { rules, signal, leftMs } = terms;
  const since = markOf(loop, gate);
  const context = withRules(
    hookContext(loop, { message: stop.message, proofs, files }, runtime.now()),
    rules,
  );
  const mark = looksAtFiles(loop, hooks)
    ? await takeTreeMark(loop.project, treeStore(open), ownFiles(loop))
    : null;
  const limits = { signal, allMs: leftMs, evidence: `stop-${n}-hooks.txt` };
  const answer = await askThem(open, hooks, { context, ...limits }, runtime);
  if (signal.aborted) return null;
  if (answer.is === 'failed') {
    const { hook, error: reason, ms } = answer;
    const account = hook === null ? [] : [{ hook, is: 'timed-out', action: 'escalate', reason, ms }];
    open.write({ type: 'asked', at: runtime.now(), n, since, mark, next: null, account });
    return hooksTrouble(hook === null ? `the stop hooks can't be asked: ${reason}` : reason);
  }
  const { evaluation } = answer;
  const account = [...ruleAccounts(rules), ...evaluation.account];
  open.write({ type: 'asked', at: runtime.now(), n, since, mark, next: evaluation.next, account });
  keepGiven(open, evaluation, runtime);
  return gateResultOf(loop, evaluation, rules);
}

/** The same hooks outside of a stop: only checkpoints are recorded. A result says why they can't be asked. */
export async function evaluateHooks(
  open: OpenLoop,
  context: LoopContext,
  signal: AbortSignal,
  runtime: Runtime,
): Promise<(Evaluated & { readonly taskId: string }) | GateResult> {
  const hooks = hooksNow(open, runtime);
  if ('gate' in hooks) return hooks;
  const answer = await askThem(open, hooks, { context, signal, allMs: HOOKS_MS }, runtime);
  if (answer.is === 'evaluated') keepGiven(open, answer.evaluation, runtime);
  return { ...answer, taskId: hooks.taskId };
}

type HooksNow = Exclude<ReturnType<typeof hooksNow>, GateResult>;

/** A gate result: they can't be asked, and a person has to look. */
function hooksNow(open: OpenLoop, { store }: Runtime) {
  const { config, project, id } = open.loop();
  const standing = config === null ? null : trustIn(store, project, config.file);
  if (standing !== null && standing.is !== 'trusted') return notTrusted(standing);
  const ofUser = storedFor(store, [realPath(project), id]);
  if (!ofUser.ok) return hooksTrouble(`${ofUser.why}, so the stop hooks can't be asked`);
  const own = readOwnGates(open.blobs);
  if (own === null) return hooksTrouble("the hooks of this loop can't be read, so they can't be asked");
  return { taskId: own.task ?? id, pins: standing?.pin ?? NO_PINS, ofUser: ofUser.hooks, own };
}

/** `evidence`: the name under which we keep what user code prints; without one, nobody reads that. */
interface HooksToAsk extends Pick<HooksRun, 'signal' | 'allMs'> {
  readonly context: LoopContext;
  readonly evidence?: string;
}

async function askThem(
  open: OpenLoop,
  { taskId, pins, ofUser, own }: HooksNow,
  { context: given, ...limits }: HooksToAsk,
  { runner, askData }: Runtime,
): Promise<Evaluated> {
  const loop = open.loop();
  const { timeoutMs, allMs } = hooksOf(loop.frame) ?? { timeoutMs: HOOK_MS, allMs: HOOKS_MS };
  const stored = [...ofUser, ...own.hooks];
  const context = { ...given, taskId };
  if (loop.config === null && stored.length === 0) return { is: 'evaluated', evaluation: NOBODY };
  if (loop.config === null && askData !== undefined)
    return { is: 'evaluated', evaluation: await askData(stored, context, timeoutMs) };
  const { project, config } = loop;
  const { signal, evidence } = limits;
  const scratch = open.folder(`asked-${randomUUID()}`);
  const output = evidence === undefined ? join(scratch, 'printed.txt') : join(evidenceFolder(open), evidence);
  const answer = await askHooksRunner(
    { project, config: config?.file ?? null, stored, pins, context, timeoutMs },
    { runner, signal, scratch, output, allMs: Math.min(allMs, limits.allMs) },
  );
  if (statSync(output, { throwIfNoEntry: false })?.size === 0) rmSync(output, { force: true });
  return answer;
}

/** A loop with rules and no hooks asks nobody. */
const NOBODY: HookEvaluation = {
  hook: 'default',
  action: 'continue',
  reason: 'No hooks registered for this task',
  next: null,
  account: [],
  checkpoints: [],
};

/** Rules that fail keep the gate open, whatever a hook says. */
function gateResultOf(loop: Loop, evaluation: HookEvaluation, rules: readonly RuleSeen[]): GateResult {
  const { gates, require } = loop.frame;
  // Rules that pass prove something, so hooks that abstain are not alone.
  const alone = rules.length === 0 && (gates.length === 1 || require === 'any');
  const hooks = evaluation === NOBODY ? null : hooksResult(evaluation, alone);
  const open = rules.filter(({ passed }) => passed !== true);
  if (open.length === 0)
    return hooks ?? { gate: 'hooks', holds: true, says: 'every validation rule passes', trouble: null };
  const say = ({ ruleName, message }: RuleSeen) =>
    `rule ${oneLine(ruleName, MAX_RULE_CHARS)}: ${oneLine(message, MAX_RULE_CHARS)}`;
  const says = few(open, say, MAX_RULES_LISTED).join('; ');
  return { gate: 'hooks', holds: false, says, trouble: hooks?.trouble ?? null };
}

function withRules(context: LoopContext, rules: readonly RuleSeen[]): LoopContext {
  const results = rules.map(({ ruleName, passed, message }) => ({
    ruleName,
    passed: passed === true,
    message,
    ...(passed === null && { notRun: true }),
  }));
  return { ...context, validationResults: [...context.validationResults, ...results] };
}

/** The journal keeps them beside the hooks, under names that no hook has. */
function ruleAccounts(rules: readonly RuleSeen[]): HookRecord[] {
  return rules.map(({ ruleName, passed, message }) => ({
    hook: nameOfRule(ruleName),
    is: passed === null ? 'failed' : 'answered',
    action: passed === true ? 'complete' : 'continue',
    reason: oneLine(message, MAX_RULE_CHARS),
    ms: 0,
  }));
}

/** In this pass, and since the loop began. Call it before the checks: they may write files, too. */
export async function changedFiles(open: OpenLoop, { store }: Runtime): Promise<ChangedPaths> {
  const loop = open.loop();
  const gate = hooksOf(loop.frame);
  const stored = storedFor(store, [realPath(loop.project), loop.id]);
  const own = readOwnGates(open.blobs) ?? NO_GATES;
  if (gate === null || !looksAtFiles(loop, { ofUser: stored.ok ? stored.hooks : [], own }))
    return { inPass: [], inLoop: null };
  const since = markOf(loop, gate);
  const modified = async (mark: TreeMark | null) =>
    mark === null ? null : filesModifiedSince(loop.project, mark, treeStore(open), ownFiles(loop));
  const inLoop = await modified(gate.mark);
  const inPass = since === gate.mark ? inLoop : await modified(since);
  return { inPass: inPass ?? [], inLoop };
}

/** A config may hold any code, and hooks of the user any type. Of its own hooks, the loop knows. */
function looksAtFiles({ config }: Loop, { ofUser, own }: Pick<HooksNow, 'ofUser' | 'own'>): boolean {
  return config !== null || ofUser.length > 0 || own.files;
}

/** The mark at the beginning of this pass. A stop that was only let through did not end a pass. */
function markOf({ noted: { asked }, last }: Loop, gate: HooksGate): TreeMark | null {
  if (asked === undefined) return gate.mark;
  return last?.n === asked.n && last.verdict.is === 'allow' ? asked.since : asked.mark;
}

/** The checkpoints that hooks gave. One that is kept already, as it is, needs no second event. */
function keepGiven(open: OpenLoop, { checkpoints }: HookEvaluation, runtime: Runtime): void {
  if (checkpoints.length === 0) return;
  const at = runtime.now();
  const iteration = open.loop().frame.passes + 1;
  const there = readCheckpoints(open.blobs).filter((kept) => kept.iteration === iteration);
  for (const { hook, data } of checkpoints) {
    const isSame = (kept: Checkpoint) =>
      kept.hook === hook && JSON.stringify(kept.data) === JSON.stringify(data);
    if (there.some(isSame)) continue;
    const file = keepCheckpoint(open.blobs, { iteration, hook, at, data });
    open.write({ type: 'checkpointed', at, hook, phase: phaseOf(data), file });
  }
}
