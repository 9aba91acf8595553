/** Asks the stop hooks, at a stop or for a tool. A separate file in the plugin, since most loops have none. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { topFrame, type Loop } from '../../core/loop.ts';
import type { TreeMark } from '../../core/record/mark.ts';
import type { GateResult } from '../../core/record/verdict.ts';
import { hooksOf, type HooksGate } from '../../core/gates.ts';
import {
  hooksSight,
  hooksTrouble,
  type HookEvaluation,
  type HookRecord,
  hookContext,
  type ChangedPaths,
  type LoopContext,
} from '../../core/stop-hooks.ts';
import type { Proofs, Stop } from '../../core/stop.ts';
import { few } from '../../core/words/phrases.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import { realPath } from '../../files/paths.ts';
import { makeScratch } from '../../files/scratch.ts';
import { filesModifiedSince, treeMark } from '../../git/marks/mark.ts';
import { evidenceFolder, treeStore } from '../../store/evidence.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { Pins } from '../../store/store.ts';
import { ownFiles } from '../../views/names.ts';
import { keepCheckpoint, phaseOf, readCheckpoints, type Checkpoint } from './checkpoints.ts';
import { NO_PINS, notTrusted, trustIn } from './config-trust.ts';
import {
  HOOK_MS,
  HOOKS_MS,
  nameOfRule,
  NO_GATES,
  readOwnGates,
  storedFor,
  type OwnGates,
} from './own-gates.ts';
import { askHooks, type Evaluated, type HooksBench } from './process.ts';

const RULE_SHOWN = 300;
const RULES_NAMED = 5;

/** What a validation rule of the loop showed. `passed`: null if it could not be tested. */
export interface RuleSeen {
  readonly ruleName: string;
  readonly passed: boolean | null;
  readonly message: string;
}

/** Returns null if this process was told to end. Records the hooks' answers, and keeps their checkpoints. */
export async function hearHooks(
  open: OpenLoop,
  stop: Stop,
  proofs: Proofs,
  files: ChangedPaths,
  n: number,
  bench: { readonly signal: AbortSignal; readonly leftMs: number; readonly rules: readonly RuleSeen[] },
  runtime: Runtime,
): Promise<GateResult | null> {
  const loop = open.loop();
  const gate = hooksOf(topFrame(loop));
  if (gate === null) return null;
  // Check again: the checks have run since, and they are code of the project too.
  const hooks = hooksNow(open, runtime);
  if ('gate' in hooks) return hooks;
  const { rules, signal, leftMs } = bench;
  const since = markOf(loop, gate);
  const context = withRules(hookContext(loop, stop.message, proofs, files, runtime.now()), rules);
  const mark = looksAtFiles(loop, hooks.ofUser, hooks.own)
    ? await treeMark(loop.project, treeStore(open), ownFiles(loop))
    : null;
  const room = () => ({
    scratch: open.folder(`asked-${n}`),
    output: join(evidenceFolder(open), `stop-${n}-hooks.txt`),
  });
  const answer = await askThem(open.loop(), hooks, context, { signal, allMs: leftMs, room }, runtime);
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
  return sightOf(loop, evaluation, rules);
}

/**
 * Asks the same hooks outside of a stop. Nothing is recorded but the checkpoints that they give. A sight says why they
 * can't be asked.
 */
export async function evaluateHooks(
  open: OpenLoop,
  context: LoopContext,
  signal: AbortSignal,
  runtime: Runtime,
): Promise<(Evaluated & { readonly taskId: string }) | GateResult> {
  const hooks = hooksNow(open, runtime);
  if ('gate' in hooks) return hooks;
  const room = () => {
    const scratch = makeScratch('hooks');
    return { scratch, output: join(scratch, 'printed.txt') };
  };
  const loop = open.loop();
  const answer = await askThem(loop, hooks, context, { signal, allMs: HOOKS_MS, room }, runtime);
  if (answer.is === 'evaluated') keepGiven(open, answer.evaluation, runtime);
  return { ...answer, taskId: taskOf(loop, hooks) };
}

