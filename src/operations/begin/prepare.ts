/**
 * Checks everything that can refuse a start before the loop is made: the config, the checks, the lists, the protected
 * files.
 */
import type { Begun } from '../../core/gates.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { StartRequest } from '../../flags/arguments.ts';
import type { FirstItem } from '../../lists/items.ts';
import { listProtected, protects, type ProtectedListing } from '../../proofs/protected.ts';
import { configuredFor } from '../../proofs/stop-hooks/configured-for.ts';
import type { Configured } from '../../proofs/stop-hooks/configured.ts';
import type { OwnGates } from '../../proofs/stop-hooks/own-gates.ts';
import type { Runtime } from '../../store/runtime.ts';
import type { BegunTree } from '../../proofs/tree-now.ts';
import { dropTrees } from '../../store/tree-store.ts';
import { refuseMissing } from './check-program.ts';
import { refuseDoneFolder } from './done-folder.ts';
import { firstItem } from './items.ts';
import { refuseUnseen, rulesAsked } from './rules-asked.ts';
import { refuseList } from './list-refusal.ts';

export interface Prepared {
  readonly ok: true;
  /** Null if the project has no config and its user no stop hooks. */
  readonly configured: Configured | null;
  /** Null if the loop has no list of items. */
  readonly item: FirstItem | null;
  /** Null if the loop protects no files. */
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
export const NOTHING_PREPARED: Prepared = {
  ok: true,
  configured: null,
  item: null,
  protection: null,
  baseline: NO_BASELINE,
};

export async function prepare(
  request: StartRequest,
  project: string,
  world: Runtime,
  own?: OwnGates,
): Promise<Prepared | Refusal> {
  const configured = await configuredFor({ project, config: request.config, own }, world);
  if (configured?.ok === false) return configured;
  const prepared = await prepareRest(request, project, configured, world);
  if (!prepared.ok) discard({ configured, baseline: NO_BASELINE });
  return prepared;
}

async function prepareRest(
  request: StartRequest,
  project: string,
  configured: Configured | null,
  world: Runtime,
): Promise<Prepared | Refusal> {
  const named = configured?.found.checks.map(({ command }) => command) ?? [];
  const missing = refuseMissing([...request.checks, ...named], world.env);
  if (missing !== null) return missing;
  const unseen = refuseUnseen(rulesAsked(request, configured));
  if (unseen !== null) return unseen;
  const first = await firstItem(request, project, world);
  return first.ok ? filesIn(project, request, { ...NOTHING_PREPARED, configured, item: first.item }) : first;
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
