/** Tests the validation rules that a loop was started with. */
import { claimLine } from '../core/gates.ts';
import { standingOf } from '../core/standing.ts';
import { topFrame } from '../core/loop.ts';
import type { Proofs } from '../core/stop.ts';
import { sayOutcome } from '../core/words/phrases.ts';
import type { OwnRules } from '../flags/user-config.ts';
import { readOwnRules } from '../operations/rules/own-rules.ts';
import { runRules } from '../operations/rules/run.ts';
import { readOwnGates, type OwnGates } from '../proofs/stop-hooks/own-gates.ts';
import type { RuleSeen } from '../proofs/stop-hooks/ask.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';

/** `proofs`: a check that has run needs no second run as a rule. */
export async function runOwnRules(
  open: OpenLoop,
  output: string,
  proofs: Proofs,
  signal: AbortSignal,
  runtime: Runtime,
): Promise<readonly RuleSeen[]> {
  const rules = readOwnGates(open.blobs)?.rules ?? [];
  if (rules.length === 0) return [];
  const own = readOwnRules(runtime.store);
  if (!own.ok) return rules.map(({ name }) => ({ ruleName: name, passed: null, message: own.message }));
  const results: RuleSeen[] = [];
  for (const rule of rules) {
    const known = checked(rule, proofs) ?? early(rule, open, proofs);
    results.push(known ?? (await test(rule, { own, output, signal }, open, runtime)));
  }
  return results;
}

type OwnRule = OwnGates['rules'][number];

async function test(
  rule: OwnRule,
  { own, output, signal }: { readonly own: OwnRules; readonly output: string; readonly signal: AbortSignal },
  open: OpenLoop,
  runtime: Runtime,
): Promise<RuleSeen> {
  const loop = open.loop();
  const { name: ruleName } = rule;
  const run = await runRules({ rules: [rule], project: loop.project, loop, own, output, signal }, runtime);
  return (run.ok ? run.results[0] : null) ?? { ruleName, passed: null, message: run.ok ? '' : run.message };
}

/** Null: it is not a check of this loop, or the check has not run. */
function checked(rule: OwnRule, { checks }: Proofs): RuleSeen | null {
  const proof = checks.find(({ command }) => 'command' in rule && rule.command === command);
  if (proof === undefined) return null;
  return { ruleName: rule.name, passed: proof.outcome.is === 'passed', message: sayOutcome(proof.outcome) };
}

/** A command costs minutes, so it runs only on a claim, like a check. Null: it may run now. */
function early(rule: OwnRule, open: OpenLoop, proofs: Proofs): RuleSeen | null {
  const frame = topFrame(open.loop());
  if (rule.type !== 'command' || claimLine(frame) === null || standingOf(frame, proofs).claimed) return null;
  return {
    ruleName: rule.name,
    passed: null,
    message: 'not run at this stop: it runs when you claim to be done',
  };
}
