/**
 * What an agent says by a tool, apart from its claims: notes for its later passes, and questions to a person.
 */
import { MAX_LESSON_CHARS, type Note } from '#law/loop.ts';
import { refuse, type Granted } from '#base/refusal.ts';
import { openRequestsOf } from '#law/waiting/requests.ts';
import { oneLine, harmless } from '#base/words/sanitize.ts';
import type { Runtime } from '#store/runtime.ts';
import { whileOpen } from '../look/loops.ts';
import { openOwn, type AgentOrder } from '../look/tool-session.ts';
import { openRequest, type AskedRequest } from '../requests/ask.ts';

export type Noted = Granted<{ readonly notes: readonly Note[] }>;

export async function noteLesson(
  { text, ...order }: AgentOrder & { readonly text: string },
  runtime: Runtime,
): Promise<Noted> {
  if (text.length > MAX_LESSON_CHARS)
    return refuse(
      'too-long',
      `The note has ${text.length} characters, and at most ${MAX_LESSON_CHARS} are kept.`,
      'Shorten it, or write it to a file of the project and note the name of the file.',
    );
  const words = oneLine(text, MAX_LESSON_CHARS);
  if (words === '') return refuse('empty', 'The note is empty.', 'Say what the next pass should know.');
  return whileOpen(openOwn(order, runtime), (open): Noted => {
    const { notes } = open.write({ type: 'noted', at: runtime.now(), words });
    open.keep();
    return { ok: true, notes };
  });
}

export interface Question extends AgentOrder {
  readonly question: string;
  readonly why: string;
}

/** The loop waits at the next stop, and goes on with the answer. */
export async function askPerson(
  { question, why, ...order }: Question,
  runtime: Runtime,
): Promise<AskedRequest> {
  const text = harmless(question).trim();
  if (text === '') return refuse('empty', 'The question is empty.', 'Say what you want to know.');
  return whileOpen(openOwn(order, runtime), (open): AskedRequest => {
    // Asked again, it is the same question.
    const same = openRequestsOf(open.loop()).find(
      ({ kind, what }) => kind === 'question' && what.text === text,
    );
    if (same !== undefined) return { ok: true, request: same };
    const what = { tool: null, digest: null, text };
    return openRequest(open, { kind: 'question', what, why: harmless(why).trim() }, runtime);
  });
}
