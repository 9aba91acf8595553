/** `dacapo approve`, `dacapo reject` and `dacapo answer`: answer what a loop has asked. */
import { answer, onlyRequest, type AnswerOrder } from '../../operations/requests/answer.ts';
import { requestsToActOn } from '../../operations/requests/open-requests.ts';
import { TERMINAL } from '../../text/commands.ts';
import { sayRequest } from '../../text/requests.ts';
import { sayStatus } from '../../text/status.ts';
import { title } from '../../text/to-person.ts';
import { cliWorld } from '../runtime.ts';
import { choiceOf, sayResume } from '../loops.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { fail, failFor, say, sayJson } from '../terminal/terminal.ts';

export interface AnswerOptions extends Pick<AnswerOrder, 'answer' | 'note'> {
  /** Undefined: the only request that can be meant. */
  readonly id: string | undefined;
  readonly json: boolean;
}

const WORDS = { approved: 'approved', rejected: 'rejected', text: 'answered' } as const;

export async function runAnswer({ id, json, ...order }: AnswerOptions): Promise<number> {
  if (order.answer === 'text' && order.note.trim() === '')
    return fail('the answer is empty.', ['dacapo answer', id, '"…"'].filter(Boolean).join(' '), EXIT.usage);
  const world = cliWorld();
  const open = () => requestsToActOn(choiceOf(undefined), world);
  const meant = id === undefined ? onlyRequest(open(), order.answer, TERMINAL) : { id };
  if ('ok' in meant) return failFor(meant);
  const answered = answer({ ...order, id: meant.id, by: 'terminal' }, world);
  if (!answered.ok) return failFor(answered);
  const { loop, request } = answered;
  if (json)
    sayJson({
      id: request.id,
      loop: loop.id,
      kind: request.kind,
      what: request.what.text,
      answer: order.answer,
      note: order.note,
      status: loop.status.is,
    });
  else
    say(
      `Da Capo: ${request.id} ${WORDS[order.answer]}: ${sayRequest(request)}`,
      `Loop ${title(loop)} ${sayStatus(loop)}.`,
      ...sayResume(loop),
    );
  return EXIT.ok;
}
