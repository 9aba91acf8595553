/** The word that was meant, or none: a guess that is far off misleads. */
import { describe, expect, it } from 'vitest';
import { nearest } from '#base/words/did-you-mean.ts';

const COMMANDS = ['start', 'status', 'rollback', 'resume', 'list'];
const FLAGS = ['--max-iterations', '--items', '--json', '--quiet'];

describe('the nearest word', () => {
  it.each([
    ['stauts', 'status'],
    ['STATUS', 'status'],
    ['lst', 'list'],
    ['rolback', 'rollback'],
    ['sta', 'start'],
  ])('%s is %s', (typed, meant) => {
    expect(nearest(typed, COMMANDS)).toBe(meant);
  });

  it('is one of which it is a part', () => {
    expect(nearest('--iterations', FLAGS)).toBe('--max-iterations');
  });

  it.each(['frobnicate', 'xyz', ''])('is none for %j', (typed) => {
    expect(nearest(typed, COMMANDS)).toBeNull();
  });

  it('is not found by the dashes that all flags have', () => {
    expect(nearest('--bogus', FLAGS)).toBeNull();
    expect(nearest('--ojs', FLAGS)).toBeNull();
  });

  it.each([
    ['foo', ['hook', 'logs']],
    ['--bogus', ['--loops', '--loud']],
    ['--session', ['--json']],
    ['--lease', ['--name']],
    ['RALPH_20261118_abcdef', ['RALPH_20261118_vnd24p']],
    ['--max-foo', ['--max-cost']],
  ])('is none for %s, of which too much would have to change', (typed, known) => {
    expect(nearest(typed, known)).toBeNull();
  });

  it('is none where nothing is known', () => {
    expect(nearest('status', [])).toBeNull();
  });
});

describe('the nearest of the known words', () => {
  const known = ['--name', '--check', '--checks-timeout', '--max-iterations', '--mode', '--nest', '--view'];

  it.each([
    ['--nmae', '--name'],
    ['--naem', '--name'],
    ['--ceck', '--check'],
    ['--chekc', '--check'],
    ['--mdoe', '--mode'],
    ['--veiw', '--view'],
    ['--NEST', '--nest'],
    ['--iterations', '--max-iterations'],
    ['iterations', '--max-iterations'],
    ['---timeout', '--checks-timeout'],
    ['--nes', '--nest'],
    ['--mod', '--mode'],
  ])('to %s is %s', (typed, meant) => {
    expect(nearest(typed, known)).toBe(meant);
  });

  it.each([
    ['ab', ['xba', 'ab'], 'ab'],
    ['abcd', ['abxx', 'abdc'], 'abdc'],
    ['ba', ['abc', 'ab'], 'ab'],
    ['abc', ['b', 'xbc'], 'xbc'],
    ['xy', ['longer-xy', 'xz'], 'xz'],
    ['kitten', ['mitten', 'sitting'], 'mitten'],
    ['a', ['', 'a'], 'a'],
    ['ca', ['abc', 'ac'], 'ac'],
    ['abcdef', ['badcef', 'abcxyz'], 'badcef'],
    ['acb', ['abx', 'abc'], 'abc'],
    ['ab', ['ca', 'abz'], 'abz'],
    ['s-timeout', ['--s-timer', '--checks-timeout'], '--checks-timeout'],
  ])('to %s of %j is %s', (typed, words, meant) => {
    expect(nearest(typed, words)).toBe(meant);
  });
});
