/** Files of which only a part decides how the checks judge. */
import { describe, expect, it } from 'vitest';
import { mixedFile } from '#evidence/proofs/ground/parts/mixed.ts';

function parts(path: string) {
  const mixed = mixedFile(path);
  if (mixed === null) throw new Error(`${path} is not mixed`);
  return mixed;
}

describe('package.json', () => {
  const { deciding, withDeciding } = parts('web/package.json');
  const START = JSON.stringify({ scripts: { test: 'vitest' }, jest: { bail: 1 }, dependencies: { a: '1' } });

  it('its scripts and the settings of test runners decide, its dependencies do not', () => {
    const more = JSON.stringify({
      scripts: { test: 'vitest' },
      jest: { bail: 1 },
      dependencies: { a: '1', b: '2' },
    });
    expect(deciding(more)).toBe(deciding(START));
    expect(deciding(START.replace('vitest', 'true'))).not.toBe(deciding(START));
    expect(deciding(START.replace('"bail":1', '"bail":0'))).not.toBe(deciding(START));
    expect(deciding('{"version":"1.0.0"}')).toBe('');
  });

  it('takes the deciding part of the start into the file of now', () => {
    const now = JSON.stringify({ scripts: { test: 'true' }, ava: {}, dependencies: { b: '2' } });
    expect(JSON.parse(withDeciding(now, START))).toEqual({
      scripts: { test: 'vitest' },
      jest: { bail: 1 },
      dependencies: { b: '2' },
    });
    expect(JSON.parse(withDeciding(now, ''))).toEqual({ dependencies: { b: '2' } });
  });

  it('decides as a whole while it is broken', () => {
    expect(deciding('{')).toBe('{');
    expect(withDeciding('{', START)).toBe(START);
  });
});

describe('sections', () => {
  const { deciding, withDeciding } = parts('pyproject.toml');
  const START =
    '[project]\nname = "a"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n\n[tool.setuptools]\nx = 1\n';

  it('of pytest and its like decide', () => {
    expect(deciding(START)).toBe('[tool.pytest.ini_options]\naddopts = "-q"');
    expect(deciding(START.replace('"a"', '"b"'))).toBe(deciding(START));
  });

  it('of the start take the place of those of now', () => {
    const now = START.replace('-q', '--ignore=tests').replace('"a"', '"b"');
    expect(withDeciding(now, START)).toBe(START.replace('"a"', '"b"'));
    expect(deciding(withDeciding('[project]\nname = "b"', START))).toBe(deciding(START));
    expect(deciding(withDeciding(START, ''))).toBe('');
  });

  it('of Cargo.toml: tests and lints, not dependencies', () => {
    const cargo = parts('Cargo.toml');
    expect(cargo.deciding('[dependencies]\na = "1"\n[[test]]\nname = "x"\nharness = false\n')).toBe(
      '[[test]]\nname = "x"\nharness = false',
    );
  });
});

describe('which parts of a project are tested', () => {
  it('members of a workspace, and the name by which a package finds itself', () => {
    const { deciding, withDeciding } = parts('package.json');
    const START = JSON.stringify({ name: 'half', workspaces: ['a', 'b'], version: '1' });
    const now = JSON.stringify({ name: 'claims', workspaces: ['b'], version: '2', exports: './x.js' });
    expect(deciding(now)).not.toBe(deciding(START));
    expect(JSON.parse(withDeciding(now, START))).toEqual({
      name: 'half',
      workspaces: ['a', 'b'],
      version: '2',
      exports: './x.js',
    });
  });

  it.each([
    ['[lib]\ntest = false\n'],
    ['[workspace]\nmembers = ["b"]\n'],
    ['[package]\nname = "half"\nautotests = false\n'],
  ])('%j of Cargo.toml', (added) => {
    const { deciding } = parts('Cargo.toml');
    expect(deciding('[package]\nname = "half"\n[workspace.dependencies]\nx = "1"\n')).toBe('');
    expect(deciding(added)).not.toBe('');
  });

  it('a single line of Cargo.toml is put back where it was', () => {
    const { withDeciding } = parts('Cargo.toml');
    const [start, now] = ['true', 'false'].map(
      (value, k) => `[package]\nname = "half"\nautotests = ${value}\nversion = "${k}"\n\n[dependencies]\n`,
    );
    expect(withDeciding(now ?? '', start ?? '')).toBe(now?.replace('false', 'true'));
  });

  it('single settings of Gradle', () => {
    const { deciding } = parts('build.gradle');
    expect(deciding('test.enabled = false\n')).toBe('test.enabled = false');
    expect(deciding("check.dependsOn 'integration'\n")).not.toBe('');
    expect(deciding("dependencies {\n  testImplementation 'junit:junit:4'\n}\n")).toBe('');
  });

  it.each([
    '<properties><maven.test.skip>true</maven.test.skip></properties>',
    '<packaging>pom</packaging>',
    '<modules><module>b</module></modules>',
  ])('%s of a pom', (added) => {
    const { deciding } = parts('pom.xml');
    const pom = (more: string) => `<project><properties><java>17</java></properties>${more}</project>\n`;
    expect(deciding(pom(''))).toBe('');
    expect(deciding(pom(added))).not.toBe('');
  });

  it.each([
    ['mix.exs', '      aliases: aliases(),\n', '      deps: deps(),\n'],
    ['mix.exs', '  defp aliases do\n    [test: "true"]\n  end\n', '  defp deps do\n    [{:a, "1"}]\n  end\n'],
    ['Package.swift', '    .testTarget(\n      name: "T"),\n', '    .target(name: "T"),\n'],
    ['lib/BUILD.bazel', 'cc_test(\n  name = "t",\n)\n', 'cc_library(\n  name = "t",\n)\n'],
    ['half.cabal', 'test-suite t\n  type: exitcode-stdio-1.0\n', 'library\n  build-depends: base\n'],
  ])('%s: what tests, and not what builds', (path, tests, builds) => {
    const { deciding } = parts(path);
    expect(deciding(`${builds}${tests}`)).toBe(tests.trim());
    expect(deciding(builds)).toBe('');
  });
});

