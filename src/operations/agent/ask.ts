/** `ask`: the agent asks a person a question by a tool. The loop waits at the next stop, and goes on with the answer. */
import type { Request } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { harmless } from '../../core/words/sanitize.ts';
import type { Runtime } from '../../store/runtime.ts';
import { ask } from '../requests/ask.ts';
import { openOwn, type AgentOrder } from './own.ts';

export interface Question extends AgentOrder {
  readonly question: string;
  /** What the person needs to know to answer; empty: nothing. */
  readonly why: string;
}

export function askPerson(
  { question, why, ...order }: Question,
  world: Runtime,
): { readonly ok: true; readonly request: Request } | Refusal {
  const text = harmless(question).trim();
  if (text === '') return refuse('empty', 'The question is empty.', 'Say what you want to know.');
  const opened = openOwn(order, world);
  if (!opened.ok) return opened;
  const { open } = opened;
  try {
    // Asked again, it is the same question.
    const same = open
      .loop()
      .requests.find((one) => one.kind === 'question' && one.answer === null && one.what.text === text);
    if (same !== undefined) return { ok: true, request: same };
    const what = { tool: null, digest: null, text };
    return ask(open, { kind: 'question', what, why: harmless(why).trim() }, world);
  } finally {
    open.close();
  }
}
