/**
 * `/approve-ralph`, `/reject-ralph`, `/answer-ralph`: a person answers what the loop of their session asks,
 * where they sit.
 */
import { hasEnded, isLive } from '#law/loop.ts';
import { isRequestId, openRequestsOf } from '#law/waiting/requests.ts';
import type { Answer, CommandArrival } from '#hosts/port/arrival.ts';
import { ANSWER_OF_VERB, answerIn, onlyRequest, requestsOf } from '#engine/requests/answer.ts';
import { syncRequests } from '#engine/requests/sync.ts';
import { ownerLives, type Runtime } from '#store/runtime.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { sayAdvice } from '#telling/advice.ts';
import { inTerminal, TERMINAL } from '#telling/audience.ts';
import { howToAnswer, sayHow, sayRequest } from '#telling/person/requests.ts';
import { goOnOrCancel } from '#telling/person/to-person.ts';
import { isOwner } from '../own-loop.ts';
import { endCommand, tellEnded } from './steer.ts';

export type AnswerCommand = Extract<CommandArrival['command'], 'approve' | 'reject' | 'answer'>;

/** Not while another process holds the loop: an agent may start a second host with the same session. */
export function answerHere(
  open: OpenLoop,
  command: AnswerCommand,
  { from, args, isAnyones }: CommandArrival,
  runtime: Runtime,
): Answer {
  const { commands } = from;
  if (!isOwner(open.loop(), from, runtime) && ownerLives(open.loop(), runtime))
    return notHere('another process of this session holds the loop', command);
  const anyones = 'the file of this command lets the agent give it, too; dacapo init writes it again';
  if (isAnyones) return notHere(anyones, command);
  const [, first = '', rest = ''] = /^\s*(\S*)\s*([^]*)$/.exec(args) ?? [];
  const named = isRequestId(first) ? first : null;
  const note = (named === null ? args : rest).trim();
  if (command === 'answer' && note === '')
    return endCommand(`Da Capo: the answer is empty. ${commands.answer} … gives one.`);
  const answer = ANSWER_OF_VERB[command];
  const asked = () => requestsOf([syncRequests(open, runtime)], runtime);
  const meant = named === null ? onlyRequest(asked(), answer, commands) : { id: named };
  const given =
    'ok' in meant ? meant : answerIn(open, { id: meant.id, answer, note, by: 'session' }, runtime);
  if (!given.ok) return endCommand(`Da Capo: ${given.message} ${sayAdvice(given.next, inTerminal)}`);
  const { loop, request } = given;
  if (hasEnded(loop)) return tellEnded(loop, from, runtime);
  const next = openRequestsOf(loop).length > 0 ? ` Still open: ${howToAnswer(loop, commands)}.` : '';
  const rests = isLive(loop) ? '' : ` ${goOnOrCancel(loop, commands)}`;
  return endCommand(`Da Capo: ${sayHow(request)}: ${sayRequest(request)}${next}${rests}`);
}

function notHere(why: string, command: AnswerCommand): Answer {
  return endCommand(
    `Da Capo: nothing was answered: ${why}. In a terminal, ${TERMINAL[command]} does the same.`,
  );
}
