/** The law (design §3) in one line per rule, for people who ask why. */
import type { Verdict } from '../core/verdict.ts';

export interface RuleOfLaw {
  readonly number: number;
  readonly says: string;
}

export function ruleOf(verdict: Verdict): RuleOfLaw {
  switch (verdict.is) {
    case 'complete':
      return { number: 10, says: 'The gates hold: the loop is complete.' };
    case 'continue':
      if (verdict.missing[0]?.gate === 'news')
        return {
          number: 10,
          says: 'The gates hold, but nothing has changed since the loop began: the agent is asked once.',
        };
      return verdict.popped.length > 0 || verdict.item !== null
        ? { number: 10, says: 'A frame has ended: the work around it goes on in the same stop.' }
        : { number: 15, says: 'Nothing else applied, so the next iteration begins.' };
    case 'escalate':
      if (verdict.why.is === 'vetoed')
        return { number: 8, says: 'A stop hook has a veto, or could not be asked: a person must look.' };
      if (verdict.why.is === 'undone')
        return {
          number: 10,
          says: 'Every item had its turn, but not every one is done: a person must look.',
        };
      return verdict.why.is === 'unprovable' || verdict.why.is === 'unreadable'
        ? { number: 8, says: 'A proof could not be taken: a person must look.' }
        : { number: 11, says: 'The agent says that it is blocked, or asks for a person.' };
    case 'exhaust':
      return LIMITS[verdict.limit];
    case 'allow':
      return verdict.why === 'queue'
        ? {
            number: 6,
            says: 'What a person typed waits in the host: people come first, and nothing is spent.',
          }
        : {
            number: 13,
            says: 'Background work of the host still runs: the stop is let through, and nothing is spent.',
          };
  }
}

const LIMITS: Readonly<Record<Extract<Verdict, { is: 'exhaust' }>['limit'], RuleOfLaw>> = {
  staleness: {
    number: 7,
    says: 'This stop began a new chain of prompts after too long a silence: the loop is stale.',
  },
  time: { number: 12, says: 'The time of the loop is used up.' },
  cost: { number: 12, says: 'The money of the loop is used up.' },
  tokens: { number: 12, says: 'The tokens of the loop are used up.' },
  stagnation: {
    number: 12,
    says: 'The same was seen at stop after stop, and nothing changed: the circuit is open.',
  },
  iterations: { number: 14, says: 'The iterations are used up.' },
  items: { number: 14, says: 'As many items as were allowed have had their turn.' },
};
