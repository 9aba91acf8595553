import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  addWorkSpan,
  gapsAfter,
  readWorkSpans,
  workSpansSince,
  type WorkSpan,
} from '#evidence/git/points/work-spans.ts';
import { temporaryFolder } from '../../store/folder.ts';

const stretch = (iteration: number, from: string, to: string): WorkSpan => ({
  iteration,
  from: { tree: from, head: null, staged: null },
  to,
});

describe('the stretches of a loop’s work', () => {
  it('are read as they were added, also around a line that a crash has torn', () => {
    const store = join(temporaryFolder(), 'store');
    expect(readWorkSpans(store)).toEqual([]);
    addWorkSpan(store, stretch(1, 'a', 'b'));
    appendFileSync(join(store, 'stretches.jsonl'), '\n{"iteration":1,"fr');
    addWorkSpan(store, stretch(2, 'b', 'c'));
    expect(readWorkSpans(store)).toEqual([stretch(1, 'a', 'b'), stretch(2, 'b', 'c')]);
  });

  it('of an iteration that is not over: with a rollback between its tries', () => {
    const all = [stretch(1, 'a', 'b'), stretch(2, 'b', 'c'), stretch(0, 'd', 'e')];
    expect(workSpansSince(all, 2)).toEqual(all.slice(1));
    expect(workSpansSince(all, 3)).toEqual([]);
    // From the end of each to the beginning of the next, and to now.
    expect(gapsAfter(workSpansSince(all, 2), 'f')).toEqual([
      ['c', 'd'],
      ['e', 'f'],
    ]);
    expect(gapsAfter([], 'f')).toEqual([]);
  });
});
