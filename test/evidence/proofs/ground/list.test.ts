/** Which files of a project are the ground of its checks, and what has changed in it. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { groundChanges } from '#evidence/proofs/ground/compare.ts';
import { packGround, readGround, keepGround } from '#evidence/proofs/ground/keep.ts';
import { listGround } from '#evidence/proofs/ground/list.ts';
import { listPackages } from '#evidence/proofs/ground/dependencies/packages.ts';
import { groundKinds } from '#evidence/proofs/ground/table.ts';
import type { Blobs } from '#store/open-loop.ts';
import { temporaryFolder } from '../../../store/folder.ts';

describe('the table', () => {
  const kindOf = groundKinds([]);
  it.each([
    'half.test.js',
    'src/deep/half.spec.tsx',
    'test/helper.js',
    'packages/a/__tests__/x.ts',
    'src/__snapshots__/x.test.ts.snap',
    'tests/fixtures/a.json',
    'pkg/half_test.go',
    'pkg/testdata/in.txt',
    'test_half.py',
    'app/half_test.py',
    'src/test/java/HalfTest.java',
    'core/HalfTests.kt',
    'spec/half_spec.rb',
    'tests/HalfTest.php',
    'Half.Tests/Some.cs',
    'test/half_test.exs',
    'Tests/HalfTests/HalfTests.swift',
    'half_test.cpp',
    'run.bats',
    'features/pay.feature',
    'tests/it.rs',
    'test.js',
    'src/test.mts',
    'web/half-test.tsx',
    'lib/half_spec.ts',
    'app/test.py',
    'golden/a.json',
    'src/half.approved.txt',
  ])('%s is a test', (path) => expect(kindOf(path)).toBe('test'));

  it.each([
    'vitest.config.ts',
    'web/jest.config.js',
    '.mocharc.json',
    'tests/conftest.py',
    'conftest.py',
    'pytest.ini',
    'tox.ini',
    'ruff.toml',
    '.ruff.toml',
    'sitecustomize.py',
    'tsconfig.build.json',
    '.eslintrc.cjs',
    'playwright.config.ts',
    'phpunit.xml.dist',
    '.cargo/config.toml',
    '.golangci.yml',
    '.rspec',
    'src/test/resources/junit-platform.properties',
    '.mypy.ini',
    'pylintrc',
    'pyrightconfig.json',
    'half.egg-info/entry_points.txt',
    '.yarn/releases/yarn-4.cjs',
    'mise.toml',
    'settings.gradle.kts',
    'Half.sln',
    '.bazelrc',
    'phpcs.xml',
    '.editorconfig',
  ])('%s is a config', (path) => expect(kindOf(path)).toBe('config'));

  it.each([
    'src/half.js',
    'README.md',
    'src/contest.ts',
    'latest.json',
    'src/spec/parser.ts',
    'attestation.go',
    'go.mod',
    'src/openapi-spec.ts',
    'spec.ts',
    'testimony.py',
    'moon.png',
  ])('%s is work', (path) => expect(kindOf(path)).toBeNull());

  it('grows and shrinks with the patterns of a start', () => {
    const asked = groundKinds(['rules/**', '!tests/data/**', '!*.md']);
    expect(asked('rules/a.txt')).toBe('config');
    expect(asked('tests/data/a.json')).toBe('none');
    expect(asked('tests/a.json')).toBe('test');
  });
});

function project(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [file, content] of Object.entries(files)) put(folder, file, content);
  return folder;
}

function put(folder: string, file: string, content: string): void {
  mkdirSync(join(folder, dirname(file)), { recursive: true });
  writeFileSync(join(folder, file), content);
}

function listed(folder: string) {
  const listing = listGround(folder, [], () => false);
  if (!listing.ok) throw new Error(listing.why);
  return listing.files;
}

describe('a listing', () => {
  it('finds what git ignores, and passes over what programs made', () => {
    const folder = project({
      '.gitignore': 'conftest.py\n',
      'conftest.py': '',
      'node_modules/a/a.test.js': '',
      '.git/test/x': '',
      'a.test.js': '',
    });
    expect(listed(folder).map(({ path }) => path)).toEqual(['a.test.js', 'conftest.py']);
  });

  it('has what a test or a folder of tests stands for, and nothing that they link to', () => {
    const folder = project({ 'a.js': 'a', 'cases/b.js': 'b', 'tests/c.js': 'c', 'src/half.js': '' });
    symlinkSync('a.js', join(folder, 'a.test.js'));
    symlinkSync('cases', join(folder, 'spec'));
    symlinkSync('../src', join(folder, 'tests/code'));
    const found = listed(folder).map(({ path, mode }) => `${path} ${mode}`);
    expect(found).toEqual([
      'a.js file',
      'a.test.js link',
      'cases/b.js file',
      'spec link',
      'tests/c.js file',
      'tests/code link',
    ]);
  });

  it('has what a config loads, and not the work that it names', () => {
    const folder = project({
      'vitest.config.ts': "import { base } from './tools/base';\nimport plugin from './src/plugin.ts';\n",
      'tools/base.ts': "export const base = { setupFiles: ['./tools/setup.ts'], entry: './half.ts' };",
      'tools/setup.ts': '',
      'tsconfig.json': '{"extends":"./config/base.json","files":["half.ts"]}',
      'config/base.json': '{}',
      '.mocharc.yml': 'require:\n  - ./hooks.cjs\nspec: other.js\n',
      'hooks.cjs': '',
      'package.json': '{"files":["half.ts","install.sh"],"jest":{"setupFiles":["<rootDir>/before.js"]}}',
      'before.js': '',
      'half.ts': '',
      'src/plugin.ts': '',
      '.pre-commit-config.yaml': 'entry: ./hooks/lint.sh\nfiles: install.sh\n',
      'hooks/lint.sh': '',
      'install.sh': '',
    });
    const found = listed(folder).map(({ path }) => path);
    for (const path of ['tools/base.ts', 'config/base.json', 'hooks.cjs', 'before.js', 'hooks/lint.sh'])
      expect(found).toContain(path);
    for (const path of ['half.ts', 'src/plugin.ts', 'install.sh']) expect(found).not.toContain(path);
  });

  it('has the configs above a project, up to the root of its repository', () => {
    const folder = project({
      'pytest.ini': '',
      'repository/tsconfig.json': '',
      'repository/a.test.js': '',
      'repository/packages/conftest.py': '',
      'repository/packages/a/b.test.js': '',
    });
    mkdirSync(join(folder, 'repository/.git'));
    const paths = listed(join(folder, 'repository/packages/a')).map(({ path }) => path);
    expect(paths).toEqual(['../../tsconfig.json', '../conftest.py', 'b.test.js']);
  });

  it('looks into a folder that is called as if a program filled it where git does not ignore it', () => {
    const files = { 'build/a.test.js': '', 'src/target/b.test.js': '' };
    expect(listed(project(files))).toEqual([]);
    const folder = project({ ...files, 'out/c.test.js': '', '.gitignore': '/build/\nlayout/\n' });
    mkdirSync(join(folder, '.git'));
    expect(listed(folder).map(({ path }) => path)).toEqual(['out/c.test.js', 'src/target/b.test.js']);
  });

  it('leaves out what Da Capo itself keeps in the project', () => {
    const folder = project({ 'tests/a.md': '' });
    expect(listGround(folder, [], () => true)).toEqual({ ok: true, files: [] });
  });
});

it('what has changed: content, right to execute, what came and what went', () => {
  const folder = project({ 'tests/a.sh': 'a', 'tests/b.sh': 'b', 'tests/c.sh': 'c', 'tests/d.sh': 'd' });
  const then = listed(folder);
  expect(groundChanges(then, listed(folder))).toEqual([]);
  put(folder, 'tests/a.sh', 'other');
  chmodSync(join(folder, 'tests/b.sh'), 0o755);
  rmSync(join(folder, 'tests/c.sh'));
  put(folder, 'tests/e.sh', 'e');
  expect(groundChanges(then, listed(folder))).toEqual([
    { path: 'tests/a.sh', how: 'changed' },
    { path: 'tests/b.sh', how: 'changed' },
    { path: 'tests/e.sh', how: 'added' },
    { path: 'tests/c.sh', how: 'deleted' },
  ]);
});

describe('the ground of the start', () => {
  function memoryBlobs(): Pick<Blobs, 'read' | 'write'> & { readonly all: Map<string, string> } {
    const all = new Map<string, string>();
    return {
      all,
      read: (name) => all.get(name) ?? null,
      write: (name, content) => void all.set(name, content),
    };
  }

  it('is read as it was kept, bytes and all', () => {
    const folder = project({ 'tests/a.txt': 'a' });
    writeFileSync(join(folder, 'tests/b.bin'), Buffer.from([0, 255, 10, 128]));
    const files = listed(folder);
    const [blobs, packed] = [memoryBlobs(), packGround(files, { packages: listPackages(folder) })];
    keepGround(blobs, packed);
    expect(readGround(blobs, packed.digest)?.files).toEqual(files);
  });

  it('is not believed if somebody swapped a part of it', () => {
    const folder = project({ 'a.test.js': 'a' });
    const [blobs, packed] = [memoryBlobs(), packGround(listed(folder), { packages: listPackages(folder) })];
    for (const name of ['json', 'pack']) {
      keepGround(blobs, packed);
      blobs.all.set(`ground/${packed.digest}.${name}`, 'x');
      expect(readGround(blobs, packed.digest)).toBeNull();
    }
  });
});
