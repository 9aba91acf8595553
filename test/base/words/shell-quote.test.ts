import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shellQuoted, shellText, shellUnquoted, shellWord } from '#base/words/shell-quote.ts';

describe('a word for a shell', () => {
  it.each([
    ['', `''`],
    ['two words', `'two words'`],
    [`it's $HOME`, `'it'\\''s $HOME'`],
  ])('%j is written as %s', (text, quoted) => {
    expect(shellQuoted(text)).toBe(quoted);
    expect(shellUnquoted(quoted.slice(1, -1))).toBe(text);
  });

  it('reaches a program as it is', () => {
    const text = `'a' "b" $(c) \`d\` \\ \n ''`;
    expect(execFileSync('sh', ['-c', `printf %s ${shellQuoted(text)}`], { encoding: 'utf8' })).toBe(text);
  });

  it.each([
    ['npm', 'npm'],
    ['a/b.c:d=e@1%+,-_2', 'a/b.c:d=e@1%+,-_2'],
    ['', '""'],
    ['two words', '"two words"'],
    ['a;b', '"a;b"'],
    [' npm', '" npm"'],
    ['npm ', '"npm "'],
    ['$HOME', "'$HOME'"],
    ['a "b"', `'a "b"'`],
    ['it is `x`', "'it is `x`'"],
    ['back\\slash', "'back\\slash'"],
    ['wow!', "'wow!'"],
    ["it's", `"it's"`],
  ])('for a person to paste, %j is %s', (text, pasted) => {
    expect(shellWord(text)).toBe(pasted);
    expect(shellText(text)).toBe(pasted === text ? `"${text}"` : pasted);
  });
});
