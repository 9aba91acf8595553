/** The rules that say which calls a person approves, as `docs/approvals.md` gives them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsPattern, parseRule } from '#input/config/approval-rules.ts';

describe('a rule', () => {
  it.each([
    ['Bash(git push *)', 'Bash', 'git push *'],
    ['  Bash( git push )  ', 'Bash', 'git push'],
    ['Bash(echo (a))', 'Bash', 'echo (a)'],
    ['Bash(echo a\nb)', 'Bash', 'echo a\nb'],
    ['mcp__*pay*', 'mcp__*pay*', null],
    ['mcp__my-bank__pay', 'mcp__my-bank__pay', null],
  ])('%j names a tool and what its call looks like', (text, tool, pattern) => {
    expect(parseRule(text)).toEqual({ tool, pattern });
  });

  it.each(['Bash', 'Bash(*)', 'Bash( * )', 'Bash(  )'])('%j is about every call of the tool', (text) => {
    expect(parseRule(text)).toEqual({ tool: 'Bash', pattern: null });
  });

  it.each(['', '(ls)', 'Bash()', 'Bash(ls', 'git push', '*', '1Bash', 'starter', 'starter(ls)'])(
    '%j is none',
    (text) => {
      expect(parseRule(text)).toBeNull();
    },
  );

  it('is short enough to be read', () => {
    const long = (length: number) => `Bash(${'x'.repeat(length - 'Bash()'.length)})`;
    expect(parseRule(long(500))).not.toBeNull();
    expect(parseRule(long(501))).toBeNull();
  });
});

describe('a pattern of calls', () => {
  it.each([
    ['npm publish', 'npm publish'],
    ['git push *', 'git push'],
    ['git push *', 'git push origin main'],
    ['git push:*', 'git push'],
    ['git push:*', 'git push origin main'],
    ['*--force*', 'git push --force origin'],
    ['*--force*', '--force'],
    ['npm run deploy*', 'npm run deploy:prod'],
    ['git * main', 'git push origin main'],
    ['a*b*c', 'abc'],
    ['npm * publish *', 'npm -w web publish'],
    ['curl *:*@*', 'curl https://me:secret@example.com'],
  ])('%j fits %j', (pattern, text) => expect(fitsPattern(pattern, text)).toBe(true));

  it.each([
    ['npm publish', 'npm publish --tag x'],
    ['npm publish', 'npm'],
    ['git push *', 'git pull'],
    ['git push *', 'git pushing'],
    ['git push:*', 'git pushing'],
    ['git * main', 'git push main --dry-run'],
    ['git * main', 'legit push main'],
    ['aba*aba', 'aba'],
    ['*a*b*', 'ba'],
    ['a*bc*c', 'abc'],
    ['git push*:* *', 'git push'],
  ])('%j does not fit %j', (pattern, text) => expect(fitsPattern(pattern, text)).toBe(false));

  it('says what a regular expression made of it would say', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ':'), maxLength: 10 });
    const pattern = fc
      .array(fc.oneof(text, fc.constant('*')), { maxLength: 6 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, text, (wanted, given) => {
        expect(fitsPattern(wanted, given)).toBe(slow(wanted).test(given));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** `:*` and ` *` at the end stand for a space and any text, or for nothing. */
function slow(pattern: string): RegExp {
  const [, head = '', tail] = /^(.*?)(:\*| \*)?$/s.exec(pattern) ?? [];
  return new RegExp(`^${head.replaceAll('*', '.*')}${tail === undefined ? '' : '( .*)?'}$`, 's');
}