describe('blocks', () => {
  const rust = parts('src/lib.rs');
  const CODE = 'pub fn half(n: i32) -> i32 { n }\n';
  const TESTS =
    '#[cfg(test)]\nmod tests {\n    #[test]\n    fn two() { assert_eq!(super::half(4), 2); }\n}\n';

  it('unit tests of Rust decide, the code around them does not', () => {
    expect(rust.deciding(CODE + TESTS)).toBe(TESTS.trim());
    expect(rust.deciding(CODE)).toBe('');
    expect(rust.deciding(`${TESTS}fn more() {}\n`)).toBe(TESTS.trim());
  });

  it('those of the start go with the code of now', () => {
    const now = `${CODE.replace('{ n }', '{ n / 2 }')}${TESTS.replace(', 2', ', 4')}`;
    expect(rust.withDeciding(now, CODE + TESTS)).toBe(`${CODE.replace('{ n }', '{ n / 2 }')}${TESTS}`);
  });

  it('of Gradle: what configures tests', () => {
    const gradle = parts('app/build.gradle.kts');
    expect(gradle.deciding('dependencies {\n  x()\n}\ntasks.test {\n  exclude("**/A*")\n}\n')).toBe(
      'tasks.test {\n  exclude("**/A*")\n}',
    );
  });
});

describe('a Makefile', () => {
  const make = parts('Makefile');
  const START = 'SRC = a.c\nTESTS = a b\n\ntest: prog\n\t./run $(TESTS)\n\nprog: $(SRC)\n\tcc $(SRC)\n';

  it('its rules for tests and its lists of tests decide', () => {
    expect(make.deciding(START.replace('a.c', 'a.c b.c'))).toBe(make.deciding(START));
    expect(make.deciding(START.replace('a b', 'a'))).not.toBe(make.deciding(START));
    expect(make.deciding(START.replace('./run', 'true'))).not.toBe(make.deciding(START));
  });

  it('those of the start go with the sources of now', () => {
    const merged = make.withDeciding(START.replace('a.c', 'a.c b.c').replace('./run', 'true'), START);
    expect(merged).toContain('SRC = a.c b.c');
    expect(merged).toContain('./run');
    expect(merged).not.toContain('true');
  });
});

it('what is the same stays where it is: a variable may come before the rule that uses it', () => {
  const { withDeciding } = parts('Makefile');
  const START = 'include rules.mk\nOBJS = a.o\n\ntest: $(OBJS)\n\t./run\n\nlint:\n\teslint .\n';
  const now = START.replace('a.o', 'a.o b.o').replace('./run', 'true');
  expect(withDeciding(now, START)).toBe(START.replace('a.o', 'a.o b.o'));
  expect(withDeciding(START.replace('a.o', 'b.o').replace(/lint:[^]*/, ''), START)).toBe(
    START.replace('a.o', 'b.o'),
  );
  expect(withDeciding(`test:\n\ttrue\n${START}`, START)).toBe(START);
});

