/** What a Markdown checklist holds, and what only looks like an item of it. */
import { describe, expect, it } from 'vitest';
import { readChecklist } from '#evidence/lists/checklist.ts';

/** Each item in one line: its box, its words, its steps. */
function items(...lines: string[]): string[] | string {
  const read = readChecklist(lines.join('\n'));
  if (!read.ok) return read.why;
  return read.items.map(({ text, ticked, steps }) => [`${ticked ? 'x' : 'o'} ${text}`, ...steps].join(' | '));
}

describe('an item', () => {
  it('goes on in the lines below it, and so does its last step', () => {
    expect(items('- [ ] alpha', 'goes on', '  and on')).toEqual(['o alpha goes on and on']);
    expect(items('- [ ] alpha', '  - one', '    goes on', '- [x] beta')).toEqual([
      'o alpha | one goes on',
      'x beta',
    ]);
  });

  it('ends at a heading, at a comment, and at words behind an empty line', () => {
    expect(items('- [ ] alpha', '# Heading', '  - no step')).toEqual(['o alpha']);
    expect(items('- [ ] alpha', '<!-- a comment -->', '  - no step')).toEqual(['o alpha']);
    expect(items('- [ ] alpha', '', 'Words.', '  - no step')).toEqual(['o alpha']);
    expect(items('- [ ] alpha', '', '  words below it', '  - a step')).toEqual(['o alpha | a step']);
  });

  it('keeps a # or a comment inside its words', () => {
    expect(items('- [ ] alpha', 'see issue #4')).toEqual(['o alpha see issue #4']);
    expect(items('- [ ] alpha', '  # no words of it', '  - a step')).toEqual(['o alpha | a step']);
  });

  it('ends with the next item that has no box', () => {
    expect(items('- [ ] alpha', '- plain', '  - no step')).toEqual(['o alpha']);
  });

  it('is nested by its indent, where a tab reaches to the next multiple of four', () => {
    expect(items('- [ ] alpha', '\t- one', '  \t- two')).toEqual(['o alpha | one | two']);
    expect(items('-   [ ] alpha', '    - [ ] beta', ' \t- [x] gamma')).toEqual([
      'o alpha | [ ] beta | [x] gamma',
    ]);
    expect(items('  \t- [ ] code, no item', '', '- [ ] alpha')).toEqual(['o alpha']);
  });

  it('is not done while a box below it is open', () => {
    expect(items('- [x] alpha', '  - [ ] one', '  - [x] two')).toEqual(['o alpha | [ ] one | [x] two']);
    expect(items('- [X] alpha', '  - [x] one', '  - two')).toEqual(['x alpha | [x] one | two']);
  });

  it('is told by its line where it has no words', () => {
    expect(items('', '- [ ]')).toEqual(['o (line 2, without words)']);
    expect(items('- [x](link)', '-')).toEqual([]);
  });
});

describe('what hides items', () => {
  it('a fence, until it is closed by one of its kind that is as long', () => {
    expect(items('```', '- [ ] no', '```', '- [ ] alpha')).toEqual(['o alpha']);
    expect(items('````', '```', '- [ ] no', '`````', '- [ ] alpha')).toEqual(['o alpha']);
    expect(items('~~~ sh', '```', '- [ ] no', '~~~', '- [ ] alpha')).toEqual(['o alpha']);
    expect(items('```', '``` sh', '- [ ] no', '  ```  ', '- [ ] alpha')).toEqual(['o alpha']);
    expect(items('```', 'x ```', 'xxx', '- [ ] no', '```', '- [ ] alpha')).toEqual(['o alpha']);
  });

  it('not a line of code that only begins like a fence', () => {
    expect(items('```sh`` is code', '- [ ] alpha')).toEqual(['o alpha']);
    expect(items('~~~ a ` in its words', '- [ ] no', '~~~', '- [ ] alpha')).toEqual(['o alpha']);
    expect(items('- [ ] alpha', '', '      ```', '- [ ] beta')).toEqual(['o alpha', 'o beta']);
  });

  it('a comment, wherever its line begins', () => {
    expect(items('<!-- a', '- [ ] no', '-->', '- [ ] alpha')).toEqual(['o alpha']);
    expect(items('  <!-- a', '- [ ] no', 'b -->', '- [ ] alpha')).toEqual(['o alpha']);
    expect(items('<!-- one line -->', '- [ ] alpha')).toEqual(['o alpha']);
    expect(items('text with <!--', '- [ ] alpha')).toEqual(['o alpha']);
  });

  it('a fence in an item, which ends with the item; a comment there does not', () => {
    expect(items('- [ ] alpha', '  ```', '  - no step', '- [ ] beta')).toEqual(['o alpha', 'o beta']);
    expect(items('- [ ] alpha', '  <!--', '- [ ] no', '-->', '- [ ] beta')).toEqual(['o alpha', 'o beta']);
  });

  it('and is refused where it is never closed, by the line in which it begins', () => {
    expect(items('- [ ] alpha', '', '```', '- [ ] beta')).toBe(
      'the code fence that begins in line 3 is never closed',
    );
    expect(items('- ```', '  code')).toBe('the code fence that begins in line 1 is never closed');
    expect(items('', '<!-- a', '- [ ] alpha')).toBe('the HTML comment that begins in line 2 is never closed');
  });
});
