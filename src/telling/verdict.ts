/** The answer to a stop in words, and what it rests on. */
import type { Item } from '#law/record/definition.ts';
import type { CheckProof, Popped, Verdict } from '#law/record/verdict.ts';
import { few, plural, sayCheck, sayEscalation, sayOpen } from '#law/words/phrases.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { wasAsked, type HookRecord } from '#law/proof/stop-hooks.ts';
import { clockTime, tookTime } from './time.ts';

const MAX_NAME_CHARS = 100;
const MAX_REASON_CHARS = 200;
const MAX_MISSING_LISTED = 6;

export function sayVerdict(verdict: Verdict): string {
  if (verdict.is === 'allow') return `allow: ${ALLOWED[verdict.why]}${sayLook(verdict)}`;
  const popped = sayAllPopped(verdict);
  if (verdict.is === 'continue') {
    const words = [
      ...popped,
      ...(verdict.item === null ? [] : [sayBegins(verdict.item)]),
      ...few(verdict.missing, sayOpen, MAX_MISSING_LISTED),
    ];
    return words.length === 0 ? 'continue' : `continue: ${words.join('; ')}`;
  }
  return [`${verdict.is}: ${sayEnding(verdict)}`, ...popped].join('; ');
}

function sayEnding(verdict: Exclude<Verdict, { is: 'allow' | 'continue' }>): string {
  if (verdict.is === 'escalate') return sayEscalation(verdict.why);
  if (verdict.is === 'complete')
    return `the gates hold${verdict.unchanged ? ', though nothing was changed' : ''}`;
  return verdict.limit === 'stagnation' ? `no progress: ${verdict.detail}` : LIMITS[verdict.limit];
}

export function sayBegins({ n, of, title }: Item): string {
  return `item ${n} of ${of} begins: ${oneLine(title, MAX_NAME_CHARS)}`;
}

function sayAllPopped({ popped = [] }: { readonly popped?: readonly Popped[] }): string[] {
  return popped.map(({ mode, outcome, why, item, iterations }) => {
    const what = item === null ? `inner frame (${mode})` : `item "${oneLine(item, MAX_NAME_CHARS)}"`;
    const reason = oneLine(why, MAX_NAME_CHARS);
    return `${what} popped after ${plural(iterations, 'iteration')}, ${outcome}: ${reason}`;
  });
}

export function sayAccount(account: HookRecord): string {
  const hook = oneLine(account.hook, MAX_NAME_CHARS);
  if (!wasAsked(account)) return `${hook} ${account.is === 'disabled' ? 'is disabled' : 'was not reached'}`;
  const { is, action, reason, ms } = account;
  const verdict =
    is === 'abstained' ? 'abstains' : is === 'answered' ? `says ${action}` : is.replace('-', ' ');
  return `${hook} ${verdict}: ${oneLine(reason, MAX_REASON_CHARS)} (${ms} ms)`;
}

export function sayCheckProof({ name, command, outcome, ms }: CheckProof): string {
  return `${sayCheck({ name, command })} ${sayOutcome(outcome)} (${tookTime(ms)})`;
}

const ALLOWED: Readonly<Record<Extract<Verdict, { is: 'allow' }>['why'], string>> = {
  queue: 'what a person typed waits in the queue, and comes first',
  background: 'background work still runs',
  approval: 'a person was asked, and has not answered yet',
  'not-yet': 'only a check that says "not yet" is missing',
};

function sayLook({ why, until }: Extract<Verdict, { is: 'allow' }>): string {
  return why === 'not-yet' && until !== null ? `; the next look is at ${clockTime(until)}` : '';
}

const LIMITS: Readonly<Record<Exclude<Extract<Verdict, { is: 'exhaust' }>['limit'], 'stagnation'>, string>> =
  {
    iterations: 'the iterations are used up',
    items: 'as many items as were allowed have had their turn',
    time: 'the time is used up',
    staleness: 'nothing happened for too long',
    cost: 'the money is used up',
    tokens: 'the tokens are used up',
  };