interface HooksNow {
  readonly pins: Pins;
  readonly ofUser: readonly object[];
  readonly own: OwnGates;
}

/** A sight: they can't be asked, and a person has to look. */
function hooksNow(open: OpenLoop, { store }: Runtime): HooksNow | GateResult {
  const { config, project, id } = open.loop();
  const standing = config === null ? null : trustIn(store, project, config.file);
  if (standing !== null && standing.is !== 'trusted') return notTrusted(standing);
  const ofUser = storedFor(store, [realPath(project), id]);
  if (!ofUser.ok) return hooksTrouble(`${ofUser.why}, so the stop hooks can't be asked`);
  const own = readOwnGates(open.blobs);
  if (own === null) return hooksTrouble("the hooks of this loop can't be read, so they can't be asked");
  return { pins: standing?.pin ?? NO_PINS, ofUser: ofUser.hooks, own };
}

function taskOf({ id }: Loop, { own }: HooksNow): string {
  return own.task ?? id;
}

/** Where user code runs, if there is any: a folder for the question, and the file of what it prints. */
type HooksRoom = Pick<HooksBench, 'scratch' | 'output'>;

async function askThem(
  loop: Loop,
  hooks: HooksNow,
  given: LoopContext,
  { room, ...bench }: Pick<HooksBench, 'signal' | 'allMs'> & { readonly room: () => HooksRoom },
  { runner }: Runtime,
): Promise<Evaluated> {
  const { timeoutMs, allMs } = hooksOf(topFrame(loop)) ?? { timeoutMs: HOOK_MS, allMs: HOOKS_MS };
  const context = { ...given, taskId: taskOf(loop, hooks) };
  const stored = [...hooks.ofUser, ...hooks.own.hooks];
  if (loop.config === null && stored.length === 0) return { is: 'evaluated', evaluation: NOBODY };
  const place = room();
  const { project, config } = loop;
  const answer = await askHooks(
    { project, config: config?.file ?? null, stored, pins: hooks.pins, context, timeoutMs },
    { runner, ...place, ...bench, allMs: Math.min(allMs, bench.allMs) },
  );
  if (statSync(place.output, { throwIfNoEntry: false })?.size === 0) rmSync(place.output, { force: true });
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
function sightOf(loop: Loop, evaluation: HookEvaluation, rules: readonly RuleSeen[]): GateResult {
  const { gates, require } = topFrame(loop);
  // Rules that pass prove something, so hooks that abstain are not alone.
  const alone = rules.length === 0 && (gates.length === 1 || require === 'any');
  const hooks = evaluation === NOBODY ? null : hooksSight(evaluation, alone);
  const open = rules.filter(({ passed }) => passed !== true);
  if (open.length === 0)
    return hooks ?? { gate: 'hooks', holds: true, says: 'every validation rule passes', trouble: null };
  const say = ({ ruleName, message }: RuleSeen) =>
    `rule ${oneLine(ruleName, RULE_SHOWN)}: ${oneLine(message, RULE_SHOWN)}`;
  const says = few(open, say, RULES_NAMED).join('; ');
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
    reason: oneLine(message, RULE_SHOWN),
    ms: 0,
  }));
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

/** The checkpoints that hooks gave. One that is kept already, as it is, needs no second event. */
function keepGiven(open: OpenLoop, { checkpoints }: HookEvaluation, runtime: Runtime): void {
  if (checkpoints.length === 0) return;
  const at = runtime.now();
  const iteration = topFrame(open.loop()).passes + 1;
  const there = readCheckpoints(open.blobs).filter((kept) => kept.iteration === iteration);
  for (const { hook, data } of checkpoints) {
    const isSame = (kept: Checkpoint) =>
      kept.hook === hook && JSON.stringify(kept.data) === JSON.stringify(data);
    if (there.some(isSame)) continue;
    const file = keepCheckpoint(open.blobs, { iteration, hook, at, data });
    open.write({ type: 'checkpointed', at, hook, phase: phaseOf(data), file });
  }
}
