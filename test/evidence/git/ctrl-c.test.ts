/** Ctrl-C goes to the whole group of a terminal, and a git that was just forked is still in it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../store/folder.ts';
import { repository } from './repository.ts';

const COMMITS = 12;

/**
 * A program that records and commits, over and over, and takes each SIGINT as `dacapo run` does: it goes on.
 */
const PROGRAM = `
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitPass } from './src/evidence/git/points/commit.ts';
import { recordPoint } from './src/evidence/git/points/points.ts';
process.on('SIGINT', () => {});
const [project, store] = process.argv.slice(2);
console.log('ready');
for (let n = 1; n <= ${COMMITS}; n++) {
  const before = await recordPoint({ project, store, name: String(n) });
  writeFileSync(join(project, 'poem.txt'), 'line ' + n);
  const done = before.ok ? await commitPass({ project, store, before, message: 'Line ' + n }) : before;
  console.log(done.ok ? done.is : done.message);
}
`;

it('breaks off no git that records or commits, however often it is pressed', async () => {
  const outfile = join(temporaryFolder(), 'program.mjs');
  await build({
    stdin: { contents: PROGRAM, resolveDir: join(import.meta.dirname, '../../..'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'silent',
  });
  // Detached: the leader of a group, like what a shell starts in its terminal.
  const child = spawn(process.execPath, [outfile, repository(), temporaryFolder()], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the program could not be started');
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  await once(child.stdout, 'data');
  // Far more often than anybody can press it: each git meets it in its first millisecond sooner or later.
  const presses = setInterval(() => process.kill(-pid, 'SIGINT'), 5);
  child.once('exit', () => clearInterval(presses));
  await once(child, 'close');
  expect(said.trim().split('\n')).toEqual(['ready', ...Array.from({ length: COMMITS }, () => 'committed')]);
});
