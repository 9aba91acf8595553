/** The rules of `decide.ts` by name, with their place there, and a line for people who ask why. */
import type { Verdict } from '#law/record/verdict.ts';

const RULES = {
  'people first': [6, 'What a person typed waits in the host: people come first, and nothing is spent.'],
  stale: [7, 'This stop began a new chain of prompts after too long a silence: the loop is stale.'],
  veto: [8, 'A stop hook has a veto, or could not be asked: a person must look.'],
  'not reviewed': [
    8,
    'Its reviewer could not be reached, or objects as often as it may: a person must look.',
  ],
  'budget uncounted': [8, 'What was used could not be counted: a person must look.'],
  'no proof possible': [8, 'A proof could not be taken: a person must look.'],
  'a person was asked': [
    9,
    'A request to a person is open: the loop waits for the answer, and nothing is spent.',
  ],
  done: [10, 'The gates hold: the loop is complete.'],
  'no work seen': [
    10,
    'The gates hold, but nothing has changed since the loop began: the agent is asked once.',
  ],
  'to be confirmed': [10, 'The gates hold: before the loop is complete, a pass looks for what is missing.'],
  'inner task ended': [10, 'A frame has ended: the work around it continues in the same stop.'],
  'items undone': [10, 'Every item had its turn, but not every one is done: a person must look.'],
  'agent asks for a person': [11, 'The agent says that it is blocked, or asks for a person.'],
  'time limit': [12, 'The loop has reached its time limit.'],
  'money limit': [12, 'The loop has used up its budget of money.'],
  'token limit': [12, 'The loop has used up its budget of tokens.'],
  'not yet': [
    12,
    'All that is missing is a check that says "not yet": Da Capo looks again later, without the ' +
      'agent, and nothing is spent.',
  ],
  'no progress': [
    12,
    'Stop after stop showed the same with nothing changed, or led in circles or away from the goals: ' +
      'the loop is stuck.',
  ],
  'background work': [
    13,
    'Background work of the host still runs: the stop is let through, and nothing is spent.',
  ],
  'iteration limit': [14, 'The iterations are used up.'],
  'item limit': [14, 'As many items as were allowed have had their turn.'],
  'next iteration': [15, 'Nothing else applied, so the next iteration begins.'],
} as const;

type RuleName = keyof typeof RULES;

export function ruleOf(verdict: Verdict) {
  const name = nameOf(verdict);
  const [number, says]: readonly [number, string] = RULES[name];
  return { number, name, says };
}

function nameOf(verdict: Verdict): RuleName {
  if (verdict.is === 'complete') return 'done';
  if (verdict.is === 'exhaust') return LIMITS[verdict.limit];
  if (verdict.is === 'allow') return ALLOWED[verdict.why];
  if (verdict.is === 'escalate') return ESCALATED[verdict.why.is] ?? 'agent asks for a person';
  const [lacks] = verdict.missing;
  if (lacks?.gate === 'news') return 'no work seen';
  if (lacks?.gate === 'confirmed') return 'to be confirmed';
  return verdict.popped.length > 0 || verdict.item !== null ? 'inner task ended' : 'next iteration';
}

type RuleNames<K extends string> = Readonly<Record<K, RuleName>>;

const LIMITS: RuleNames<Extract<Verdict, { is: 'exhaust' }>['limit']> = {
  staleness: 'stale',
  time: 'time limit',
  cost: 'money limit',
  tokens: 'token limit',
  stagnation: 'no progress',
  iterations: 'iteration limit',
  items: 'item limit',
};

const ALLOWED: RuleNames<Extract<Verdict, { is: 'allow' }>['why']> = {
  approval: 'a person was asked',
  'not-yet': 'not yet',
  queue: 'people first',
  background: 'background work',
};

const ESCALATED: Partial<RuleNames<Extract<Verdict, { is: 'escalate' }>['why']['is']>> = {
  vetoed: 'veto',
  unreviewed: 'not reviewed',
  undone: 'items undone',
  uncounted: 'budget uncounted',
  unprovable: 'no proof possible',
  unreadable: 'no proof possible',
};
