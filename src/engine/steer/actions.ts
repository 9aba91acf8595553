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
import { resume, type CarriedOn, type ResumeOrder } from './resume.ts';

/** `by`: on which screen, if not by a command. */
export type LoopAction = { readonly by?: 'page' | 'view' | 'agent' } & (
  | { readonly is: 'cancel' | 'pause' }
  /** Agrees to the files for which the loop was stopped, and resumes it. */
  | { readonly is: 'trust' }
  | ({ readonly is: 'resume'; readonly limits?: NewLimits } & Pick<
      ResumeOrder,
      'checkpoint' | 'acceptChanges'
    >)
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

/**
 * What a person can do to the loops of one record: this machine's, or a fleet's. `id`: the loop. Null: an
 * answer whose loop nobody knows.
 */
export type ActionPort = (id: string | null, action: LoopAction) => Promise<Acted | Refused>;

export function applyAction(id: string | null, action: LoopAction, runtime: Runtime): Acted | Refused {
  // A view of the journal means a file in the project.
  const by = action.by === undefined || action.by === 'view' ? 'terminal' : action.by;
  if (action.is === 'answer') {
    // An agent is refused.
    const mouth = action.by === undefined || action.by === 'agent' ? 'terminal' : action.by;
    const answered = answer({ ...action, id: action.request, by: mouth }, id, runtime);
    return answered.ok ? { ok: true, id: answered.loop.id } : answered;
  }
  if (id === null) throw new Error(`no loop is named to ${action.is}`);
  const order = { id, root: '/', by } as const;
  switch (action.is) {
    case 'resume': {
      const resumed = resume({ ...order, limits: action.limits ?? {} }, runtime);
      return resumed.ok ? { ok: true, id, carriedOn: { ...resumed.carriedOn, loop: resumed.loop } } : resumed;
    }
    case 'trust': {
      const refusal = withLoop(id, runtime, (open) => agreeToPlanted(open, runtime));
      return refusal ?? applyAction(id, { ...action, is: 'resume' }, runtime);
    }
    case 'cancel':
      return named(id, cancel(order, by, runtime));
    case 'pause':
      return named(id, pause(order, by, runtime));
    case 'steer':
      return named(id, steer({ ...order, words: action.words, by: action.by ?? by }, runtime));
    case 'amend':
      return named(id, amend({ ...order, ...action, by }, runtime));
  }
}

export function machineActions(runtime: Runtime): ActionPort {
  return async (id, action) => applyAction(id, action, runtime);
}

function named(id: string, done: Granted<Pick<Acted, 'loop'>, Advice>): Acted | Refused {
  return done.ok ? { ok: true, id, ...(done.loop && { loop: done.loop }) } : done;
}
