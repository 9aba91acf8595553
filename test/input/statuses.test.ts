/** The words for how a loop is, as `dacapo fleet list --status` reads them. */
import { expect, test } from 'vitest';
import { readStatuses, statusWord } from '#input/statuses.ts';

test('several words, by commas or blanks', () => {
  expect(readStatuses('running, waiting stuck')).toEqual({
    ok: true,
    value: ['running', 'waiting', 'stuck'],
  });
});

test('another word is named, with those that there are', () => {
  expect(readStatuses('running,done')).toMatchObject({
    ok: false,
    code: 'bad-status',
    message: 'knows no status "done".',
    next: expect.stringMatching(/pending.*aborted/) as string,
  });
});

test.each(['toString', '', null, 3])('%j is no status', (value) => expect(statusWord(value)).toBe(false));
