/** What the ground of a new loop is: files that its checks run, and what a start adds or takes away. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesRunBy, stampsOf } from '#engine/asked/files-run-by.ts';
import { groundOf } from '#engine/asked/ground.ts';
import { askedBy } from '#engine/asked/gates.ts';
import { listGround } from '#evidence/proofs/ground/list.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { parseStartWords } from '../../input/start-words.ts';

function projectWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  return folder;
}

describe('the files that a check runs', () => {
  const scripts = {
    pretest: 'sh ci/before.sh',
    test: 'npm run inner',
    inner: 'node scripts/check.mjs',
    own: 'node app.js',
  };
  const files = {
    'package.json': JSON.stringify({ scripts }),
    'web/package.json': JSON.stringify({ scripts: { test: './verify.sh' } }),
    'web/verify.sh': '',
    'ci/before.sh': '',
    'scripts/check.mjs': '',
    'app.js': '',
    'tests/run.sh': '',
    'build.sh': '',
    'ci.sh': 'set -e\nsh parts/one.sh\n"$(dirname "$0")/two.sh"\n',
    'parts/one.sh': '',
    'two.sh': '',
    prove: '#!/usr/bin/env bash\n',
    program: '#!/usr/bin/env node\n',
    'start.cjs': '',
    'own.json': '',
    '.env': '',
    'half.c': '',
    Makefile: 'include rules\nprove:\n\ttrue\ncheck:\n\ttrue\n',
    rules: '',
    'node_modules/.bin/test.sh': '',
    justfile: '',
  };
  it.each([
    ['npm test', ['ci/before.sh', 'scripts/check.mjs']],
    ['cd web && npm test', ['web/verify.sh']],
    ['sh tests/run.sh', ['tests/run.sh']],
    ['./build.sh --fast', ['build.sh']],
    ['just all', ['justfile']],
    ['node scripts/check.mjs', ['scripts/check.mjs']],
    ['sh ci.sh', ['ci.sh', 'parts/one.sh', 'two.sh']],
    ['./prove && ./program', ['prove']],
    ['. ./prove', ['prove']],
    ['npx --yes tsx scripts/check.mjs', ['scripts/check.mjs']],
    ['node -r ./start.cjs --env-file=.env --test', ['start.cjs', '.env']],
    ['bundle exec sh tests/run.sh', ['tests/run.sh']],
    ['mocha --config own.json', ['own.json']],
    ['test "$(sh tests/run.sh)" = ok', ['tests/run.sh']],
    ['make check', ['rules']],
    ['make prove', ['Makefile', 'rules']],
    ['make', ['Makefile', 'rules']],
    // It may be the work itself.
    ['cc -c half.c', []],
    ['node app.js | grep -q ok', []],
    ['npm run own', []],
    ['node missing-test.mjs', []],
    ['node_modules/.bin/test.sh', []],
    ['../tests/run.sh', []],
    [`bash -c "${'echo ok; '.repeat(60)}"`, []],
  ])('%s: %j', (check, found) => expect(filesRunBy([check], projectWith(files))).toEqual(found));
});

it('scripts that run themselves, and lines that patterns could take long for, take no time', () => {
  const [many, blank] = ['sh run.sh; npm run again\n'.repeat(2_000), ' '.repeat(60_000)];
  const scripts = { again: 'npm run again && '.repeat(2_000) };
  const files = {
    'run.sh': many,
    'package.json': JSON.stringify({ scripts, jest: { setupFiles: [blank] } }),
    'vitest.config.js': `import${blank}x\n${'extends: ['.repeat(6_000)}`,
    Makefile: `a${blank}b\ncheck:\n\techo;${blank}x\n`,
  };
  const project = projectWith(files);
  const began = process.cpuUsage();
  expect(filesRunBy(['sh run.sh', 'npm run again', 'make check'], project)).toEqual(['run.sh']);
  expect(listGround(project, [], () => false)).toMatchObject({ ok: true });
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(2_000);
});

it('a file with the name of a rule that checks keeps it from running', () => {
  expect(stampsOf(['make -C lib -j4 check lint X=1', 'make half', 'npm test'])).toEqual([
    'lib/check',
    'lib/lint',
  ]);
});

describe('the ground of a start', () => {
  const files = {
    'package.json': '{"scripts":{"test":"node --test"}}',
    'a.test.js': '',
    'tests/data.json': '',
    'rules/one.txt': '',
    'tests/TODO.md': '- [ ] one\n',
    'a.js': '',
  };
  const groundWith = (...words: string[]) => {
    const request = parseStartWords(['Do it', ...words]);
    if (!request.ok) throw new Error(request.message);
    return groundOf({ request, project: projectWith(files) }, askedBy(request, null))?.ground;
  };

  it('is counted by tests, and named by configs', () => {
    expect(groundWith('--check', 'npm test')).toMatchObject({ tests: 3, configs: ['package.json'] });
  });

  it('grows with --ground and --protect, and shrinks with !', () => {
    const check = ['--check', 'npm test'];
    expect(groundWith(...check, '--ground', 'rules/**')?.configs).toEqual(['package.json', 'rules/one.txt']);
    expect(groundWith(...check, '--protect', 'a.js')?.configs).toEqual(['a.js', 'package.json']);
    expect(groundWith(...check, '--ground', '!tests/**')?.tests).toBe(1);
    expect(groundWith(...check, '--ground', '!package.json')?.configs).toEqual([]);
  });

  it('leaves out the list that the agent works off, wherever it lies', () => {
    expect(groundWith('--check', 'npm test', '--features', 'tests/TODO.md')?.tests).toBe(2);
  });

  it('is none without a command', () => {
    expect(groundWith('--completion-promise', 'DONE')).toBeUndefined();
  });
});
