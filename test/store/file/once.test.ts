import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isNews } from '../../../src/store/file/once.ts';
import { homeAt } from '../../../src/store/file/home.ts';

test('what was said once is no news, and what differs is', () => {
  const dir = mkdtempSync(join(tmpdir(), 'dacapo-announced-'));
  const home = homeAt(dir);
  expect([isNews(home, 'a'), isNews(home, 'a'), isNews(home, 'b')]).toEqual([true, false, true]);
  rmSync(dir, { recursive: true });
});
