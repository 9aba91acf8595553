/** What one stop of a story shows, in the order and in the words that every screen lays out. */
import { sayCheck } from '#law/words/phrases.ts';
import { isCostKnown, sayCost } from '#law/words/figures.ts';
import { tookTime } from '../time.ts';
import type { StoryCheck, StoryIteration } from './story.ts';

/** `missing`: what the verdict lacked, without checks and gates that have a row of their own. */
export interface StoryRow<C extends StoryCheck = StoryCheck> {
  readonly is: 'check' | 'gate' | 'hook' | 'missing';
  readonly holds: boolean | null;
  readonly words: string;
  readonly check: C | null;
  readonly gate?: string;
}

type TestedEntry<C> = Omit<StoryIteration, 'checks'> & { readonly checks: readonly C[] };

export function rowsOf<C extends StoryCheck>(entry: TestedEntry<C>): StoryRow<C>[] {
  const { checks, hooks, verdict } = entry;
  // The hooks' answers follow one by one.
  const gateResults = entry.gateResults.filter(({ gate }) => gate !== 'hooks' || hooks.length === 0);
  const row = (is: StoryRow['is'], words: string, holds: boolean | null = null) =>
    ({ is, holds, words, check: null }) as const;
  const reasons = verdict?.reasons ?? [];
  return [
    ...checks.map((check) => ({ ...row('check', sayTested(check), check.holds), check })),
    ...gateResults.map(({ gate, holds, says }) => ({ ...row('gate', says, holds), gate })),
    ...hooks.map(({ holds, says }) => row('hook', `stop hook ${says}`, holds)),
    ...reasons
      .filter(({ gate }) => gate !== 'check' || checks.length === 0)
      .filter(({ words }) => entry.gateResults.every(({ says }) => says !== words))
      .map(({ words }) => row('missing', words)),
  ];
}

function sayTested({ name, command, says, ms }: StoryCheck): string {
  return `${sayCheck({ name, command })} ${says} (${tookTime(ms)})`;
}

/** Its cost, where it is known; else nothing. */
export function costWords({ used }: Pick<StoryIteration, 'used'>): string[] {
  return used !== null && isCostKnown(used) ? [sayCost(used)] : [];
}

export function commitWords({ commit }: Pick<StoryIteration, 'commit'>, mark = ''): string | null {
  return commit && `${commit.onBranch ? 'committed' : 'kept'} as ${mark}${commit.id.slice(0, 12)}${mark}`;
}
