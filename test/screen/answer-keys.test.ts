/** Keys that answer a request in the terminal of a run: what they do, and what the person sees of it. */
import { describe, expect, it } from 'vitest';
import { answerRow, beginAnswer, pressAnswer, type AnswerAct } from '../../src/screen/answer-keys.ts';
import { openKeys } from '../../src/screen/watch/keys.ts';
import type { RequestKind } from '../../src/core/record/events.ts';
import { frame } from './given.ts';

function typed(kind: RequestKind, bytes: string): { act: AnswerAct | null; row: string } {
  let now = beginAnswer({ id: 'ask-a-1', kind });
  for (const key of openKeys()(Buffer.from(bytes))) {
    const { next, act } = pressAnswer(now, key);
    if (act !== null) return { act, row: '' };
    now = next;
  }
  return { act: null, row: answerRow(now, frame()) };
}

describe('an approval or a completion', () => {
  it('a approves; r rejects once Enter is pressed, with or without words', () => {
    expect(typed('approval', 'a').act).toEqual({ is: 'approve', request: 'ask-a-1' });
    expect(typed('completion', 'A').act).toEqual({ is: 'approve', request: 'ask-a-1' });
    expect(typed('approval', 'r\r').act).toEqual({ is: 'reject', request: 'ask-a-1', words: '' });
    expect(typed('approval', 'xNot yet.\r').act).toEqual({
      is: 'reject',
      request: 'ask-a-1',
      words: 'Not yet.',
    });
  });

  it('Esc leaves the words, and then a is a key again', () => {
    expect(typed('approval', 'rapple\u001B').row).toContain('a approve   r reject');
    expect(typed('approval', 'r\u001Ba').act).toMatchObject({ is: 'approve' });
  });

  it.each(['q', '\r', '\u001B[A', 'yes', '\u001B[200~apple\u001B[201~'])('%j is not an answer', (bytes) => {
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
  expect(typed('completion', '').row.trim()).toBe('a confirm   r not done');
  const { row } = typed('question', 'blue');
  expect(row).toMatch(/^ {2}> blue {2,}Enter answers$/);
  expect(row).toHaveLength(frame().width - 1);
  expect(typed('question', 'b'.repeat(300)).row.length).toBeLessThanOrEqual(80);
});
