/** The command line runs from compiled code, which V8 does not look at: nobody else may have put it there. */
import { execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { nameOfCode, wrapModule } from '#store/file/compiled.ts';
import { CLI, makeBox } from './box.ts';

const PROGRAM = join(dirname(CLI), 'program.cjs');

/**
 * Code that says that it ran, as if it were compiled from the program: V8 compares only the lengths of the
 * sources.
 */
function plantIn(home: string): void {
  const source = readFileSync(PROGRAM);
  const evil = `(function(){console.log('planted');process.exit()})`.padEnd(wrapModule(source).length);
  // V8 would see flags that another test has set in this process.
  const compile = `const { Script } = require('node:vm');
    process.stdout.write(new Script(require('node:fs').readFileSync(0, 'utf8')).createCachedData())`;
  const code = execFileSync(process.execPath, ['-e', compile], { input: evil });
  mkdirSync(join(home, 'cache'), { recursive: true, mode: 0o700 });
  const kept = join(home, 'cache', nameOfCode(PROGRAM, 'cli'));
  writeFileSync(kept, Buffer.concat([code, code, source]), { mode: 0o600 });
}

test('the second run keeps the code, and the third leaves it as it is', () => {
  const box = makeBox();
  rmSync(join(box.dacapoHome, 'cache'), { recursive: true });
  const sizes = [1, 2, 3].map(() => {
    expect(box.run(['status']).code).toBe(0);
    const [name = 'none', ...more] = readdirSync(join(box.dacapoHome, 'cache'));
    expect(more).toEqual([]);
    return statSync(join(box.dacapoHome, 'cache', name)).size;
  });
  expect(sizes).toEqual([0, expect.any(Number), sizes[1]]);
  expect(sizes[1]).toBeGreaterThan(statSync(PROGRAM).size);
});

test('nothing is kept on a machine where no loop was ever started', () => {
  const box = makeBox();
  rmSync(box.dacapoHome, { recursive: true });
  expect(box.run(['status']).code).toBe(0);
  expect(readdirSync(box.root).toSorted()).toEqual(['home', 'project']);
});

test('code that a project brings along does not run, in none of its folders', () => {
  const box = makeBox();
  const inside = join(box.project, 'state');
  for (const home of [box.dacapoHome, inside]) {
    rmSync(home, { recursive: true, force: true });
    plantIn(home);
  }
  const below = join(box.project, 'sub');
  for (const folder of [join(box.project, '.git'), below]) mkdirSync(folder);
  // A home of one's own counts.
  expect(box.run(['status']).stdout).toBe('planted\n');
  for (const cwd of [box.project, below]) {
    const env = { ...box.env, DACAPO_HOME: inside };
    const ran = spawnSync(process.execPath, [CLI, 'status'], { cwd, env, encoding: 'utf8' });
    expect(ran).toMatchObject({ stdout: '', stderr: expect.stringContaining('is in the project') });
  }
});

test(
  'a program that is killed when it is done keeps its code while it runs',
  { timeout: 60_000 },
  async () => {
    const box = makeBox();
    rmSync(join(box.dacapoHome, 'cache'), { recursive: true });
    const kept = join(box.dacapoHome, 'cache', nameOfCode(PROGRAM, 'driven'));
    // The first run leaves an empty file.
    for (const least of [0, 1]) {
      const child = fork(join(dirname(CLI), 'driven.cjs'), { cwd: box.project, env: box.env });
      while (!existsSync(kept) || statSync(kept).size < least) await sleep(50);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  },
);

test('a program that runs while Da Capo is updated takes no part of the new one', () => {
  const box = makeBox();
  const dist = join(box.root, 'package/dist');
  cpSync(dirname(CLI), dist, { recursive: true });
  cpSync(join(dirname(CLI), '../plugin'), join(dist, '../plugin'), { recursive: true });
  const pack = join(dist, 'rest.cjs');
  const list = () =>
    spawnSync(process.execPath, [join(dist, 'cli.cjs'), 'fleet', 'list'], {
      cwd: box.project,
      env: box.env,
      encoding: 'utf8',
    }).stderr;
  expect(list()).toContain('no fleet database');
  writeFileSync(pack, readFileSync(pack, 'utf8').replace(/build: '\w+'/, "build: 'another'"));
  expect(list()).toContain('Da Capo was updated while it ran. Start it again.');
});
