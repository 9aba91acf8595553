/**
 * The guard against bash itself. A plain line that changes a protected file when it runs is never let
 * through. Lines are made of commands that write, and of many ways to spell a path.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainCommandsIn } from '#evidence/guard/shell-acts.ts';
import { Stage } from '../engine/hearing/stage.ts';

const INPUTS = Number(process.env['DACAPO_FUZZ_INPUTS'] ?? 4_000);
const SEED = Number(process.env['DACAPO_FUZZ_SEED'] ?? 1);
/** Starting bash is what takes time. */
const LINES = Math.max(150, Math.round(INPUTS / 100));

const SAFE = 'tests/safe.txt';
const CONTENT = 'expect(1).toBe(1);\n';

/** The protected file, files beside it, and folders around it. No path leads out of the project. */
const path = fc.constantFrom(
  'tests/safe.txt',
  './tests/safe.txt',
  'tests//safe.txt',
  'tests/./safe.txt',
  'a/../tests/safe.txt',
  'tests',
  'tests/',
  './tests',
  'tests/*',
  'tests/s*',
  't*/safe.txt',
  '*/safe.txt',
  'tests/saf?.txt',
  "'tests/safe.txt'",
  '"tests/safe.txt"',
  'tests/"safe".txt',
  'te\\sts/safe.txt',
  'tests/{safe,x}.txt',
  'safe.txt',
  './safe.txt',
  '*',
  '../tests/safe.txt',
  '$PWD/tests/safe.txt',
  '"$PWD"/tests/safe.txt',
  'a',
  'a/b.txt',
  'c.txt',
  'tests.txt',
  'a/*',
  'x/new.txt',
  '"c d.txt"',
);
const command = fc.oneof(
  fc.tuple(
    fc.constantFrom('rm', 'rm -f', 'rm -rf', 'rm -r', 'touch', 'truncate -s 0', 'tee', 'tee -a'),
    path,
  ),
  fc.tuple(fc.constantFrom('cp c.txt', 'cp -r a', 'mv c.txt', 'mv a', 'ln -f c.txt', 'install c.txt'), path),
  fc.tuple(fc.constantFrom('mv'), path, fc.constantFrom('elsewhere', 'a')),
  fc.tuple(fc.constantFrom('cp -t', 'mv -t'), path, fc.constantFrom('c.txt', 'a/b.txt')),
  fc.tuple(
    fc.constantFrom('sed -i s/1/2/', "sed -i -e 's/1/2/'", 'sed -i.bak s/1/2/', 'perl -pi -e s/1/2/'),
    path,
  ),
  fc.tuple(
    fc.constantFrom('echo x >', 'echo x >>', 'cat c.txt >', 'echo x >|', '>', 'cat <c.txt >', 'echo x &>'),
    path,
  ),
  fc.tuple(fc.constantFrom('cd', 'cd ./', 'cat', 'ls', 'mkdir -p', 'chmod 000', 'chmod a-r'), path),
  fc.tuple(
    fc.constantFrom('dd if=c.txt status=none'),
    path.map((to) => `of=${to}`),
  ),
  fc.tuple(fc.constantFrom('find'), path, fc.constantFrom('-name "*.txt" -delete', "-exec rm {} ';'")),
  fc.tuple(
    fc.constantFrom('env A=1 rm', 'command rm -f', 'A=1 rm', 'nice rm', 'timeout 5 rm', 'busybox rm'),
    path,
  ),
);
const line = fc
  .array(fc.tuple(command, fc.constantFrom(' && ', '; ', ' || ', ' | ', '\n')), {
    minLength: 1,
    maxLength: 3,
  })
  .map((all) => all.map(([words, join]) => `${words.join(' ')}${join}`).join(''))
  .map((text) => text.replace(/(?: && |; | \|\| | \| |\n)$/, ''));

function layOut(project: string): void {
  for (const name of readdirSync(project)) rmSync(join(project, name), { recursive: true, force: true });
  for (const folder of ['tests', 'a']) mkdirSync(join(project, folder));
  writeFileSync(join(project, SAFE), CONTENT);
  for (const file of ['a/b.txt', 'c.txt', 'tests.txt']) writeFileSync(join(project, file), 'work 1\n');
}

function isUnchanged(project: string): boolean {
  const file = join(project, SAFE);
  return existsSync(file) && readFileSync(file, 'utf8') === CONTENT;
}

it(
  'lets no plain line through that changes a protected file',
  { timeout: 60_000 + INPUTS * 20 },
  async () => {
    const stage = new Stage();
    layOut(stage.project);
    await stage.start('Make it pass --protect "tests/**" --view none');
    let [plain, changing] = [0, 0];
    for (const text of fc.sample(line, { numRuns: LINES, seed: SEED })) {
      if (plainCommandsIn(text, '/home/me') === null) continue;
      plain++;
      layOut(stage.project);
      const use = { tool_name: 'Bash', tool_input: { command: text }, cwd: stage.project };
      const { is } = await stage.tool(use);
      if (is === 'deny') continue;
      spawnSync('/bin/bash', ['--norc', '-c', text], {
        cwd: stage.project,
        stdio: 'ignore',
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
        timeout: 10_000,
      });
      if (!isUnchanged(stage.project)) changing++;
      expect({ text, is, changed: !isUnchanged(stage.project) }).toMatchObject({ changed: false });
    }
    expect(plain).toBeGreaterThan(LINES / 4);
    expect(changing).toBe(0);
  },
);
