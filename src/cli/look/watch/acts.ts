/** Does what a person asked for in `dacapo watch`, by the same operations as the commands, and says what came of it. */
import type { Refusal } from '../../../core/refusal.ts';
import { answer, ANSWERS } from '../../../operations/requests/answer.ts';
import { cancel } from '../../../operations/steer/control.ts';
import { pause, steer } from '../../../operations/steer/steer.ts';
import { resume, type CarriedOn } from '../../../operations/steer/resume.ts';
import type { Act, WatchNotice } from '../../../screen/watch/state.ts';
import type { Runtime } from '../../../store/runtime.ts';
import { sayStatus } from '../../../text/status.ts';
import { actor } from '../../runtime.ts';

export type LoopAct = Extract<
  Act,
  { is: 'pause' | 'resume' | 'cancel' | 'steer' | 'approve' | 'reject' | 'answer' }
>;

/** The loop is named by its id, so the folder does not matter. */
const ROOT = '/';
const AS_IT_IS = {
  limits: { iterations: undefined, timeMs: undefined, costUsd: undefined, tokens: undefined },
  checkpoint: undefined,
  acceptChanges: false,
};

export function actOn(act: LoopAct, runtime: Runtime, by: 'view' | 'terminal' = 'view'): WatchNotice {
  switch (act.is) {
    case 'pause': {
      const paused = pause({ id: act.id, root: ROOT }, actor(), runtime);
      return paused.ok ? done(`${act.id} ${sayStatus(paused.loop)}`) : refused(paused);
    }
    case 'resume': {
      const resumed = resume({ id: act.id, root: ROOT, by: actor(), ...AS_IT_IS }, runtime);
      return resumed.ok ? done(`${act.id}: ${carriedOn(act.id)[resumed.carriedOn.by]}`) : refused(resumed);
    }
    case 'cancel': {
      const cancelled = cancel({ id: act.id, root: ROOT }, actor(), runtime);
      if (!cancelled.ok) return refused(cancelled);
      return done(cancelled.cancelled.length > 0 ? `${act.id} is cancelled` : `${act.id} had ended before`);
    }
    case 'steer': {
      const steered = steer({ id: act.id, root: ROOT, words: act.words, by: 'view' }, runtime);
      return steered.ok ? done('the agent gets it with its next iteration') : refused(steered);
    }
    case 'approve':
    case 'reject':
    case 'answer': {
      const given = ANSWERS[act.is];
      const note = act.is === 'approve' ? '' : act.words;
      const result = answer({ id: act.request, answer: given, note, by }, runtime);
      return result.ok ? done(`${act.request} is ${given === 'text' ? 'answered' : given}`) : refused(result);
    }
  }
}

function done(text: string): WatchNotice {
  return { mark: 'ok', text };
}

function refused({ message, next }: Refusal): WatchNotice {
  return { mark: 'failed', text: `${message} ${next}` };
}

function carriedOn(id: string): Readonly<Record<CarriedOn['by'], string>> {
  return {
    run: `resumed; dacapo run --loop ${id} goes on with it, in a terminal of its own`,
    'its-run': 'it waits no longer, and goes on in the terminal that runs it',
    prompt: `resumed; it begins when a session gets its prompt. dacapo resume ${id} shows what to type`,
    'open-session': 'resumed; any prompt in its session carries it on',
    session: `resumed; open its session again. dacapo resume ${id} shows what to type`,
    nobody: 'it goes on',
  };
}
