/** Columns stay in line, whatever is written in them. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { table } from '#surfaces/cli/terminal/terminal.ts';

describe('a table', () => {
  it('has its columns in line with characters that take two columns', () => {
    expect(
      table([
        ['NAME', 'STATUS'],
        ['日本', 'running'],
        ['🍣 list', 'paused'],
      ]),
    ).toEqual(['NAME     STATUS', '日本     running', '🍣 list  paused']);
  });

  it('cuts its last column where the line ends, by what it shows', () => {
    expect(table([['a', '寿'.repeat(200)]], 40)).toEqual([`a  ${'寿'.repeat(18)}…`]);
  });

  it('does not count colours', () => {
    const lines = table([
      ['\u001B[32mok\u001B[39m', 'one'],
      ['none', 'two'],
    ]);
    expect(lines.map((line) => stripVTControlCharacters(line))).toEqual(['ok    one', 'none  two']);
  });
});
