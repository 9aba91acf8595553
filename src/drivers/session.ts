/** Which session a pass gets (seed 000: a clean one each time, one for a batch of features, or one long one). */
import type { Plan } from '../core/plan.ts';

/** What is known of the session that the last pass had. */
export interface SessionSoFar {
  readonly session: string;
  readonly iterations: number;
  /** Features that passed when it began. */
  readonly passing: number;
}

export type SessionChoice =
  | { readonly is: 'new' }
  /** `compact`: its context is to be made smaller first. */
  | { readonly is: 'same'; readonly session: string; readonly compact: boolean };

export function chooseSession(
  context: Plan['context'],
  last: SessionSoFar | null,
  passingNow: number,
): SessionChoice {
  if (last === null) return { is: 'new' };
  const { session, iterations } = last;
  if (context.is === 'same') {
    const { compactEvery } = context;
    return { is: 'same', session, compact: compactEvery !== null && iterations % compactEvery === 0 };
  }
  const used = context.of === 'iterations' ? iterations : passingNow - last.passing;
  return used >= context.every ? { is: 'new' } : { is: 'same', session, compact: false };
}

/** For the agent: what it leaves behind in files matters more where whoever comes next knows nothing else. */
export function whoGoesOn(context: Plan['context']): string {
  if (context.is === 'same') return 'you';
  return context.every === 1 && context.of === 'iterations'
    ? 'a new agent, which sees only the files,'
    : 'you, or a new agent which sees only the files,';
}
