/**
 * The verbs that steer a loop, each once: what was typed becomes an action, and a record carries it out.
 * `dacapo cancel` and `dacapo fleet cancel` differ only in the record.
 */
import type { AnswerOrder } from '#engine/requests/answer.ts';
import type { LoopAction } from '#engine/steer/actions.ts';
import type { Amendment } from '#engine/steer/amend.ts';
import type { Audience, Refused } from '#telling/advice.ts';
import type { NewLimits } from '#telling/next-step.ts';
import type { GivenFlags } from '../command.ts';
import { failFor, failUsage } from '../terminal/terminal.ts';

type RequestRef = { readonly id: string; readonly loop: string };

/** The loops of this machine, or those of a fleet. */
export interface ActionRecord {
  readonly audience: Audience;
  /** Carries it out and tells the person. `loop`: as typed; undefined: the only one that can be meant. */
  readonly act: (loop: string | undefined, action: LoopAction, json: boolean) => Promise<number>;
  /** Whether a word that stands alone names a loop. */
  readonly isLoop: (word: string) => boolean;
  /** What an answer without an id means. */
  readonly onlyRequest: (answer: AnswerOrder['answer']) => RequestRef | Refused;
}

type OfLoop = GivenFlags<'json', 'id'>;

export function runCancel({ id, json }: OfLoop, record: ActionRecord): Promise<number> {
  return record.act(id, { is: 'cancel' }, json);
}

export function runPause({ id, json }: OfLoop, record: ActionRecord): Promise<number> {
  return record.act(id, { is: 'pause' }, json);
}

export function runTrust({ id, json }: OfLoop, record: ActionRecord): Promise<number> {
  return record.act(id, { is: 'trust' }, json);
}

interface ResumeFlags {
  readonly checkpoint?: string | undefined;
  readonly acceptChanges?: boolean;
}

export function runResume(options: OfLoop & ResumeFlags & NewLimits, record: ActionRecord): Promise<number> {
  const { id, json, checkpoint, acceptChanges } = options;
  const more = { ...(checkpoint !== undefined && { checkpoint }), ...(acceptChanges && { acceptChanges }) };
  return record.act(id, { is: 'resume', limits: limitsIn(options), ...more }, json);
}

/** The fields of a command line, which may hold others. */
function limitsIn({ iterations, timeMs, costUsd, tokens }: NewLimits): NewLimits {
  return { iterations, timeMs, costUsd, tokens };
}

type Amended = Omit<Amendment, 'limits'> & NewLimits;

export function amendmentIn(given: Amended): Amendment {
  const { checks, removeChecks, measures, removeMeasures, keep, targets, removeGoals, promise } = given;
  const changed = { checks, removeChecks, measures, removeMeasures, keep, targets, removeGoals, promise };
  return { ...changed, limits: limitsIn(given) };
}

export function runAmend(options: OfLoop & Amended, record: ActionRecord): Promise<number> {
  return record.act(options.id, { is: 'amend', ...amendmentIn(options) }, options.json);
}

/** One word is what to say, unless it names a loop. */
export async function runSteer(
  { loop: first, words: second, json }: GivenFlags<'json', 'loop' | 'words'>,
  record: ActionRecord,
): Promise<number> {
  const isNamed = second !== undefined || (first !== undefined && record.isLoop(first));
  const [id, words = ''] = isNamed ? [first, second] : [undefined, first];
  if (words.trim() === '')
    return failUsage(
      'the message is empty.',
      record.audience({ verb: 'steer', ...(id !== undefined && { loop: id }) }),
    );
  return record.act(id, { is: 'steer', words }, json);
}

type AnswerOptions = Pick<AnswerOrder, 'answer' | 'note'> & GivenFlags<'json', 'id'>;

export async function runAnswer(options: AnswerOptions, record: ActionRecord): Promise<number> {
  const { id, answer, note, json } = options;
  if (answer === 'text' && note.trim() === '')
    return failUsage(
      'the answer is empty.',
      record.audience({ verb: 'answer', ...(id !== undefined && { request: id }) }),
    );
  const meant = id === undefined ? record.onlyRequest(answer) : { id, loop: undefined };
  if ('ok' in meant) return failFor(meant);
  return record.act(meant.loop, { is: 'answer', request: meant.id, answer, note }, json);
}
