/** Keys that answer a request in the terminal of a run: what they do, and what the person sees of it. */
import { describe, expect, it } from 'vitest';
import { answerRow, beginAnswer, pressAnswer, type AnswerAct } from '#surfaces/screen/answer-keys.ts';
import { readKeys, type KeyPress } from '#surfaces/screen/watch/keys.ts';
import type { RequestKind } from '#law/record/events.ts';
import { frame } from './given.ts';

const ESC = '\u001B';

/** Each read is a moment apart from the next, so that an escape at its end is the key Escape. */
function typed(kind: RequestKind, ...reads: string[]): { act: AnswerAct | null; row: string } {
  let now = beginAnswer({ id: 'ask-a-1', kind });
  const pressed = reads.flatMap((text): readonly KeyPress[] => {
    const { keys, rest } = readKeys(text);
    return rest === ESC ? [...keys, { is: 'key', name: 'escape' }] : keys;
  });
  for (const key of pressed) {
    const { next, act } = pressAnswer(now, key);
    if (act !== null) return { act, row: '' };
    now = next;
  }
  return { act: null, row: answerRow(now, frame()) };
}

describe('an approval or a completion', () => {
  it('a approves; x, as in `dacapo watch`, rejects once Enter is pressed, with or without words', () => {
    expect(typed('approval', 'a').act).toEqual({ is: 'approve', request: 'ask-a-1' });
    expect(typed('completion', 'A').act).toEqual({ is: 'approve', request: 'ask-a-1' });
    expect(typed('approval', 'x\r').act).toEqual({ is: 'reject', request: 'ask-a-1', words: '' });
    expect(typed('approval', 'xNot yet.\r').act).toEqual({
      is: 'reject',
      request: 'ask-a-1',
      words: 'Not yet.',
    });
  });

  it('Esc leaves the words, and then a is a key again', () => {
    expect(typed('approval', 'xapple\u001B').row).toContain('a approve   x reject');
    expect(typed('approval', 'x\u001B', 'a').act).toMatchObject({ is: 'approve' });
  });

  it.each([
    'q',
    'r',
    '\u001Ba',
    'x\u001B\r',
    '\r',
    '\u001B[A',
    'yes',
    '\u001B[200~apple\u001B[201~',
    '\u001B[200~a\u001B[201~',
  ])('%j is not an answer', (bytes) => {
    expect(typed('approval', bytes).act).toBeNull();
  });
});

describe('a question', () => {
  it('is answered by typing; an empty line is not an answer', () => {
    expect(typed('question', 'a blue one \r').act).toEqual({
      is: 'answer',
      request: 'ask-a-1',
      words: 'a blue one',
    });
    expect(typed('question', '  \r').act).toBeNull();
    expect(typed('question', 'red\u001B').row).not.toContain('red');
  });
});

it('the row says what each key does, and fits', () => {
  expect(typed('completion', '').row.trim()).toBe('a confirm   x not done');
  const { row } = typed('question', 'blue');
  expect(row).toMatch(/^ {2}> blue {2,}Enter answers$/);
  expect(row).toHaveLength(frame().width - 1);
  expect(typed('question', 'b'.repeat(300)).row.length).toBeLessThanOrEqual(80);
});
