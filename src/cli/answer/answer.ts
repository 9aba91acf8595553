/** `dacapo approve`, `dacapo reject` and `dacapo answer`: answer what a loop has asked. */
import { answer, type AnswerOrder } from '../../operations/requests/answer.ts';
import { sayRequest } from '../../text/requests.ts';
import { sayStatus } from '../../text/status.ts';
import { title } from '../../text/to-person.ts';
import { cliWorld } from '../runtime.ts';
import { sayResume } from '../loops.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { fail, failFor, say, sayJson } from '../terminal/terminal.ts';

export interface AnswerOptions extends Pick<AnswerOrder, 'id' | 'answer' | 'note'> {
  readonly json: boolean;
}

const WORDS = { approved: 'approved', rejected: 'rejected', text: 'answered' } as const;

export async function runAnswer({ json, ...order }: AnswerOptions): Promise<number> {
  if (order.answer === 'text' && order.note.trim() === '')
    return fail('the answer is empty.', `dacapo answer ${order.id} "…"`, EXIT.usage);
  const answered = answer({ ...order, by: 'terminal' }, cliWorld());
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
