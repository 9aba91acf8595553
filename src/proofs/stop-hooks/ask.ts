/**
 * Loads a project's config and asks its stop hooks, at the start of a loop and at its stops. A separate file in the
 * plugin, since most loops have neither.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hookContext, type ChangedPaths } from '../../core/stop-hooks/context.ts';
import { hooksSight, hooksTrouble, type HookEvaluation } from '../../core/stop-hooks/account.ts';
import { hooksOf, type HooksGate } from '../../core/standing.ts';
import { topFrame, type Loop } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { Sight } from '../../core/record/verdict.ts';
import type { Proofs, Stop } from '../../core/stop.ts';
import type { TreeMark } from '../../core/record/mark.ts';
import { keepCheckpoint } from './checkpoints.ts';
import { NO_GATES, nameOfRule, readOwnGates, type OwnGates } from './own-gates.ts';
import { ruleAccounts, rulesSight, withRules, type RuleSeen } from './rules.ts';
import { evidenceFolder } from '../../store/evidence.ts';
import { realPath } from '../../files/paths.ts';
import type { Store, StoredHooks, Pin, Pins } from '../../store/store.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { treeStore } from '../../store/tree-store.ts';
import { changedSince, findConfig, pinConfig } from './config-file.ts';
import { askHooks, describeConfig, type Described, type HooksOrder } from './process.ts';
import { ownFiles } from '../../views/names.ts';
import { filesModifiedSince, treeMark } from '../../git/marks/mark.ts';
import type { Configured } from './configured.ts';
import type { Runtime } from '../../store/runtime.ts';

/** Loading a config should be quick: a person waits at a prompt, and the hook has 30 s. */
const DESCRIBE_MS = 20_000;
/** The user's own hooks are data: with them alone, nothing of the project is loaded. */
const NO_PINS: Pins = { files: [], fields: [] };

export interface ConfigWish {
  readonly project: string;
  /** A file, none, or (null) the default file. */
  readonly config: { readonly is: 'file'; readonly file: string } | { readonly is: 'none' } | null;
  /** For the new loop alone. */
  readonly own?: OwnGates | undefined;
}

/**
 * Returns null if there is neither a config nor a hook. `none` turns off the project's config, not the user's own
 * hooks. We run nothing of the project's unless this user has agreed to exactly that.
 */
export async function configFor(wish: ConfigWish, world: Runtime): Promise<Configured | Refusal | null> {
  const { project, config, own = NO_GATES } = wish;
  const found =
    config?.is === 'none' ? { ok: true as const, file: null } : findConfig(project, config?.file ?? null);
  if (!found.ok) return found;
  const stored = storedFor(world.store, [realPath(project)]);
  if (!stored.ok) return refuse('bad-hooks', `${stored.why}.`, 'Fix it, or delete it.');
  const hooks = [...stored.hooks, ...own.hooks];
  if (found.file === null && hooks.length + own.rules.length === 0) return null;
  const standing = found.file === null ? null : trustIn(world.store, project, found.file);
  if (standing !== null && standing.is !== 'trusted')
    return refuse(
      `config-${standing.is}`,
      `${standing.why}.`,
      `${standing.next}, or start with --config none.`,
    );
  const described = await look(
    { project, config: found.file, stored: hooks, pins: standing?.pin ?? NO_PINS },
    world,
  );
  if (described.is === 'failed')
    return refuse(
      'bad-config',
      `${found.file ?? 'a stop hook'} can't be used: ${described.error}`,
      'Fix it, or start with --config none.',
    );
  const pinned = standing?.pin ?? null;
  const rules = own.rules.map(({ name, type }) => ({ name: nameOfRule(name), of: type }));
  const all = [...described.hooks, ...rules];
  return {
    ok: true,
    config: pinned === null || found.file === null ? null : { file: found.file, digest: pinned.digest },
    found: { ...described, hooks: all },
    ...(!(own.files || all.length > own.hooks.length + own.rules.length)
      ? { mark: null, marks: null }
      : await firstMark(project, world)),
  };
}

/**
 * The loop has no folder yet, so its first mark goes to a temporary one. If no loop takes it over, `dacapo prune`
 * removes it.
 */
async function firstMark(project: string, { store }: Runtime): Promise<Pick<Configured, 'mark' | 'marks'>> {
  const marks = store.folder(`marks-${Date.now()}.${process.pid}.tmp`);
  return { mark: await treeMark(project, marks, ownFiles({ views: [] })), marks };
}

/** What a config holds. The caller has made sure that it may be run. */
export async function look(
  order: Pick<HooksOrder, 'project' | 'config' | 'stored' | 'pins'>,
  world: Runtime,
): Promise<Described> {
  const folder = mkdtempSync(join(tmpdir(), 'dacapo-config-'));
  return describeConfig(
    { ...order, timeoutMs: DESCRIBE_MS },
    {
      runner: world.runner,
      signal: new AbortController().signal,
      scratch: folder,
      output: join(folder, 'printed.txt'),
      allMs: DESCRIBE_MS,
    },
  );
}

export type ConfigTrust =
  | { readonly is: 'trusted'; readonly pin: Pin }
  | { readonly is: 'untrusted' | 'changed' | 'unreadable'; readonly why: string; readonly next: string };

/** Whether this user trusts a config, as its files are now. */
export function trustIn(store: Store, project: string, file: string): ConfigTrust {
  const pin = store.trust.find(realPath(project), file);
  const now = pin === null ? pinConfig(project, file) : null;
  if (now?.ok === false)
    return { is: 'unreadable', why: now.message.replace(/\.$/, ''), next: now.next.replace(/\.$/, '') };
  const next = 'Look at it, then run dacapo trust in a terminal of your own';
  if (pin === null)
    return {
      is: 'untrusted',
      why: `${file} is not trusted yet: code of a project runs only after you agree`,
      next,
    };
  const changed = changedSince(project, pin);
  if (changed === null) return { is: 'trusted', pin };
  return {
    is: 'changed',
    why: `${changed} has changed since ${file} was trusted (an edit, or tampering)`,
    next,
  };
}

/** At a stop: null if the config is still what this user agreed to. */
export function configTrouble({ project, config }: Loop, store: Store): Sight | null {
  if (config === null) return null;
  const standing = trustIn(store, project, config.file);
  return standing.is === 'trusted' ? null : notTrusted(standing);
}

function notTrusted({ why, next }: Exclude<ConfigTrust, { is: 'trusted' }>): Sight {
  return hooksTrouble(`${why}. ${next}, then dacapo resume`);
}

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
    const phase = typeof data['executionPhase'] === 'string' ? data['executionPhase'] : null;
    open.write({ type: 'checkpointed', at, hook, phase, file });
  }
}

function dropIfEmpty(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) rmSync(path, { force: true });
}

function storedFor(store: Store, tasks: readonly string[]): StoredHooks {
  const stored = store.hooks.read();
  return stored.ok
    ? { ok: true, hooks: stored.hooks.filter(({ taskId }) => tasks.includes(taskId)) }
    : stored;
}
