/**
 * Asks the stop hooks of the loop. They see the results of the checks and of the loop's own validation rules.
 */
import { claimLine } from '#law/gates.ts';
import { type Loop } from '#law/loop.ts';
import type { ChangedPaths } from '#law/proof/stop-hooks.ts';
import type { GateResult } from '#law/record/verdict.ts';
import { standingOf } from '#law/standing.ts';
import type { Proofs } from '#law/stop.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
import { hearHooks, type RuleSeen } from '#evidence/proofs/stop-hooks/ask.ts';
import { readOwnGates, type OwnGates } from '#evidence/proofs/stop-hooks/own-gates.ts';
import { readOwnRules, runRules } from '../../agent/validation-rules.ts';
import { AFTER_ALL_MS, leftMs, type ProofTaking } from './taking.ts';

/** Null: they were not asked. */
export async function askHooks(
  taking: ProofTaking,
  proofs: Proofs,
  files: ChangedPaths,
): Promise<GateResult | null> {
  const { hearing, stop, signal, progress } = taking;
  const { open, n, runtime } = hearing;
  // If the config has changed since the person trusted it, none of it is run.
  if (signal.aborted || proofs.gateResults.some(({ gate }) => gate === 'hooks')) return null;
  progress.begun('stop hooks', 'hooks');
  const rules = await runOwnRules(taking, proofs);
  const terms = { signal, leftMs: leftMs(hearing) - AFTER_ALL_MS, rules };
  const heard = await hearHooks(open, { n, stop, proofs, files }, terms, runtime);
  const outcome = heard === null ? ({ is: 'broken-off' } as const) : ({ ...heard, is: 'judged' } as const);
  progress.ended('stop hooks', outcome);
  return heard;
}

type OwnRule = OwnGates['rules'][number];

/**
 * Tests the validation rules that the loop was started with. A check that has run needs no second run as a
 * rule.
 */
async function runOwnRules(
  { hearing, loop, stop, signal }: ProofTaking,
  proofs: Proofs,
): Promise<RuleSeen[]> {
  const { open, runtime } = hearing;
  const rules = readOwnGates(open.blobs)?.rules ?? [];
  if (rules.length === 0) return [];
  const own = readOwnRules(runtime.store);
  if (!own.ok) return rules.map(({ name }) => ({ ruleName: name, passed: null, message: own.message }));
  const order = { project: loop.project, loop, own, output: stop.message, signal };
  const test = async (rule: OwnRule): Promise<RuleSeen> => {
    const run = await runRules({ ...order, rules: [rule] }, runtime);
    const untested = { ruleName: rule.name, passed: null, message: run.ok ? '' : run.message };
    return (run.ok ? run.results[0] : null) ?? untested;
  };
  const results: RuleSeen[] = [];
  for (const rule of rules)
    results.push(checked(rule, proofs) ?? early(rule, loop, proofs) ?? (await test(rule)));
  return results;
}

/** Null: it is not a check of this loop, or the check has not run. */
function checked(rule: OwnRule, { checks }: Proofs): RuleSeen | null {
  const proof = checks.find(({ command }) => 'command' in rule && rule.command === command);
  if (proof === undefined) return null;
  return { ruleName: rule.name, passed: proof.outcome.is === 'passed', message: sayOutcome(proof.outcome) };
}

/** A command costs minutes, so it runs only on a claim, like a check. Null: it may run now. */
function early({ name, type }: OwnRule, loop: Loop, proofs: Proofs): RuleSeen | null {
  const frame = loop.frame;
  if (type !== 'command' || claimLine(frame) === null || standingOf(frame, proofs).claimed) return null;
  return { ruleName: name, passed: null, message: 'not run at this stop: it runs when you claim to be done' };
}
