/**
 * Finds changes of protected files that slipped past the guard. They count until they are undone or accepted.
 */
import { few } from '#law/words/phrases.ts';
import {
  changesBetween,
  protectedResult,
  sayChange,
  type ProtectedChange,
  keepListing,
  readListing,
} from '../proofs/changes.ts';
import type { Refusal } from '#base/refusal.ts';
import type { GateResult } from '#law/record/verdict.ts';
import type { EventOf } from '#law/record/events.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { listProtected } from '../proofs/protected.ts';
import type { Runtime } from '#store/runtime.ts';

const MAX_CHANGES_LISTED = 20;

export function lookAtProtected(open: OpenLoop, runtime: Runtime): GateResult[] {
  const loop = open.loop();
  if (loop.protection.baseline === null) return [];
  const now = listProtected(loop.protection.protect, loop.project);
  if (!now.ok) return [{ gate: 'protected', holds: false, says: now.message, trouble: null }];
  if (now.digest === loop.protection.baseline) return [protectedResult(now.files.length, [], loop.id)];
  const atStart = readListing(open.blobs, loop.protection.baseline);
  if (atStart === null) {
    const says = `what the protected files of loop ${loop.id} were can't be read any more`;
    return [{ gate: 'protected', holds: false, says, trouble: says }];
  }
  const changes = changesBetween(atStart, now.files);
  // Not if it was already recorded, and not undone in between.
  const before = loop.last?.gateResults.find(({ gate }) => gate === 'protected');
  if (loop.protection.slipped !== now.digest || before?.holds === true)
    recordAltered(open, { by: 'unknown', changes, digest: now.digest }, runtime);
  return [protectedResult(now.files.length, changes, loop.id)];
}

/** A person accepts the files as they are now, and they become the baseline. */
export function acceptChanges(open: OpenLoop, runtime: Runtime): readonly ProtectedChange[] | Refusal {
  const { protection, project } = open.loop();
  const { protect, baseline } = protection;
  const now = listProtected(protect, project);
  if (!now.ok) return now;
  const atStart = baseline === null ? null : readListing(open.blobs, baseline);
  const changes = changesBetween(atStart ?? [], now.files);
  if (changes.length === 0 && atStart !== null) return [];
  keepListing(open.blobs, now.digest, now.content);
  recordAltered(open, { by: 'terminal', changes, digest: now.digest }, runtime);
  return changes;
}

interface Altered extends Pick<EventOf<'altered'>, 'by' | 'digest'> {
  readonly changes: readonly ProtectedChange[];
}

function recordAltered(open: OpenLoop, { by, changes, digest }: Altered, runtime: Runtime): void {
  const files = few(changes, sayChange, MAX_CHANGES_LISTED);
  open.write({ type: 'altered', at: runtime.now(), by, files, digest });
}
