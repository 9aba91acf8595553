import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shellQuoted, shellUnquoted } from '../../../src/core/words/shell-quote.ts';

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
});
