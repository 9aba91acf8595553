/** Which files a patch names that stands in a line of shell. */
import { describe, expect, it } from 'vitest';
import { namedIn, strippedBy } from '../../src/guard/shell-patches.ts';

const words = (...texts: string[]) => texts.map((text) => ({ text, wild: false }));

describe('how many folders go from each name', () => {
  it.each([
    [['-p1'], 1],
    [['-p12'], 12],
    [['-p', '0'], 0],
    [['--strip=2'], 2],
    [['--strip', '3'], 3],
    [['-R', '-p1', '-p2'], 1],
    [[], null],
    [['-p1x'], null],
    [['x-p1'], null],
    [['--posix'], null],
  ])('%j: %s', (args, strip) => expect(strippedBy(words(...args))).toBe(strip));

  it('a flag without its number says none', () => {
    expect(strippedBy(words('-p'))).toBeNaN();
  });
});

describe('the files of a patch', () => {
  const names = (patch: string, strip: number | null = 1) => namedIn(patch, strip).map(({ text }) => text);

  it('are those of its heads, each once, without what stands behind a tab', () => {
    const patch = [
      'diff --git a/src/one.ts b/src/one.ts',
      '--- a/src/one.ts\t2026-01-01 00:00:00',
      '+++ b/src/one.ts\t2026-01-02 00:00:00',
      '@@ -1 +1 @@',
      '--- a comment',
      '+-- another',
      '--- a/tests/two.ts',
      '+++ b/tests/three.ts\r',
    ].join('\n');
    expect(names(patch)).toEqual(['src/one.ts', 'tests/two.ts', 'tests/three.ts']);
  });

  it('are known also of a patch that only renames, or has no head of git', () => {
    expect(names('diff --git a/old.ts b/new.ts\nrename from old.ts\nrename to new.ts\n')).toEqual([
      'old.ts',
      'new.ts',
    ]);
    expect(names('--- old.ts\n+++ new.ts\n', 0)).toEqual(['old.ts', 'new.ts']);
  });

  it('are not what is made of nothing, or becomes nothing', () => {
    expect(names('--- /dev/null\n+++ b/tests/new.ts\n')).toEqual(['tests/new.ts']);
    expect(names('--- a/tests/old.ts\n+++ /dev/null\n')).toEqual(['tests/old.ts']);
  });

  it('are read from the beginning of a line, with nothing else in it', () => {
    expect(names('x diff --git a/one.ts b/one.ts\n')).toEqual([]);
    expect(names('diff --git a/one.ts b/one.ts and more\n')).toEqual([]);
    expect(names('x --- a/one.ts\n+++ b/one.ts\n')).toEqual([]);
  });

  it('without a number bear their last name alone, as patch takes them', () => {
    expect(names('--- a/deep/down/one.ts\n+++ b/deep/down/one.ts\n', null)).toEqual(['one.ts']);
  });
});
