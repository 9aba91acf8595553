/** What a person does to a loop, as a value: by a command, on a screen, or in the record of a fleet. */
import type { Loop } from '#law/loop.ts';
import type { Granted } from '#base/refusal.ts';
import type { Advice, Refused } from '#telling/advice.ts';
import type { Runtime } from '#store/runtime.ts';
import type { NewLimits } from '#telling/next-step.ts';
import { withLoop } from '../look/loops.ts';
import { agreeToPlanted } from '../trust/brought.ts';
import { answer, type AnswerOrder } from '../requests/answer.ts';
import { amend, type Amendment } from './amend.ts';
import { cancel, pause, steer } from './control.ts';
import { resume, type CarriedOn } from './resume.ts';

/** `by`: on which screen, if not by a command. */
export type Act = { readonly by?: 'page' | 'view' | 'agent' } & (
  | { readonly is: 'cancel' | 'pause' }
  /** Agrees to the files for which the loop was stopped, and resumes it. */
  | { readonly is: 'trust' }
  | { readonly is: 'resume'; readonly limits?: NewLimits }
  | { readonly is: 'steer'; readonly words: string }
  | ({ readonly is: 'answer'; readonly request: string } & Pick<AnswerOrder, 'answer' | 'note'>)
  | ({ readonly is: 'amend' } & Amendment)
);

/** `loop`: of this machine, as it is now. `carriedOn`: who goes on with one that was resumed. */
export interface Acted {
  readonly ok: true;
  readonly id: string;
  readonly loop?: Loop;
  readonly carriedOn?: { readonly loop: Loop } & CarriedOn;
}

/** `id`: the loop. Null: an answer whose loop nobody knows. */
export type Hand = (id: string | null, act: Act) => Promise<Acted | Refused>;

export function perform(id: string | null, act: Act, runtime: Runtime): Acted | Refused {
  // A view of the journal means a file in the project.
  const by = act.by === undefined || act.by === 'view' ? 'terminal' : act.by;
  if (act.is === 'answer') {
    // An agent is refused.
    const mouth = act.by === undefined || act.by === 'agent' ? 'terminal' : act.by;
    const answered = answer({ ...act, id: act.request, by: mouth }, id, runtime);
    return answered.ok ? { ok: true, id: answered.loop.id } : answered;
  }
  if (id === null) throw new Error(`no loop is named to ${act.is}`);
  const order = { id, root: '/', by } as const;
  switch (act.is) {
    case 'resume': {
      const resumed = resume({ ...order, limits: act.limits ?? {} }, runtime);
      return resumed.ok ? { ok: true, id, carriedOn: { ...resumed.carriedOn, loop: resumed.loop } } : resumed;
    }
    case 'trust': {
      const refusal = withLoop(id, runtime, (open) => agreeToPlanted(open, runtime));
      return refusal ?? perform(id, { ...act, is: 'resume' }, runtime);
    }
    case 'cancel':
      return named(id, cancel(order, by, runtime));
    case 'pause':
      return named(id, pause(order, by, runtime));
    case 'steer':
      return named(id, steer({ ...order, words: act.words, by: act.by ?? by }, runtime));
    case 'amend':
      return named(id, amend({ ...order, ...act, by }, runtime));
  }
}

export function handOf(runtime: Runtime): Hand {
  return async (id, act) => perform(id, act, runtime);
}

function named(id: string, done: Granted<Pick<Acted, 'loop'>, Advice>): Acted | Refused {
  return done.ok ? { ok: true, id, ...(done.loop && { loop: done.loop }) } : done;
}
