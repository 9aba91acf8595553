/** What the last judged stop of a loop showed, as validation results: checks, files, rules. */
import { accountOf, wasAsked, type HookRecord, hookContext, type HookContext } from '../core/stop-hooks.ts';
import type { Loop } from '../core/loop.ts';
import { ruleNamed } from '../proofs/stop-hooks/own-gates.ts';

type Results = HookContext['validationResults'];

export function validationResults(loop: Loop): Results {
  const { last } = loop;
  if (last === null) return [];
  const { proofs: checks, sights, features } = last;
  const proofs = { said: null, checks, sights, features };
  const seen = hookContext(loop, '', proofs, { inPass: [], inLoop: null }, last.at).validationResults;
  return [...seen, ...lastAccounts(loop).flatMap(ruleResult)];
}

/** What the hooks said at that stop, without the rules beside them. */
export function hookAccounts(loop: Loop): HookRecord[] {
  return lastAccounts(loop).filter(({ hook }) => ruleNamed(hook) === null);
}

function lastAccounts({ noted: { asked }, last }: Loop): readonly HookRecord[] {
  return asked === undefined || asked.n !== last?.n ? [] : accountOf(asked);
}

function ruleResult(account: HookRecord): Results {
  const ruleName = ruleNamed(account.hook);
  if (ruleName === null || !wasAsked(account)) return [];
  const { is, action, reason: message } = account;
  return [{ ruleName, passed: action === 'complete', message, ...(is === 'failed' && { notRun: true }) }];
}
