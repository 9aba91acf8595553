/**
 * The ground of a check: which files decide how it judges. Data, with its sources: the places and names that
 * the common test runners and linters read by default. `parts/mixed.ts` has the files of which only a part
 * decides, and a start adds what its commands name (`engine/asked/ground.ts`).
 */
import { alternativesOf, globs, type Matches } from '#base/globs.ts';
import { wordList } from '#base/words/word-list.ts';

/** `test`: tests, their fixtures and snapshots. `config`: what decides which tests run, and how. */
export type GroundKind = 'test' | 'config';

interface GroundRow {
  readonly tools: string;
  /** Where the tools document it. */
  readonly source: string;
  readonly tests: string;
  readonly configs: string;
}

/** Patterns as in `base/globs.ts`, separated by spaces. */
const ROWS: readonly GroundRow[] = [
  {
    tools: 'any',
    source: 'the folders that most ecosystems share',
    tests:
      '**/{test,tests,Test,Tests,testdata,test-data} **/{__tests__,__snapshots__,__fixtures__,__mocks__} ' +
      '**/{test,testing}{-,_}{utils,util,helpers,helper,support,setup,lib,kit} ' +
      '**/test{utils,helpers,kit,lib} ' +
      '**/{test,spec}{-,_}{utils,util,helpers,helper,support,setup}.* ' +
      '**/test{Utils,Util,Helpers,Helper,Support,Setup}.* {spec,specs,fixtures,e2e}',
    configs:
      '.env.test .tool-versions .nvmrc .node-version .python-version .ruby-version .java-version ' +
      '.go-version .sdkmanrc {,.}mise.toml {,.}mise.*.toml',
  },
  {
    tools: 'npm, yarn, pnpm, bun; turbo, nx, lerna, angular',
    source: 'docs.npmjs.com, yarnpkg.com/configuration, pnpm.io, turborepo.com, nx.dev, angular.dev',
    tests: '',
    configs:
      '**/.npmrc **/.yarnrc* **/.yarn/{releases,plugins} **/.pnpmfile.* **/.pnp.* pnpm-workspace.yaml ' +
      '**/bunfig.toml **/turbo.json* **/nx.json **/project.json **/lerna.json **/angular.json ' +
      '**/node.config.json **/rush.json **/moon.yml .moon **/{lage.config,package-scripts}.*',
  },
  {
    tools: 'node:test, vitest, jest, mocha, ava, jasmine, tap',
    source:
      'nodejs.org/api/test.html, vitest.dev/config, jestjs.io/docs/configuration, mochajs.org, ' +
      'github.com/avajs/ava',
    tests:
      '**/*.{test,spec}.* **/*{-,_}test.{js,mjs,cjs,jsx,ts,mts,cts,tsx} ' +
      '**/*_spec.{js,mjs,cjs,jsx,ts,mts,cts,tsx} **/test{,-*}.{js,mjs,cjs,jsx,ts,mts,cts,tsx} ' +
      '**/*.snap **/*.{golden,approved,verified}.* **/*.golden **/{golden,goldens,__golden__}',
    configs:
      '**/{vitest,vite,jest,ava,jasmine}.config.* **/{vitest,jest}.{setup,workspace,preset}.* ' +
      '**/{setupTests,setup-tests}.* **/.mocharc* **/.taprc **/.c8rc* **/.nycrc* **/nyc.config.* ' +
      '**/jasmine.json **/.swcrc **/testem.*',
  },
  {
    tools: 'playwright, cypress, karma, web-test-runner, webdriverio, nightwatch, testcafe',
    source: 'playwright.dev/docs/test-configuration, docs.cypress.io, karma-runner.github.io, webdriver.io',
    tests: '**/*.cy.* cypress',
    configs:
      '**/{playwright,cypress,web-test-runner}.config.* **/{karma,wdio,nightwatch}.conf.* ' +
      '**/.testcaferc.* **/{,.}lighthouserc.* **/.pa11yci* **/{stryker.conf,stryker.config}.* ' +
      '**/tstyche.config.json',
  },
  {
    tools: 'tsc, babel, eslint, prettier, biome, oxlint, stylelint, deno',
    source: 'typescriptlang.org/tsconfig, babeljs.io, eslint.org, prettier.io, biomejs.dev, docs.deno.com',
    tests: '',
    configs:
      '**/{tsconfig,jsconfig}*.json **/babel.config.* **/.babelrc* **/eslint.config.* **/.eslint* ' +
      '**/prettier.config.* **/.prettier* **/.editorconfig **/{,.}biome.json* **/.oxlintrc* ' +
      '**/.oxfmtrc* **/.stylelint* **/deno.json* **/import_map.json **/tslint.json **/.jshint* ' +
      '**/{,.}dprint.json* **/.htmlvalidate* **/.htmlhintrc **/.size-limit.*',
  },
  {
    tools: 'pytest, unittest, tox, nox, coverage, mypy, ruff, flake8, pylint',
    source:
      'docs.pytest.org/reference/customize, tox.wiki, nox.thea.codes, coverage.readthedocs.io, ' +
      'docs.python.org/3/library/site',
    tests: '**/test_*.py **/*_test.py **/{test,tests}.py',
    configs:
      '**/{conftest,sitecustomize,usercustomize}.py **/*.pth **/{,.}{pytest,tox,mypy}.ini ' +
      '**/{,.}pytest.toml **/{tox,hatch,pixi,ty,pyrefly}.toml ' +
      // A folder of this name beside the tests loads plugins into pytest.
      '**/*.{egg-info,dist-info}/entry_points.txt **/{nose2,unittest}.cfg **/{,.}behave.ini ' +
      '**/noxfile.py **/.coveragerc **/.flake8 **/{,.}pylintrc **/{,.}ruff.toml **/pyrightconfig.json ' +
      '**/{.isort.cfg,.style.yapf,.bandit,.codespellrc,.djlintrc,.sqlfluff}',
  },
  {
    tools: 'go test, golangci-lint',
    source: 'pkg.go.dev/cmd/go (test, testdata), golangci-lint.run',
    tests: '**/*_test.go',
    configs: '**/.golangci.* go.work',
  },
  {
    tools: 'cargo test, clippy, rustfmt',
    source: 'doc.rust-lang.org/cargo (targets, config)',
    tests: '**/benches',
    configs:
      '**/.cargo/config* **/{clippy,.clippy,rustfmt,.rustfmt,nextest,Makefile}.toml **/rust-toolchain*',
  },
  {
    tools: 'JUnit, TestNG, Spock, ScalaTest, Kotest (Maven, Gradle, sbt)',
    source: 'maven.apache.org/surefire (includes), docs.gradle.org',
    tests:
      '**/src/{test,testFixtures,integrationTest,androidTest} ' +
      '**/*{Test,Tests,TestCase,IT}.{java,kt,scala,groovy} **/*Spec.{kt,scala,groovy}',
    configs:
      '**/{testng,checkstyle,pmd,spotbugs}.xml **/junit-platform.properties .mvn **/gradle.properties ' +
      '**/settings.gradle* gradle/wrapper **/.scalafmt.conf **/.scalafix.conf **/detekt.y*ml',
  },
  {
    tools: 'rspec, minitest, cucumber, rubocop',
    source: 'rspec.info, guides.rubyonrails.org/testing, cucumber.io/docs',
    tests: '**/*_{spec,test}.rb **/*.feature features/{step_definitions,support}',
    configs: '**/.rspec* **/.rubocop*.yml **/cucumber.yml **/{.reek,.standard,.erb_lint,.erb-lint}.yml',
  },
  {
    tools: 'phpunit, pest, phpstan, psalm',
    source: 'docs.phpunit.de, phpstan.org/config-reference, psalm.dev',
    tests: '**/*Test.php',
    configs:
      '**/phpunit.xml* **/phpstan*.neon* **/psalm.xml* **/.php-cs-fixer* **/{,.}phpcs.xml* **/pint.json ' +
      '**/{infection,phpbench}.json* **/{behat,codeception}.yml',
  },
  {
    tools: 'dotnet test',
    source: 'learn.microsoft.com/dotnet/core/testing',
    tests: '**/*{Tests,Test,Spec,Specs}.{cs,fs,vb} **/*.{Tests,Test,UnitTests,IntegrationTests}',
    configs:
      '**/*.runsettings **/xunit.runner.json **/Directory.Build.* **/global.json ' +
      '**/nuget.config **/*.{sln,slnx,slnf}',
  },
  {
    tools: 'mix test, dart test, swift test, clojure, lua, perl, haskell, zig',
    source: 'hexdocs.pm/mix (test), dart.dev/guides/testing, swift.org, perldoc prove',
    tests: '**/*_test.{exs,dart,clj,cljs,lua,zig,erl} **/*_spec.lua **/*{Test,Tests}.swift **/*Spec.hs t/*.t',
    configs:
      'config/test.exs **/.formatter.exs **/.credo.exs **/.dialyzer_ignore.exs **/dart_test.yaml ' +
      '**/{analysis_options,melos}.yaml **/{.swiftlint,.hlint}.y*ml **/.swiftformat **/.proverc ' +
      '**/{.perlcriticrc,.perltidyrc} **/.busted **/.luacheckrc',
  },
  {
    tools: 'ctest, googletest, catch2, bazel',
    source: 'cmake.org/cmake/help (ctest), bazel.build/run/bazelrc',
    tests: '**/*_{test,tests,unittest}.{c,cc,cpp,cxx} **/test_*.{c,cc,cpp,cxx}',
    configs: '**/CTest*.cmake **/.clang-{tidy,format} **/CPPLINT.cfg **/.bazel{rc,ignore,version}',
  },
  {
    tools: 'pre-commit, lefthook, knip, dependency-cruiser, cspell, markdownlint, yamllint, commitlint',
    source: 'pre-commit.com, lefthook.dev, knip.dev, cspell.org, github.com/DavidAnson/markdownlint',
    tests: '',
    configs:
      '**/.pre-commit-config.yaml **/{,.}lefthook.y* **/{,.}knip.* **/.dependency-cruiser.* ' +
      '**/{,.}cspell.* **/.markdownlint* **/.yamllint* **/{,.}commitlint* **/{,.,_}typos.toml ' +
      '**/.remarkrc* **/.textlintrc* **/.vale.ini **/.hadolint.y* **/.tflint.hcl **/.ansible-lint ' +
      '**/.jscpd.json **/.ls-lint.yml **/.spectral.* **/.gitleaks.toml **/.semgrep*',
  },
  {
    tools: 'bats, shunit2, shellcheck',
    source: 'bats-core.readthedocs.io, shellcheck.net/wiki',
    tests: '**/*.bats **/*_test.sh **/test_*.sh **/*.test.sh',
    configs: '**/.shellcheckrc',
  },
];

