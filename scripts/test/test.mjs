// npm test                     the quick tier: static checks, then every test that needs Node and git only
// npm test -- --all            everything, with all that the tests need (see tiers.mjs)
// npm test -- law store        only the tests of these floors; no static checks
// npm test -- stop.test.ts     only the test files whose path has these words; flags of vitest go on to it
//
// It prepares a fresh clone first, so it imports nothing from node_modules.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NEEDS, TIER, leftOut } from './tiers.mjs';
import { root } from '../root.mjs';

const given = process.argv.slice(2);
const isAll = given.includes('--all');
const words = given.filter((word) => word !== '--all').map(asFolder);

const before = [['scripts/setup.mjs', ...(isAll ? ['--tests'] : [])]];
if (words.length === 0) before.push(['scripts/check/static.mjs']);
for (const args of before) if (run(args) !== 0) process.exit(1);

const filters = isAll ? [] : NEEDS.map(({ tag }) => `--tags-filter=!${tag}`);
const status = run(['node_modules/vitest/vitest.mjs', 'run', ...words, ...filters], {
  [TIER]: isAll ? 'all' : 'quick',
});
if (!isAll) sayWhatIsLeftOut();
process.exit(status);

/** A folder of `test/`, such as that of a floor, by its name alone. */
function asFolder(word) {
  return /^[\w-]+$/.test(word) && existsSync(join(root, 'test', word)) ? `test/${word}/` : word;
}

function run(args, env = {}) {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } };
  return spawnSync(process.execPath, args, options).status ?? 1;
}

function sayWhatIsLeftOut() {
  const paths = words.filter((word) => !word.startsWith('-'));
  const left = leftOut(root, paths);
  if (left.length === 0) return;
  console.log('Left out, because it needs');
  for (const { tag, is, files } of left)
    console.log(`  ${tag.padEnd(10)} ${is}: ${files} ${files === 1 ? 'file' : 'files'}, wholly or in part`);
  console.log(`To run it as well: npm test -- ${['--all', ...given].join(' ')}`);
}
