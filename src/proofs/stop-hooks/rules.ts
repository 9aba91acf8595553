/** What the validation rules of a loop showed at a stop, for its stop hooks, its gate and its journal. */
import type { HookRecord, HookContext } from '../../core/stop-hooks.ts';
import type { GateResult } from '../../core/record/verdict.ts';
import { few } from '../../core/words/phrases.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import { nameOfRule } from './own-gates.ts';

export interface RuleSeen {
  readonly ruleName: string;
  readonly passed: boolean | null;
  readonly message: string;
}

const SHOWN = 300;
const NAMED = 5;

export function withRules(context: HookContext, rules: readonly RuleSeen[]): HookContext {
  const results = rules.map(({ ruleName, passed, message }) => ({
    ruleName,
    passed: passed === true,
    message,
    ...(passed === null && { notRun: true }),
  }));
  return { ...context, validationResults: [...context.validationResults, ...results] };
}

/** The journal keeps them beside the hooks, under names that no hook has. */
export function ruleAccounts(rules: readonly RuleSeen[]): HookRecord[] {
  return rules.map(({ ruleName, passed, message }) => ({
    hook: nameOfRule(ruleName),
    is: passed === null ? 'failed' : 'answered',
    action: passed === true ? 'complete' : 'continue',
    reason: oneLine(message, SHOWN),
    ms: 0,
  }));
}

/** `hooks`: what the hooks beside them say; null: there are none. */
export function rulesSight(rules: readonly RuleSeen[], hooks: GateResult | null): GateResult {
  const open = rules.filter(({ passed }) => passed !== true);
  if (open.length === 0)
    return hooks ?? { gate: 'hooks', holds: true, says: 'every validation rule passes', trouble: null };
  const say = ({ ruleName, message }: RuleSeen) =>
    `rule ${oneLine(ruleName, SHOWN)}: ${oneLine(message, SHOWN)}`;
  const says = few(open, say, NAMED).join('; ');
  return { gate: 'hooks', holds: false, says, trouble: hooks?.trouble ?? null };
}