describe('what decides besides the rules that check', () => {
  const { deciding, withDeciding } = parts('Makefile');
  const START =
    'NODE = node\nCC = cc\nSRC = a.c\n.PHONY: check unit build\ncheck: unit build half\nunit:\n\t@$(NODE) unit.js\n' +
    'build:\n\t$(CC) $(SRC)\nhalf: $(SRC)\n\t$(CC) -o half\n';

  it.each([
    ['the shell', 'SHELL = /bin/true\n'],
    ['the flags of make', 'MAKEFLAGS += -n\n'],
    ['errors that are ignored', '.IGNORE:\n'],
    ['an exported variable', 'export NODE_OPTIONS = --require ./x.cjs\n'],
    ['a file that is included', '-include x\n'],
    ['variables of every rule', '%: SHELL = /bin/true\n'],
    ['what only make can read', '$(eval SHELL = /bin/true)\n'],
    ['a file that is included, behind spaces', '  -include x\n'],
  ])('%s', (_what, line) => expect(deciding(line + START)).not.toBe(deciding(START)));

  it('a program that they call by a variable, and rules without a file that they need', () => {
    expect(deciding(START.replace('= node', '= true'))).not.toBe(deciding(START));
    expect(deciding(START.replace('unit.js', 'none.js'))).not.toBe(deciding(START));
  });

  it('a rule behind spaces, after one that builds', () => {
    expect(deciding(`${START}  check:\n\ttrue\n`)).not.toBe(deciding(START));
  });

  it('not conditions around what builds', () => {
    expect(deciding(`ifdef X\nCC = gcc\nendif\n# Why.\n${START}`)).toBe(deciding(START));
  });

  it('not sources, compilers and rules that build', () => {
    const now = START.replace('a.c', 'a.c b.c').replace('= cc', '= gcc').replace('-o half', '-O2 -o half');
    expect(deciding(now)).toBe(deciding(START));
    expect(withDeciding(now, START)).toContain('SRC = a.c b.c');
  });
});

it('of package.json, what it maps decides, and what the loop maps is work', () => {
  const { deciding, withDeciding } = parts('package.json');
  const START = JSON.stringify({ imports: { '#a': './a.js' } });
  const now = JSON.stringify({ imports: { '#a': './other.js', '#b': './b.js' } });
  expect(deciding(now)).not.toBe(deciding(START));
  expect(JSON.parse(withDeciding(now, START))).toEqual({ imports: { '#a': './a.js', '#b': './b.js' } });
});

it('of CMake and meson, the calls that add tests decide', () => {
  const cmake = parts('lib/CMakeLists.txt');
  const START = 'add_library(half half.c)\nenable_testing()\nadd_test(\n  NAME half\n  COMMAND run)\n';
  expect(cmake.deciding(START.replace('half.c', 'half.c b.c'))).toBe(cmake.deciding(START));
  expect(cmake.deciding(START.replace('COMMAND run', 'COMMAND true'))).not.toBe(cmake.deciding(START));
  expect(cmake.withDeciding('add_library(half half.c b.c)\n', START)).toBe(
    START.replace('half.c', 'half.c b.c'),
  );
  const meson = parts('meson.build');
  expect(meson.deciding("project('half')\ntest('half', exe)\n")).toBe("test('half', exe)");
});

it('of a pom, the build decides and the dependencies do not', () => {
  const { deciding, withDeciding } = parts('pom.xml');
  const pom = (skip: string, dependency: string) =>
    `<project>\n  <dependencies>${dependency}</dependencies>\n  <build><skipTests>${skip}</skipTests></build>\n</project>\n`;
  expect(deciding(pom('false', 'a'))).toBe(deciding(pom('false', 'b')));
  const merged = withDeciding(pom('true', 'b'), pom('false', 'a'));
  expect(merged).toContain('<dependencies>b</dependencies>');
  expect(merged).toContain('<skipTests>false</skipTests>');
  expect(merged).not.toContain('<skipTests>true</skipTests>');
});

it.each(['a.js', 'README.md', 'src/package.json.bak'])('%s is not mixed', (path) =>
  expect(mixedFile(path)).toBeNull(),
);

describe('what stands for a dependency of the tests', () => {
  const MODULE = 'module half\n\ngo 1.19\n\nrequire example.com/claims v1.0.0\n';

  it.each(['replace example.com/claims => ./fake\n', 'replace (\n\texample.com/claims => ./fake\n)\n'])(
    'a replacement in go.mod decides: %j',
    (replacement) => {
      const { deciding, withDeciding } = parts('go.mod');
      expect(deciding(MODULE)).toBe('');
      expect(deciding(`${MODULE}${replacement}`)).toBe(replacement.trim());
      expect(withDeciding(`${MODULE}${replacement}`, MODULE)).toBe(MODULE);
    },
  );

  it.each(['[patch.crates-io]', '[dev-dependencies]', '[target."cfg(unix)".dev-dependencies]'])(
    '%s of Cargo.toml decides, and [dependencies] does not',
    (section) => {
      const { deciding } = parts('Cargo.toml');
      const added = `${section}\nclaims = { path = "fake" }\n`;
      expect(deciding('[dependencies]\nx = "1"\n')).toBe('');
      expect(deciding(`[dependencies]\nx = "1"\n${added}`)).toBe(added.trim());
    },
  );
});
