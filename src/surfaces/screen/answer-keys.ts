/**
 * The keys with which a person answers a request in the terminal of a run, and the line that shows them.
 * Pure.
 */
import { asksIfDone } from '#law/waiting/requests.ts';
import type { RequestKind } from '#law/record/events.ts';
import { EMPTY_LINE, editLine, lineParts, type EditedLine } from './terminal/edit-line.ts';
import { type Viewport, part, rowOf } from './terminal/lines.ts';
import type { KeyPress } from './watch/keys.ts';
import type { KeyAct } from './watch/state.ts';

export interface Answering {
  readonly request: { readonly id: string; readonly kind: RequestKind };
  /** What is being typed: an answer, or words with a rejection. Null: a key decides. */
  readonly line: EditedLine | null;
}

export type AnswerAct = Extract<KeyAct, { is: 'approve' | 'reject' | 'answer' }>;

export function beginAnswer(request: Answering['request']): Answering {
  return { request, line: request.kind === 'question' ? EMPTY_LINE : null };
}

export function pressAnswer(
  now: Answering,
  key: KeyPress,
): { readonly next: Answering; readonly act: AnswerAct | null } {
  const { request, line } = now;
  const stay = { next: now, act: null };
  if (line === null) {
    const letter = key.is === 'text' ? key.text.toLowerCase() : '';
    if (letter === 'a') return { next: now, act: { is: 'approve', request: request.id } };
    return letter === 'x' ? { next: { request, line: EMPTY_LINE }, act: null } : stay;
  }
  const next = editLine(line, key);
  if (next === null) return stay;
  if (next === 'left') return { next: beginAnswer(request), act: null };
  if (next !== 'sent') return { next: { request, line: next }, act: null };
  const words = line.text.trim();
  if (request.kind !== 'question') return { next: now, act: { is: 'reject', request: request.id, words } };
  return words === '' ? stay : { next: now, act: { is: 'answer', request: request.id, words } };
}

export function answerRow({ request, line }: Answering, viewport: Viewport): string {
  if (line !== null) {
    const sends =
      request.kind === 'question' ? 'Enter answers' : 'Enter rejects, with these words; Esc leaves';
    // Not the last column: a terminal that is about to wrap there would clear it with the rest of the line.
    const room = { ...viewport, width: viewport.width - 1 };
    return rowOf([part(' '), ...lineParts(line, room.width - 6)], room, [part(sends, 'dim')]);
  }
  const keys = asksIfDone(request) ? ['confirm', 'not done'] : ['approve', 'reject'];
  return rowOf(
    [
      part('  '),
      part('a', 'bold'),
      part(` ${keys[0]}   `, 'dim'),
      part('x', 'bold'),
      part(` ${keys[1]}`, 'dim'),
    ],
    viewport,
  );
}
