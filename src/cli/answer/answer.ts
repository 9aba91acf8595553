/** `dacapo approvals`: what waits for a person's answer. `dacapo approve`, `reject` and `answer` answer it. */
import {
  answer,
  onlyRequest,
  type AnswerOrder,
  requestsToActOn,
  openRequests,
} from '../../operations/requests/answer.ts';
import { TERMINAL } from '../../text/commands.ts';
import { sayRequest } from '../../text/requests.ts';
import { sayStatus } from '../../text/status.ts';
import { title } from '../../text/to-person.ts';
import { cliRuntime } from '../runtime.ts';
import { choiceOf, sayResume } from '../loops.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { fail, failFor, say, sayJson, paint, verbatim } from '../terminal/terminal.ts';
import { ago } from '../../text/time.ts';
import { projectRoot, shownPath } from '../project.ts';
import { table } from '../terminal/table.ts';
import { oneLine } from '../../core/words/sanitize.ts';

export interface AnswerOptions extends Pick<AnswerOrder, 'answer' | 'note'> {
  /** Undefined: the only request that can be meant. */
  readonly id: string | undefined;
  readonly json: boolean;
}

const WORDS = { approved: 'approved', rejected: 'rejected', text: 'answered' } as const;

export async function runAnswer({ id, json, ...order }: AnswerOptions): Promise<number> {
  if (order.answer === 'text' && order.note.trim() === '')
    return fail('the answer is empty.', ['dacapo answer', id, '"…"'].filter(Boolean).join(' '), EXIT.usage);
  const runtime = cliRuntime();
  const open = () => requestsToActOn(choiceOf(undefined), runtime);
  const meant = id === undefined ? onlyRequest(open(), order.answer, TERMINAL) : { id };
  if ('ok' in meant) return failFor(meant);
  const answered = answer({ ...order, id: meant.id, by: 'terminal' }, runtime);
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

/** The longest description in the list. */
const SHOWN = 200;

interface ApprovalsOptions {
  readonly all: boolean;
  readonly json: boolean;
}

export async function runApprovals({ all, json }: ApprovalsOptions): Promise<number> {
  const runtime = cliRuntime();
  const open = openRequests(all ? null : projectRoot(), runtime);
  if (json) {
    sayJson(open);
    return EXIT.ok;
  }
  if (open.length === 0) {
    say(
      all
        ? 'Nothing waits for your answer.'
        : 'Nothing of this project waits for your answer. dacapo approvals --all shows other projects.',
    );
    return EXIT.ok;
  }
  const heading = ['ID', 'LOOP', 'KIND', 'ASKED', ...(all ? ['PROJECT'] : []), 'WHAT'];
  const rows = open.map(({ id, loop, kind, asked_at, project, what }) => [
    id,
    loop,
    kind,
    ago(asked_at, runtime.now()),
    ...(all ? [shownPath(project)] : []),
    oneLine(what, SHOWN),
  ]);
  say(
    ...table([heading.map((word) => paint.dim(word)), ...rows]).map(verbatim),
    '',
    ...open
      .slice(0, 1)
      .map(({ id, kind }) =>
        kind === 'question'
          ? `dacapo answer ${id} "…" answers it.`
          : `dacapo approve ${id} or dacapo reject ${id} --note "…" answers it.`,
      ),
  );
  return EXIT.ok;
}
