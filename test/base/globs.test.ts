import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alternativesOf, globs, literalStart, patternForName } from '#base/globs.ts';
import { cpuMs } from '../cpu.ts';

const matches = (patterns: string | string[], path: string, foldCase = false): boolean =>
  globs([patterns].flat(), foldCase)(path);

describe('a pattern of files', () => {
  it.each([
    ['tests/a.test.ts', 'tests/a.test.ts'],
    ['tests/*.ts', 'tests/a.ts'],
    ['tests/**', 'tests/deep/er/a.ts'],
    ['tests/**/*.ts', 'tests/a.ts'],
    ['**/*.test.ts', 'a.test.ts'],
    ['**/*.test.ts', 'src/x/a.test.ts'],
    ['**/x/**/y', 'a/x/b/x/c/y'],
    ['te?ts/a', 'tests/a'],
    ['*.{test,spec}.{ts,js}', 'a.spec.js'],
    ['{tests,{spec,e2e}/x}/a', 'e2e/x/a'],
    ['./tests//a/', 'tests/a'],
    ['src/../tests/a', 'tests/a'],
    ['../shared/**', '../shared/a'],
    ['../../shared/a', '../../shared/a'],
    ['a/../../b', '../b'],
    ['{a,b,c}d', 'cd'],
    ['pages/[id].ts', 'pages/[id].ts'],
    ['a{b}c', 'a{b}c'],
    ['tests', 'tests/a/b'],
  ])('%s matches %s', (pattern, path) => expect(matches(pattern, path)).toBe(true));

  it.each([
    ['tests/*.ts', 'tests/deep/a.ts'],
    ['*.ts', 'src/a.ts'],
    ['tests/**/*.ts', 'tests/a.js'],
    ['tests/?', 'tests/ab'],
    ['tests', 'test'],
    ['tests', 'testsuite/a'],
    ['a.test.ts', 'axtest.ts'],
    ['pages/[id].ts', 'pages/i.ts'],
    ['../a', 'a'],
    ['../../a', 'a'],
    ['../../a', '../a'],
    ['{a,b,c}d', 'bcd'],
  ])('%s does not match %s', (pattern, path) => expect(matches(pattern, path)).toBe(false));

  it('takes back with !, and the last word counts', () => {
    const patterns = ['tests/**', '!tests/data/**', 'tests/data/keep.json'];
    expect(['tests/a', 'tests/data/b', 'tests/data/keep.json'].map(globs(patterns))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('is made of any name', () => {
    for (const name of ['a.ts', '!a', '{a,b}/c', 'a*b', 'what?', 'x/../y'])
      expect(matches(patternForName(name), name)).toBe(true);
    expect(matches(patternForName('{a,b}'), 'a')).toBe(false);
  });

  it('tells case apart only where the file system does', () => {
    expect(globs(['Tests/**'])('tests/A.ts')).toBe(false);
    expect(matches('Tests/**', 'tests/A.ts', true)).toBe(true);
  });

  it('stands for a bounded number of alternatives', () => {
    expect(alternativesOf('{a,b}{c,d}')).toEqual(['ac', 'ad', 'bc', 'bd']);
    expect(alternativesOf('{a,b}'.repeat(6))).toHaveLength(64);
    expect(alternativesOf('{a,b}'.repeat(7))).toBeNull();
    const choice = (count: number) => `{${Array.from({ length: count }, (_, k) => k).join(',')}}`;
    expect(alternativesOf(choice(64))).toHaveLength(64);
    expect(alternativesOf(choice(65))).toBeNull();
    // A shell line may hold any number.
    expect(alternativesOf(choice(300_000))).toBeNull();
  });

  it('with a choice inside a choice stands for each once', () => {
    expect(alternativesOf('{a,{b,c}}')).toEqual(['a', 'b', 'c']);
    expect(alternativesOf('x{a,{b,c}d}')).toEqual(['xa', 'xbd', 'xcd']);
  });

  it('begins where no wildcard stands yet', () => {
    expect(literalStart('tests/unit/*.ts')).toBe('tests/unit');
    expect(literalStart('**/*.ts')).toBe('');
    expect(literalStart('a/b.ts')).toBe('a/b.ts');
  });
});

describe('whatever the pattern', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 5 });
  const pattern = fc.array(fc.oneof(name, fc.constant('**')), { minLength: 1, maxLength: 5 });
  const path = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 6,
  });

  it('says what a regular expression made of it would say', () => {
    fc.assert(
      fc.property(pattern, path, (parts, names) => {
        expect(matches(parts.join('/'), names.join('/'))).toBe(slow(parts).test(`${names.join('/')}/`));
      }),
      { numRuns: 2_000 },
    );
  });

  it('a path matches itself and all that is above it', () => {
    fc.assert(
      fc.property(path, fc.nat(), (names, cut) => {
        const above = names.slice(0, 1 + (cut % names.length)).join('/');
        expect(matches(above, names.join('/'))).toBe(true);
      }),
    );
  });

  it('is quick where a regular expression is not', async () => {
    const work = () =>
      expect(matches(`${'**/a*a*a*/'.repeat(20)}x`, 'aaaaaaaaaaaaaaaa/'.repeat(200))).toBe(false);
    expect(await cpuMs(work)).toBeLessThan(1_000);
  });
});

function slow(parts: readonly string[]): RegExp {
  const inner = parts.map((part) =>
    part === '**'
      ? '(?:[^/]+/)*'
      : `${part
          .split('')
          .map((char) => (char === '*' ? '[^/]*' : char === '?' ? '[^/]' : char))
          .join('')}/`,
  );
  return new RegExp(`^${inner.join('')}(?:[^/]+/)*$`);
}
