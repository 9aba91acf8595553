/** The rules of `decide.ts`, each with a name and a line for people who ask why. The number is its place there. */
import type { Verdict } from '../core/record/verdict.ts';

export interface RuleOfLaw {
  readonly number: number;
  readonly name: string;
  readonly says: string;
}

function rule(number: number, name: string, says: string): RuleOfLaw {
  return { number, name, says };
}

export function ruleOf(verdict: Verdict): RuleOfLaw {
  switch (verdict.is) {
    case 'complete':
      return rule(10, 'done', 'The gates hold: the loop is complete.');
    case 'continue':
      if (verdict.missing[0]?.gate === 'news')
        return rule(
          10,
          'no work seen',
          'The gates hold, but nothing has changed since the loop began: the agent is asked once.',
        );
      if (verdict.missing[0]?.gate === 'confirmed')
        return rule(
          10,
          'to be confirmed',
          'The gates hold: before the loop is complete, a pass looks for what is missing.',
        );
      return verdict.popped.length > 0 || verdict.item !== null
        ? rule(10, 'inner task ended', 'A frame has ended: the work around it continues in the same stop.')
        : rule(15, 'next iteration', 'Nothing else applied, so the next iteration begins.');
    case 'escalate':
      if (verdict.why.is === 'vetoed')
        return rule(8, 'veto', 'A stop hook has a veto, or could not be asked: a person must look.');
      if (verdict.why.is === 'unreviewed')
        return rule(
          8,
          'not reviewed',
          'The reviewer could not be reached, or has objected as often as it may: a person must look.',
        );
      if (verdict.why.is === 'undone')
        return rule(
          10,
          'items undone',
          'Every item had its turn, but not every one is done: a person must look.',
        );
      if (verdict.why.is === 'uncounted')
        return rule(8, 'budget uncounted', 'What was used could not be counted: a person must look.');
      return verdict.why.is === 'unprovable' || verdict.why.is === 'unreadable'
        ? rule(8, 'no proof possible', 'A proof could not be taken: a person must look.')
        : rule(11, 'agent asks for a person', 'The agent says that it is blocked, or asks for a person.');
    case 'exhaust':
      return LIMITS[verdict.limit];
    case 'allow':
      if (verdict.why === 'approval')
        return rule(
          9,
          'a person was asked',
          'A request to a person is open: the loop waits for the answer, and nothing is spent.',
        );
      if (verdict.why === 'not-yet')
        return rule(
          12,
          'not yet',
          'All that is missing is a check that says "not yet": Da Capo looks again later, without the agent, and nothing is spent.',
        );
      return verdict.why === 'queue'
        ? rule(
            6,
            'people first',
            'What a person typed waits in the host: people come first, and nothing is spent.',
          )
        : rule(
            13,
            'background work',
            'Background work of the host still runs: the stop is let through, and nothing is spent.',
          );
  }
}

const LIMITS: Readonly<Record<Extract<Verdict, { is: 'exhaust' }>['limit'], RuleOfLaw>> = {
  staleness: rule(
    7,
    'stale',
    'This stop began a new chain of prompts after too long a silence: the loop is stale.',
  ),
  time: rule(12, 'time limit', 'The loop has reached its time limit.'),
  cost: rule(12, 'money limit', 'The loop has used up its budget of money.'),
  tokens: rule(12, 'token limit', 'The loop has used up its budget of tokens.'),
  stagnation: rule(
    12,
    'no progress',
    'Stop after stop showed the same with nothing changed, or led in circles or away from the goals: the loop is stuck.',
  ),
  iterations: rule(14, 'iteration limit', 'The iterations are used up.'),
  items: rule(14, 'item limit', 'As many items as were allowed have had their turn.'),
};