/** Folders that programs fill: what a project installs or builds. None of it is a test of the person. */
export const MADE_FOLDERS: ReadonlySet<string> = new Set(
  wordList(`
    .git .hg .svn node_modules bower_components .venv venv .tox .nox target dist build out coverage
    .nyc_output .cache .next .nuxt .turbo .gradle .dart_tool _build deps .eggs __pycache__
    .pytest_cache .mypy_cache .ruff_cache .dacapo
  `),
);

/**
 * Modules that Python's test runners load. Where one runs by `python -m`, the folder of the project comes
 * first in the search, so a file of such a name is loaded in the place of the real one. As
 * `python3 -X importtime` lists them for unittest and pytest, without those that are there before the search.
 */
const RUNNER_MODULES = wordList(`
  pytest _pytest pluggy iniconfig packaging exceptiongroup tomli tomllib attr py pygments xdist
  hypothesis coverage nose2 mock unittest doctest runpy argparse ast asyncio bdb concurrent contextlib
  copy ctypes dataclasses datetime decimal difflib dis email enum fnmatch functools gettext glob
  hashlib html http importlib inspect json linecache logging multiprocessing numbers opcode pathlib
  pdb pickle pkgutil pprint random re selectors shlex shutil socket ssl string struct subprocess
  sysconfig tempfile textwrap threading token tokenize traceback types typing urllib uuid warnings
  weakref xml zipfile zlib
`);
const SHADOWS = new RegExp(String.raw`^(?:${RUNNER_MODULES.join('|')})(?:\.(?:py|so|pyd)|/.+\.py)$`);

