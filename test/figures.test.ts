// The number of lines in `src` has a ceiling. Here it is made to bite.

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

test('src is below its ceiling, and with one line more than allowed the script fails', () => {
  const now = figures();
  expect(now.stderr).toBe('');
  expect(now.status).toBe(0);

  const { lines } = JSON.parse(now.stdout) as { lines: number };
  expect(figures('--most', String(lines)).status).toBe(0);
  const over = figures('--most', String(lines - 1));
  expect(over.status).toBe(1);
  expect(over.stderr).toContain(`src has ${lines} lines, and may have at most ${lines - 1}`);
});

test('npm run check runs it', async () => {
  const { default: manifest } = await import('../package.json', { with: { type: 'json' } });
  expect(manifest.scripts.check).toContain('npm run figures');
});

function figures(...more: string[]) {
  return spawnSync(process.execPath, ['scripts/figures.mjs', '--json', ...more], {
    cwd: root,
    encoding: 'utf8',
  });
}
