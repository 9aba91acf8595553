import { expect, test } from 'vitest';
import { readWork } from '#engine/driver/work.ts';
import { fileBlobs } from '#store/file/open-loop.ts';
import { keepPrompt } from '#store/prompts.ts';
import { running } from '../../law/given.ts';
import { temporaryFolder } from '../../store/folder.ts';

function workOn(prompt: string, max = 72): string {
  const blobs = fileBlobs(temporaryFolder());
  return readWork({ blobs }, running({ prompt: keepPrompt(blobs, prompt) }), max);
}

test('the first line of the task with words in it, as it was given', () => {
  expect(workOn('Fix the parser.\nIt fails on `[[`.')).toBe('Fix the parser.');
  expect(workOn('\n---\n\n## - Fix the\tparser\n')).toBe('Fix the parser');
  expect(workOn('--check is a flag')).toBe('--check is a flag');
});

test('bounded, without what a terminal would obey, and never empty', () => {
  expect(workOn('x'.repeat(100), 10)).toBe(`${'x'.repeat(9)}…`);
  expect(workOn('Fix \u001B[31mit')).not.toContain('\u001B');
  expect(workOn('***')).toMatch(/^RALPH_/);
});
