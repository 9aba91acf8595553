/** The rules of `decide.ts`, each with a name and a line for people who ask why. The number is its place there. */
import type { Verdict } from '../core/record/verdict.ts';

export interface RuleOfLaw {
  readonly number: number;
  readonly name: string;
  readonly says: string;
}

export function ruleOf(verdict: Verdict): RuleOfLaw {
  switch (verdict.is) {
    case 'complete':
      return { number: 10, name: 'done', says: 'The gates hold: the loop is complete.' };
    case 'continue':
      if (verdict.missing[0]?.gate === 'news')
        return {
          number: 10,
          name: 'no work seen',
          says: 'The gates hold, but nothing has changed since the loop began: the agent is asked once.',
        };
      if (verdict.missing[0]?.gate === 'confirmed')
        return {
          number: 10,
          name: 'to be confirmed',
          says: 'The gates hold: before the loop is complete, a pass looks for what is missing.',
        };
      return verdict.popped.length > 0 || verdict.item !== null
        ? {
            number: 10,
            name: 'inner task ended',
            says: 'A frame has ended: the work around it continues in the same stop.',
          }
        : { number: 15, name: 'next iteration', says: 'Nothing else applied, so the next iteration begins.' };
    case 'escalate':
      if (verdict.why.is === 'vetoed')
        return {
          number: 8,
          name: 'veto',
          says: 'A stop hook has a veto, or could not be asked: a person must look.',
        };
      if (verdict.why.is === 'undone')
        return {
          number: 10,
          name: 'items undone',
          says: 'Every item had its turn, but not every one is done: a person must look.',
        };
      if (verdict.why.is === 'uncounted')
        return {
          number: 8,
          name: 'budget uncounted',
          says: 'What was used could not be counted: a person must look.',
        };
      return verdict.why.is === 'unprovable' || verdict.why.is === 'unreadable'
        ? { number: 8, name: 'no proof possible', says: 'A proof could not be taken: a person must look.' }
        : {
            number: 11,
            name: 'agent asks for a person',
            says: 'The agent says that it is blocked, or asks for a person.',
          };
    case 'exhaust':
      return LIMITS[verdict.limit];
    case 'allow':
      if (verdict.why === 'approval')
        return {
          number: 9,
          name: 'a person was asked',
          says: 'A request to a person is open: the loop waits for the answer, and nothing is spent.',
        };
      return verdict.why === 'queue'
        ? {
            number: 6,
            name: 'people first',
            says: 'What a person typed waits in the host: people come first, and nothing is spent.',
          }
        : {
            number: 13,
            name: 'background work',
            says: 'Background work of the host still runs: the stop is let through, and nothing is spent.',
          };
  }
}

const LIMITS: Readonly<Record<Extract<Verdict, { is: 'exhaust' }>['limit'], RuleOfLaw>> = {
  staleness: {
    number: 7,
    name: 'stale',
    says: 'This stop began a new chain of prompts after too long a silence: the loop is stale.',
  },
  time: { number: 12, name: 'time limit', says: 'The loop has reached its time limit.' },
  cost: { number: 12, name: 'money limit', says: 'The loop has used up its budget of money.' },
  tokens: { number: 12, name: 'token limit', says: 'The loop has used up its budget of tokens.' },
  stagnation: {
    number: 12,
    name: 'no progress',
    says: 'Stop after stop showed the same with nothing changed, or led in circles or away from the goals: the loop is stuck.',
  },
  iterations: { number: 14, name: 'iteration limit', says: 'The iterations are used up.' },
  items: { number: 14, name: 'item limit', says: 'As many items as were allowed have had their turn.' },
};