/** Of these names, folders of sources may be as well. */
export const MAYBE_MADE: ReadonlySet<string> = new Set(wordList('target dist build out coverage'));

const patternsOf = (part: 'tests' | 'configs'): string[] =>
  ROWS.flatMap((row) => row[part].split(' ').filter(Boolean));

/** As one expression: a walk asks it for each file of a project, and these patterns are our own. */
function anyOf(patterns: readonly string[]): Matches {
  const sources = patterns
    .flatMap((pattern) => alternativesOf(pattern) ?? [])
    .map((pattern) => {
      const [isDeep, name] = pattern.startsWith('**/') ? [true, pattern.slice(3)] : [false, pattern];
      const source = name.replace(/[.+^$()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
      return isDeep ? `(?:.*/)?${source}` : source;
    });
  const expression = new RegExp(`^(?:${sources.join('|')})(?:/.*)?$`);
  return (path) => expression.test(path);
}

/** Known by its own name, and not by the folder that it is in. */
const TEST_NAMES = patternsOf('tests').filter((pattern) => /\*[^/]*$/.test(pattern.replace(/^\*\*\//, '')));
export const isTestName = anyOf(TEST_NAMES);

export const isUsualConfig = anyOf(patternsOf('configs'));
const isUsualTest = anyOf(patternsOf('tests'));

/** Called like a test, a folder of tests or a config itself, and not only inside such a folder. */
export function isGroundName(path: string): boolean {
  if (isTestName(path) || isUsualConfig(path)) return true;
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return isUsualTest(path) && !isUsualTest(folder);
}

/**
 * `named`: what the start adds, in patterns: files that its commands run, `--protect` and `--ground`. `none`:
 * they take it away. Null: no pattern matches.
 */
export function groundKinds(named: readonly string[]): (path: string) => GroundKind | 'none' | null {
  const isNamed = globs(named);
  const isTakenAway = named.some((pattern) => pattern.startsWith('!')) ? takenBy(named) : () => false;
  return (path) => {
    if (isTakenAway(path)) return 'none';
    // A config among the tests still decides how the others run.
    if (isUsualConfig(path) || SHADOWS.test(path)) return 'config';
    if (isUsualTest(path)) return 'test';
    return isNamed(path) ? 'config' : null;
  };
}

/** The last pattern that matches decides, and it begins with `!`. */
function takenBy(named: readonly string[]): Matches {
  const isKept = globs(named);
  const isMatched = globs(named.map((pattern) => pattern.replace(/^!/, '')));
  return (path) => isMatched(path) && !isKept(path);
}
