/** What the ground of a new loop is: files that its checks run, and what a start adds or takes away. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesRunBy } from '#engine/asked/files-run-by.ts';
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
    'manage.py': '',
    'docker-compose.yml': '',
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
    ['npm --prefix web test', ['web/verify.sh']],
    ['op run --env-file=.env -- sh tests/run.sh', ['.env', 'tests/run.sh']],
    ['npm test -- --bail', ['ci/before.sh', 'scripts/check.mjs']],
    ['python3 manage.py test', ['manage.py']],
    ['docker compose run tests', ['docker-compose.yml']],
    ['xvfb-run -a sh tests/run.sh', ['tests/run.sh']],
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
  ])('%s: %j', (check, found) => expect(filesRunBy([check], projectWith(files)).files).toEqual(found));
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
  expect(filesRunBy(['sh run.sh', 'npm run again', 'make check'], project).files).toEqual(['run.sh']);
  expect(listGround(project, [], () => false)).toMatchObject({ ok: true });
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(2_000);
});

describe('what a test runner is given', () => {
  const files = {
    'cases/a.mjs': '',
    'src/a.js': '',
    'checks/one.py': '',
    'half/__init__.py': '',
    'half.py': '',
    'package.json': JSON.stringify({ scripts: { test: 'c8 mocha cases' } }),
  };
  it.each([
    ['node --test cases/a.mjs', ['cases/a.mjs']],
    ["node --test 'cases/**/*.mjs'", ['cases/**/*.mjs']],
    ['npx mocha cases/*.mjs', ['cases/*.mjs']],
    ['npm test', ['cases']],
    ['cross-env CI=1 mocha --recursive cases', ['cases']],
    ['pytest checks/one.py::test_a', ['checks/one.py']],
    ['python3 -m pytest checks', ['checks']],
    ['coverage run -m unittest checks.one', ['checks/one.py']],
    ['bats cases', ['cases']],
    // It may be the work.
    ['mocha src', []],
    ['rspec -I half', []],
    ['node src/a.js --test', []],
    ['node --import ./src/a.js --test cases/a.mjs', ['src/a.js', 'cases/a.mjs']],
    ["mocha 'src/**/*.js'", []],
    ['pytest half -k a*', []],
    ['pytest --doctest-modules half.py', []],
    ['vitest run src/a.js', []],
    ['node cases/a.mjs', []],
  ])('%s: %j', (check, patterns) =>
    expect(filesRunBy([check], projectWith(files)).patterns).toEqual(patterns),
  );

  it('as a module of Python is found like any other', () => {
    const { files: found } = filesRunBy(['python3 -m checks.one'], projectWith(files));
    expect(found).toEqual(['checks/one.py']);
  });
});

describe('files that are not there, and would be taken first or keep a check from running', () => {
  const stampsOf = (commands: readonly string[], files: Readonly<Record<string, string>>) =>
    filesRunBy(commands, projectWith(files)).stamps;

  it('with the name of a rule that checks', () => {
    expect(stampsOf(['make -C lib -j4 check lint X=1', 'make half', 'npm test'], {})).toEqual([
      'lib/check',
      'lib/lint',
    ]);
  });

  it('with the name of a rule that is needed, unless it makes that file', () => {
    const Makefile =
      '.PHONY: lint\nprove: unit half lint\n\t./half\nunit:\n\techo\nhalf: half.c\n\tcc -o half half.c\n';
    expect(stampsOf(['make prove'], { Makefile })).toEqual(['GNUmakefile', 'makefile', 'prove', 'unit']);
    expect(stampsOf(['npm test'], { Makefile, 'package.json': '{"scripts":{"test":"make lint"}}' })).toEqual([
      'GNUmakefile',
      'makefile',
    ]);
  });

  it.each([
    ['task test', { 'taskfile.yml': '' }, ['Taskfile.yml']],
    ['rake', { Rakefile: '' }, ['rakefile']],
    ['node ci/verify', { 'ci/verify.cjs': '' }, ['', '.js', '.json', '.ts'].map((end) => `ci/verify${end}`)],
    ['ruff check', {}, ['.gitignore', '.ignore']],
    ['just', {}, []],
  ])('%s', (check, files, stamps) => expect(stampsOf([check], files)).toEqual(stamps));
});

it('the programs of a command are known by their names', () => {
  const files = { 'package.json': '{"scripts":{"test":"cmp a b && timeout 9 ./own"}}' };
  const { programs } = filesRunBy(['npm test | jq .', 'test "$(perl x.pl)" = 1'], projectWith(files));
  expect(programs).toEqual(expect.arrayContaining(['npm', 'cmp', 'timeout', 'jq', 'perl']));
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
