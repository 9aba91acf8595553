/**
 * Checks everything that can refuse a start before the loop is made: the config, the checks, the lists, the protected
 * files.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Begun, CheckGate } from '../../core/gates.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { codeOf } from '../../core/thrown.ts';
import { parseRule, STARTER } from '../../flags/approval-rules.ts';
import type { StartRequest } from '../../flags/arguments.ts';
import { hasItems } from '../../flags/options.ts';
import { familyOfWord, ruleTools, type RuleTools } from '../../hosts/rules.ts';
import type { FirstItem } from '../../lists/items.ts';
import { listProtected, protects, type ProtectedListing } from '../../proofs/protected.ts';
import { configFor, type Configured } from '../../proofs/stop-hooks/configure.ts';
import type { OwnGates } from '../../proofs/stop-hooks/own-gates.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { BegunTree } from '../../proofs/tree-now.ts';
import { dropTrees } from '../../store/evidence.ts';
import { checkGates, refuseMissing } from './check-program.ts';
import { firstItem } from './items.ts';
import { refuseList } from './list-refusal.ts';

/** What the person typed and what the project's config says, together. */
export interface AskedGates {
  readonly configured: Configured | null;
  readonly checks: readonly CheckGate[];
  /** The calls that need an approval. */
  readonly rules: readonly string[];
}

export function askedBy(request: StartRequest, configured: Configured | null): AskedGates {
  const rules = [...new Set([...request.approve, ...(configured?.found.approve ?? [])])];
  return { configured, checks: checkGates(request, configured), rules };
}

export interface Prepared extends AskedGates {
  readonly ok: true;
  readonly item: FirstItem | null;
  readonly protection: Protection | null;
  readonly baseline: Baseline;
}

/** The state just before the first pass (`baseline.ts`). */
export interface Baseline extends BegunTree {
  /** By command. A check that did not finish in time is missing. */
  readonly checks: ReadonlyMap<string, Begun>;
}

const NO_BASELINE: Baseline = { checks: new Map(), tree: null, marks: null };

export interface Protection extends ProtectedListing {
  /** Patterns that match no file: a typo, or a file that does not exist yet. */
  readonly unmatched: readonly string[];
}

/** For a loop adopted from another tool: it has what its state says, and nothing else. */
export function unprepared(request: StartRequest): Prepared {
  return { ...askedBy(request, null), ok: true, item: null, protection: null, baseline: NO_BASELINE };
}

/** What is to begin. `host`: its name. */
export interface ToPrepare {
  readonly request: StartRequest;
  readonly project: string;
  readonly host: string;
  readonly own?: OwnGates | undefined;
}

export async function prepare(order: ToPrepare, runtime: Runtime): Promise<Prepared | Refusal> {
  const { request, project, own } = order;
  const configured = await configFor({ project, config: request.config, own }, runtime);
  if (configured?.ok === false) return configured;
  const prepared = await prepareRest(order, askedBy(request, configured), runtime);
  if (!prepared.ok) discard({ configured, baseline: NO_BASELINE });
  return prepared;
}

async function prepareRest(
  { request, project, host }: ToPrepare,
  asked: AskedGates,
  runtime: Runtime,
): Promise<Prepared | Refusal> {
  const commands = asked.checks.map(({ command }) => command);
  const missing = refuseMissing(commands, runtime.env) ?? refuseUnseen(asked.rules, ruleTools(host));
  if (missing !== null) return missing;
  const first = hasItems(request)
    ? await firstItem(request, project, runtime)
    : { ok: true as const, item: null };
  if (!first.ok) return first;
  const { item } = first;
  return filesIn(project, request, { ...asked, ok: true, item, protection: null, baseline: NO_BASELINE });
}

/** A rule about a tool that we never see would let everything through in silence. */
function refuseUnseen(rules: readonly string[], tools: RuleTools): Refusal | null {
  const unseen = rules.find((rule) => rule !== STARTER && !isSeen(rule, tools));
  if (unseen === undefined) return null;
  return refuse(
    'bad-rule',
    `Da Capo sees no calls of the tool in the rule ${JSON.stringify(unseen)}.`,
    `It sees ${tools.seen()}. shell(…), write(…) and tool(…) stand for all of a kind.`,
  );
}

function isSeen(text: string, { familyOf }: RuleTools): boolean {
  const rule = parseRule(text);
  return rule !== null && (familyOfWord(rule.tool) ?? familyOf(rule.tool)) !== null;
}

/** Drops what was prepared, for a loop that is not made after all or that has taken what it needs. */
export function discard({ configured, baseline }: Pick<Prepared, 'configured' | 'baseline'>): void {
  for (const marks of [configured?.marks, baseline.marks]) if (marks) dropTrees(marks);
}

/** A work tree has files of its own, so we read the feature list and the protected files where the agents work. */
export function filesIn(project: string, request: StartRequest, prepared: Prepared): Prepared | Refusal {
  const refusal = refuseList(request, project, prepared.configured) ?? refuseDoneFolder(request, project);
  if (refusal !== null) return refusal;
  const protection = protectionFor(request, project);
  return protection?.ok === false ? protection : { ...prepared, protection };
}

/** Returns null if there is no done folder, or if it is one. The agent may make one that is not there yet. */
function refuseDoneFolder({ doneFolder }: Pick<StartRequest, 'doneFolder'>, project: string): Refusal | null {
  if (doneFolder === null || mayBeFolder(resolve(project, doneFolder))) return null;
  return refuse(
    'no-folder',
    `${doneFolder} is not a folder, so the watched file can't arrive there.`,
    'Name a folder: --done-folder DIR.',
  );
}

/** What can't be looked at is not refused: every stop says that it can't read the folder. */
function mayBeFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
  } catch (error) {
    return codeOf(error) !== 'ENOTDIR';
  }
}

/** Returns null if no file is to be protected. */
export function protectionFor(
  { protect }: Pick<StartRequest, 'protect'>,
  project: string,
): Protection | Refusal | null {
  if (protect.length === 0) return null;
  const listed = listProtected(protect, project);
  return listed.ok ? { ...listed, unmatched: unmatchedIn(listed, protect, project) } : listed;
}

function unmatchedIn({ files }: ProtectedListing, patterns: readonly string[], project: string): string[] {
  return patterns.filter((pattern) => {
    if (pattern.startsWith('!')) return false;
    const matches = protects([pattern], project);
    return !files.some(({ path }) => matches(path));
  });
}
