/** The answer of a reviewer is read by its structure: whatever is not an approval approves nothing. */
import { expect, test } from 'vitest';
import { readAnswer } from '../../src/review/answer.ts';

const APPROVED = { answer: 'approved', words: ['nothing is missing'] };

test.each([
  ['alone', '{"approve": true, "missing": []}', APPROVED],
  ['in a fence, with words around it', 'Fine.\n```json\n{"approve":true,"missing":[]}\n```\nBye.', APPROVED],
  [
    'objections',
    '{"approve": false, "missing": ["a {b}", "c"]}',
    { answer: 'objected', words: ['a {b}', 'c'] },
  ],
  [
    'an approval with objections',
    '{"approve": true, "missing": ["a"]}',
    { answer: 'objected', words: ['a'] },
  ],
  [
    'the last one of two',
    '{"approve": true, "missing": []} no: {"approve": false, "missing": ["a"]}',
    { answer: 'objected', words: ['a'] },
  ],
  ['no objection named', '{"approve": false, "missing": []}', null],
  ['another form', '{"approve": "yes"}', null],
  ['words', 'I approve.', null],
  ['broken', '{"approve": true, "missing": [', null],
])('%s', (_, message, answer) => {
  expect(readAnswer(message)).toEqual(answer);
});
