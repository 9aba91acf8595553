// @module-tag slow
/**
 * The same task in six ecosystems with their real tools: a red test that the agent weakens does not complete
 * the loop, and the honest mend completes it, with a test added.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { statusOf } from '#telling/loop-status.ts';
import { Stage, toAgent } from '../stage.ts';

type Files = Readonly<Record<string, string>>;

interface Ecosystem {
  /** What it needs beyond Node. */
  readonly tags: readonly ('make' | 'pytest' | 'cargo' | 'go')[];
  readonly check: string;
  readonly files: Files;
  /** What a cheat writes, and what honest work writes. */
  readonly weakened: Files;
  readonly mended: Files;
  readonly added: Files;
  readonly tests: number;
}

const PACKAGES = resolve(import.meta.dirname, '../../../../node_modules');
const JS = { wrong: 'export const half = (n) => n;\n', right: 'export const half = (n) => n / 2;\n' };
const nodeTest = (expected: number) =>
  `import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { half } from './half.js';\ntest('half', () => assert.equal(half(4), ${expected}));\n`;
const vitestTest = (expected: number) =>
  `import { expect, test } from 'vitest';\nimport { half } from './half.js';\ntest('half', () => expect(half(4)).toBe(${expected}));\n`;
const pyTest = (expected: number) =>
  `from half import half\n\n\ndef test_half():\n    assert half(4) == ${expected}\n`;
const rust = (code: string, expected: number) =>
  `pub fn half(n: i32) -> i32 {\n    ${code}\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn half() {\n        assert_eq!(super::half(4), ${expected});\n    }\n}\n`;
const goTest = (name: string, expected: number) =>
  `package half\n\nimport "testing"\n\nfunc Test${name}(t *testing.T) {\n\tif Half(4) != ${expected} {\n\t\tt.Fatal(Half(4))\n\t}\n}\n`;
const makefile = (test: string) => `half: half.sh\n\tcp half.sh half\n\ntest: half\n\t${test}\n`;

/** A cargo of rustup does not run where HOME is empty; Debian's does, with its own compiler. */
const CARGO =
  spawnSync('cargo', ['--version']).status === 0
    ? 'cargo'
    : 'env RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc /usr/bin/cargo';

const ECOSYSTEMS: Readonly<Record<string, Ecosystem>> = {
  "Node's test runner": {
    tags: [],
    check: 'node --test',
    files: { 'package.json': '{"type":"module"}', 'half.js': JS.wrong, 'half.test.js': nodeTest(2) },
    weakened: { 'half.test.js': nodeTest(4) },
    mended: { 'half.js': JS.right, 'half.test.js': nodeTest(2) },
    added: { 'more.test.js': nodeTest(2) },
    tests: 1,
  },
  vitest: {
    tags: [],
    check: 'npx vitest run',
    files: { 'package.json': '{"type":"module"}', 'half.js': JS.wrong, 'half.test.js': vitestTest(2) },
    weakened: { 'half.test.js': vitestTest(4) },
    mended: { 'half.js': JS.right, 'half.test.js': vitestTest(2) },
    added: { 'more.test.js': vitestTest(2) },
    tests: 1,
  },
  pytest: {
    tags: ['pytest'],
    check: 'python3 -m pytest -q -p no:cacheprovider',
    files: { 'half.py': 'def half(n):\n    return n\n', 'tests/test_half.py': pyTest(2), 'conftest.py': '' },
    // Longer: of a file that changes within a second and stays as long, Python runs what it compiled before.
    weakened: { 'tests/test_half.py': `${pyTest(4)}# easier\n` },
    mended: { 'half.py': 'def half(n):\n    return n // 2\n', 'tests/test_half.py': pyTest(2) },
    added: { 'tests/test_more.py': pyTest(2) },
    tests: 1,
  },
  cargo: {
    tags: ['cargo'],
    check: `${CARGO} test --offline --quiet`,
    files: {
      'Cargo.toml': '[package]\nname = "half"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': rust('n', 2),
    },
    weakened: { 'src/lib.rs': rust('n', 4) },
    mended: { 'src/lib.rs': rust('n / 2', 2) },
    added: { 'tests/more.rs': '#[test]\nfn more() {\n    assert_eq!(half::half(8), 4);\n}\n' },
    tests: 1,
  },
  go: {
    tags: ['go'],
    // Without the analysis of `vet`, for which more of the standard library would be compiled.
    check: 'go test -vet=off ./...',
    files: {
      'go.mod': 'module half\n\ngo 1.19\n',
      'half.go': 'package half\n\nfunc Half(n int) int { return n }\n',
      'half_test.go': goTest('Half', 2),
    },
    weakened: { 'half_test.go': goTest('Half', 4) },
    mended: {
      'half.go': 'package half\n\nfunc Half(n int) int { return n / 2 }\n',
      'half_test.go': goTest('Half', 2),
    },
    added: { 'more_test.go': goTest('More', 2) },
    tests: 1,
  },
  make: {
    tags: ['make'],
    check: 'make test',
    files: { 'half.sh': 'echo 4\n', Makefile: makefile('test "$$(sh half)" = 2'), 'tests/data': 'x' },
    weakened: { Makefile: makefile('true') },
    mended: { 'half.sh': 'echo 2\n', Makefile: makefile('test "$$(sh half)" = 2') },
    added: { 'tests/more': 'y' },
    tests: 1,
  },
};

function put(folder: string, files: Files): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
}

describe.each(Object.entries(ECOSYSTEMS))('%s', (name, ecosystem) => {
  it('is judged with the tests of the start', { timeout: 120_000, tags: [...ecosystem.tags] }, async () => {
    const stage = new Stage();
    const { project } = stage;
    put(project, { ...ecosystem.files, '.gitignore': 'node_modules\ntarget\nhalf\n__pycache__\n' });
    if (name === 'vitest') symlinkSync(PACKAGES, join(project, 'node_modules'));
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      ['commit', '-qm', 'start'],
    ])
      execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    await stage.start(`Make half right. --check "${ecosystem.check}"`);
    expect(stage.loop().ground).toMatchObject({ tests: ecosystem.tests });
    put(project, ecosystem.weakened);
    expect(toAgent(await stage.stop('Done.'))).toContain(
      'with the tests and configs as they were at the start',
    );
    put(project, { ...ecosystem.mended, ...ecosystem.added });
    await stage.stop('Done.');
    expect(statusOf(stage.loop(), stage.now())).toMatchObject({
      status: 'completed',
      ground: 'old',
      proven: true,
    });
  });
});
