/**
 * How a frame stands after what was seen at a stop: which gates hold, what is missing, and what could not be
 * proven. Only this file tests the gates, once per stop; the rules of `decide.ts` read the result.
 */
import { isOfGate, itemsPassing, requirementsOf, type CheckGate, type Requirements } from './gates.ts';
import { checksMissing } from './checks-missing.ts';
import type { Frame } from './loop.ts';
import { passesMissing, sayQuestioned } from './proof/news.ts';
import type { Proofs, Standing } from './stop.ts';
import type { Escalation, Missing } from './record/verdict.ts';

export function standingOf(frame: Frame, proofs: Proofs, required = requirementsOf(frame)): Standing {
  const promise = promiseMissing(frame, required, proofs);
  const open = gatesMissing(required, proofs, promise);
  const trouble = troubleIn(proofs);
  const ground = groundMissing(proofs);
  const holds = gatesHold(required, open) && ground.length === 0;
  const done = holds && hasEnoughPasses(frame);
  return {
    holds,
    done,
    missing: holds ? (done ? [] : [passesMissing(frame)]) : ground.length > 0 ? ground : open,
    trouble,
    doubt: proofs.gateResults.find(({ doubt }) => doubt)?.says ?? null,
    // With trouble the loop goes to a person, whatever the checks say.
    claimed: trouble === null && (promise.length === 0 || hasNewItem(frame, proofs)),
  };
}

/** The checks that a stop needs, all or none, given how the frame stands without them. */
export function checksWanted(
  { any, checks }: Requirements,
  { holds, claimed }: Standing,
): readonly CheckGate[] {
  return (any ? !holds : claimed) ? checks : [];
}

/** `open`: what the gates lack. Protected files count however the gates are combined. */
function gatesHold({ any, gates }: Requirements, open: readonly Missing[]): boolean {
  if (open.length === 0) return true;
  return any && open[0]?.gate !== 'protected' && open.length < gates.length;
}

/**
 * It is looked at only where the gates hold, so nothing else is missing then, however the gates are combined.
 */
function groundMissing({ gateResults }: Proofs): Missing[] {
  return gateResults.filter(({ gate, holds }) => gate === 'ground' && !holds);
}

/** Counts the pass that this stop ends. In a list of items, the minimum applies to each item. */
function hasEnoughPasses(frame: Frame): boolean {
  return frame.items !== null || frame.passes + 1 >= frame.atLeast;
}

/** An item that is newly marked as passing is a claim too. */
function hasNewItem(frame: Frame, { features }: Proofs): boolean {
  return ((features && itemsPassing(features)) ?? 0) > frame.itemsPassing;
}

function troubleIn({ checks, gateResults }: Proofs): Escalation | null {
  for (const { gate, trouble } of gateResults)
    if (trouble !== null)
      return {
        is: gate === 'hooks' ? 'vetoed' : gate === 'review' ? 'unreviewed' : 'unreadable',
        why: trouble,
      };
  for (const { command, outcome } of checks)
    if (outcome.is === 'unstartable') return { is: 'unprovable', command, error: outcome.error };
  return null;
}

/** While a protected file is changed, no other gate counts, so only that is reported. */
function gatesMissing(
  required: Requirements,
  proofs: Proofs,
  promise: readonly Missing[],
): readonly Missing[] {
  const changed = proofs.gateResults.find(({ gate, holds }) => gate === 'protected' && !holds);
  if (changed !== undefined) return [changed];
  // A loop without checks never loads the code that decides about them.
  const checks = required.checks.length === 0 ? [] : checksMissing(required, proofs);
  return [...promise, ...checks, ...lookedAtMissing(required, proofs)];
}

/** A signal of the frame's mode replaces the promise. */
function promiseMissing(
  { questioned }: Frame,
  { claim: line, promise: wanted }: Requirements,
  { said }: Proofs,
): Missing[] {
  if (line === null || said?.kept) return [];
  const seen = said?.near ?? null;
  if (wanted !== null) return [{ gate: 'promise', wanted, seen, ...(questioned !== null && { questioned }) }];
  const unsaid = questioned === null ? `${line} has not been said` : sayQuestioned(line, questioned);
  return [{ gate: 'signal', says: seen ?? unsaid }];
}

/** All other gates were judged where they were looked at. */
function lookedAtMissing({ gates }: Requirements, { gateResults }: Proofs): Missing[] {
  return gates.flatMap((gate): Missing[] => {
    const { kind } = gate;
    if (kind === 'promise' || kind === 'check' || kind === 'signal') return [];
    const seen = gateResults.find((gateResult) => isOfGate(gateResult, gate));
    return seen?.holds
      ? []
      : [{ gate: kind, says: seen?.lacks ?? seen?.says ?? `${kind}: not looked at yet` }];
  });
}
