/** What Da Capo writes into a project is no work of the agent's. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identifyLines } from '../../src/git/identity.ts';
import { ownFiles } from '../../src/views/own-files.ts';
import { temporaryFolder } from '../store/folder.ts';

test('of a progress file its three lines, which stand one behind the other', () => {
  const dir = temporaryFolder();
  const [progress] = ownFiles({ views: [{ kind: 'progress', file: 'progress.txt' }] }).withoutLines ?? [];
  const identity = (...lines: string[]) => {
    writeFileSync(join(dir, 'progress.txt'), lines.join('\n'));
    return progress && identifyLines(dir, 'progress.txt', progress.lines);
  };
  const first = identity('Status: IN_PROGRESS', 'Iteration: 1', 'Max Iterations: 15', '', 'Learnt: a');
  expect(identity('Status: COMPLETE', 'Iteration: 2', 'Max Iterations: 20', '', 'Learnt: a')).toBe(first);
  expect(identity('Status: IN_PROGRESS', 'Iteration: 1', 'Max Iterations: 15', '', 'Learnt: b')).not.toBe(
    first,
  );
});
