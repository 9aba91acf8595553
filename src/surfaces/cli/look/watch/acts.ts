/**
 * Does what a person asked for with a key, by the same operations as the commands, and says what came of it.
 */
import { sayAdvice } from '#telling/advice.ts';
import { inTerminal } from '#telling/audience.ts';
import { ANSWER_OF_VERB } from '#engine/requests/answer.ts';
import type { CarriedOn } from '#engine/steer/resume.ts';
import type { Acted, ActionPort, LoopAction } from '#engine/steer/actions.ts';
import type { KeyAct, WatchNotice } from '#surfaces/screen/watch/state.ts';
import { sayStatus } from '#telling/person/status.ts';
import { actor } from '#surfaces/cli/context.ts';

export type LoopAct = Exclude<Extract<KeyAct, { id: string } | { request: string }>, { is: 'open' }>;

/** `by`: null in the terminal of a run. */
export async function actOn(
  act: LoopAct,
  actions: ActionPort,
  by: 'view' | null = 'view',
): Promise<WatchNotice> {
  const acted = await actions('id' in act ? act.id : null, {
    ...actionOf(act),
    ...(actor() === 'agent' ? { by: 'agent' } : by && { by }),
  });
  if (!acted.ok) return { mark: 'failed', text: `${acted.message} ${sayAdvice(acted.next, inTerminal)}` };
  return { mark: 'ok', text: sayDone(act, acted) };
}

function actionOf(act: LoopAct): LoopAction {
  if ('id' in act) return act;
  const note = act.is === 'approve' ? '' : act.words;
  return { is: 'answer', request: act.request, answer: ANSWER_OF_VERB[act.is], note };
}

function sayDone(act: LoopAct, { loop, carriedOn }: Acted): string {
  if ('request' in act)
    return `${act.request} is ${act.is === 'answer' ? 'answered' : ANSWER_OF_VERB[act.is]}`;
  if (act.is === 'steer') return 'the agent gets it with its next iteration';
  if (act.is === 'resume') return `${act.id}: ${sayCarriedOn(act.id)[carriedOn?.by ?? 'worker']}`;
  if (act.is === 'pause') return `${act.id} ${loop === undefined ? 'is paused' : sayStatus(loop)}`;
  return `${act.id} is cancelled`;
}

function sayCarriedOn(id: string): Readonly<Record<CarriedOn['by'] | 'worker', string>> {
  return {
    run: `resumed; dacapo run --loop ${id} continues it, in a terminal of its own`,
    'its-run': 'it stopped waiting, and continues in the terminal that runs it',
    prompt: `resumed; it begins when a session gets its prompt. dacapo resume ${id} opens one`,
    'open-session': 'resumed; any prompt in its session continues it',
    session: `resumed; dacapo resume ${id} opens its session again`,
    nobody: 'it continues',
    worker: 'it continues, on any worker',
  };
}
