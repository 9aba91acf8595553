import { expect, test } from 'vitest';
import { nearPaths } from '#base/words/sanitize.ts';

const FOLDER = '/home/u/.local/state/dacapo/worktrees/run_1';

test.each([
  [`at ${FOLDER}/src/a.mjs:3:1`, 'at src/a.mjs:3:1'],
  [`module '${FOLDER}/slug.mjs' imported`, "module 'slug.mjs' imported"],
  [`at file://${FOLDER}/a.mjs`, 'at a.mjs'],
  [`${FOLDER}/a ${FOLDER}/b`, 'a b'],
  // Another folder, the folder itself, and what is no name behind it.
  [`${FOLDER}2/a.mjs`, `${FOLDER}2/a.mjs`],
  [`/mnt${FOLDER}/a.mjs`, `/mnt${FOLDER}/a.mjs`],
  [`in ${FOLDER}`, `in ${FOLDER}`],
  [`rm -rf ${FOLDER}/*`, `rm -rf ${FOLDER}/*`],
])('%s', (text, shown) => {
  expect(nearPaths(text, FOLDER)).toBe(shown);
});
