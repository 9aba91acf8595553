import { expect, it } from 'vitest';
import { codeOf, errorMessage } from '../../src/core/thrown.ts';

it.each<[string, unknown, string]>([
  ['an error of Node', Object.assign(new Error('no such file'), { code: 'ENOENT' }), 'ENOENT'],
  ['any other error', new Error('it broke'), 'Error: it broke'],
  ['a text', 'it broke', 'it broke'],
  ['nothing', undefined, 'undefined'],
])('says what went wrong where %s was thrown', (_name, thrown, words) => {
  expect(codeOf(thrown)).toBe(words);
});

it('the message of an error, or what else was thrown', () => {
  expect(errorMessage(new Error('it broke'))).toBe('it broke');
  expect(errorMessage('it broke')).toBe('it broke');
});
