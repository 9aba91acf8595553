/**
 * Files of which only a part decides how the checks judge, such as `package.json`: its scripts decide, its
 * dependencies are work. The part of the start can be put into the file of now. A text that can't be taken
 * apart decides as a whole.
 */
import { isRecord } from '#base/shape.ts';
import { wordList } from '#base/words/word-list.ts';
import { makefile } from './makefiles.ts';
import { linesOf, pieces, type Parts, type Piece } from './pieces.ts';
import type { GroundKind } from '../table.ts';

export interface MixedFile extends Parts {
  readonly kind: GroundKind;
}

/** Null: the file decides as a whole, or not at all. */
export function mixedFile(path: string): MixedFile | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, kind, parts] = MIXED.find(([names]) => names.test(name)) ?? [];
  return kind === undefined || parts === undefined ? null : { kind, ...parts };
}

/**
 * npm's scripts, and the settings that test runners and linters read from `package.json` or `composer.json`.
 */
const PACKAGE_KEYS = wordList(`
  scripts config name type imports workspaces jest vitest mocha ava tap c8 nyc jasmine babel
  eslintConfig eslintIgnore prettier stylelint xo standard lint-staged wireit nx knip tsd size-limit
  bundlesize commitlint remarkConfig stryker
`);
const COMPOSER_KEYS = ['scripts', 'autoload-dev'];
const PYTHON_TOOLS = wordList(String.raw`
  pytest coverage tox nox mypy ruff pylint flake8 pyright basedpyright ty pyrefly black isort yapf
  bandit pydocstyle vulture deptry interrogate djlint codespell importlinter behave hatch\.envs
  pdm\.scripts rye\.scripts pixi\.tasks poe taskipy unittest
`);
const PYTHON_SECTIONS = new RegExp(
  String.raw`^(?:tool\.(?:${PYTHON_TOOLS.join('|')})|tool:pytest|pytest|coverage|flake8|mypy|pylint|tox|testenv)\b`,
);
/**
 * A patch, or another dependency of the tests, decides what they load. Members of a workspace and targets are
 * what is tested.
 */
const CARGO_SECTIONS =
  /^(?:(?:test|bench|lib|bin|lints|profile|workspace\.lints|patch|replace|(?:target\..*\.)?dev-dependencies)\b|workspace$)/;
const CARGO_LINES = /^\s*auto(?:tests|benches|bins|examples)\s*=/;

/** `test.enabled = false` */
const GRADLE_LINE = /^[ \t]*(?:tasks\.)?(?:test|check)\b[.\s]*(?:[\w.]+\s*[=(+-]|\w+\s)[^{]*$/;
/** Properties of Maven by which it leaves out tests. */
const SKIPPING = /skip|test|surefire|failsafe/i;

const MIXED: readonly (readonly [names: RegExp, kind: GroundKind, parts: Parts])[] = [
  [/^package\.json$/, 'config', jsonKeys(PACKAGE_KEYS)],
  [/^composer\.json$/, 'config', jsonKeys(COMPOSER_KEYS)],
  [/^(?:pyproject\.toml|setup\.cfg)$/, 'config', sections(PYTHON_SECTIONS)],
  [/^Cargo\.toml$/, 'config', sections(CARGO_SECTIONS, CARGO_LINES)],
  // Which module a name stands for.
  [/^go\.mod$/, 'config', directives(/^replace\b/)],
  // Unit tests in the file of the code that they test.
  [/\.rs$/, 'test', blocks(/^[ \t]*#\[cfg\((?:all\()?test\b/)],
  [
    /^build\.gradle(?:\.kts)?$/,
    'config',
    blocks(/^[ \t]*(?:tasks\b.*)?\b(?:test|Test|testing|check)\b.*\{/, GRADLE_LINE),
  ],
  [/^pom\.xml$/, 'config', elements(['build', 'profiles', 'modules', 'packaging'], SKIPPING)],
  [/^mix\.exs$/, 'config', elixir(/(?:aliases|cli|elixirc_paths|test_\w+|preferred_cli_env)\b/)],
  [/^Package\.swift$/, 'config', calls(/^\s*\.testTarget\(/)],
  [/^BUILD(?:\.bazel)?$/, 'config', calls(/^\w*_?test(?:_suite|s)?\s*\(/)],
  [/\.cabal$/, 'config', stanzas(/^test-suite\b/i)],
  // Without a test to run, ctest and meson pass.
  [
    /^CMakeLists\.txt$|\.cmake$/,
    'config',
    calls(/^[ \t]*(?:add_test|enable_testing|\w+_discover_tests|set_tests_properties|include\(CTest)\b/i),
  ],
  [/^meson\.build$/, 'config', calls(/^[ \t]*(?:test|benchmark)\b\s*\(/)],
  [/^(?:GNUm|m|M)akefile$|\.mk$/, 'config', makefile],
];

/** What the loop added there is work: nothing of the start can ask for it. */
const ADDED_TO: ReadonlySet<string> = new Set(['imports']);

function withAdded(key: string, start: unknown, now: unknown): unknown {
  return ADDED_TO.has(key) && isRecord(start) && isRecord(now) ? { ...now, ...start } : start;
}

function jsonKeys(keys: readonly string[]): Parts {
  const read = (text: string): Record<string, unknown> | null => {
    try {
      const value: unknown = JSON.parse(text);
      return isRecord(value) ? { ...value } : null;
    } catch {
      return null;
    }
  };
  return {
    deciding: (text) => {
      const value = read(text);
      if (value === null) return text;
      const part = keys.flatMap((key) => (value[key] === undefined ? [] : [[key, value[key]]]));
      return part.length === 0 ? '' : JSON.stringify(part);
    },
    withDeciding: (now, then) => {
      const [value, start] = [read(now), then === '' ? {} : read(then)];
      if (value === null || start === null) return then;
      for (const key of keys)
        if (start[key] === undefined && !ADDED_TO.has(key)) delete value[key];
        else if (start[key] !== undefined) value[key] = withAdded(key, start[key], value[key]);
      return `${JSON.stringify(value, null, 2)}\n`;
    },
  };
}

/** Sections of TOML and INI: from a header to the next. `lines`: single lines of the others. */
function sections(decides: RegExp, lines: RegExp | null = null): Parts {
  const header = /^\s*\[+\s*([^\]]+?)\s*\]+/;
  return pieces((text) => {
    const found: { text: string; decides: boolean }[] = [];
    let isDeciding = false;
    for (const line of linesOf(text)) {
      const name = header.exec(line)?.[1];
      if (name !== undefined) isDeciding = decides.test(name.replaceAll(/["']/g, ''));
      const last = found.at(-1);
      const isAlone = !isDeciding && lines?.test(line) === true;
      if (last === undefined || name !== undefined || last.decides !== (isDeciding || isAlone))
        found.push({ text: line, decides: isDeciding || isAlone });
      else last.text += line;
    }
    return found;
  });
}

/** From a line that begins one, as long as lines are indented. */
function stanzas(begins: RegExp): Parts {
  return pieces((text) => {
    let isIn = false;
    return linesOf(text).map((line) => {
      isIn = begins.test(line) || (isIn && /^\s/.test(line));
      return { text: line, decides: isIn };
    });
  });
}

/**
 * Blocks in braces, from the line on that begins one. Braces in strings may cut too much or too little of a
 * block. `alone`: single lines.
 */
function blocks(begins: RegExp, alone: RegExp | null = null): Parts {
  return pieces((text) => {
    const found: { text: string; decides: boolean }[] = [];
    let depth: number | null = null;
    for (const line of linesOf(text)) {
      const starts = depth === null && begins.test(line);
      if (starts) depth = 0;
      found.push({ text: line, decides: depth !== null || alone?.test(line) === true });
      if (depth === null) continue;
      depth += countOf(line, '{') - countOf(line, '}');
      const isOver = depth <= 0 && /[{};]/.test(line);
      if (isOver) depth = null;
    }
    return found;
  });
}

/** Settings of such a name, and functions, to the `end` that is indented as they are. */
function elixir(names: RegExp): Parts {
  const begins = new RegExp(String.raw`^(?<indent>\s*)(?<isFunction>defp?\s+)?(?:${names.source})`);
  return pieces((text) => {
    let end: string | null = null;
    return linesOf(text).map((line) => {
      const groups = end === null ? begins.exec(line)?.groups : undefined;
      const decides = end !== null || groups !== undefined;
      if (groups?.['isFunction'] !== undefined && !/\bdo:/.test(line)) end = `${groups['indent']}end`;
      else if (end !== null && line.trimEnd() === end) end = null;
      return { text: line, decides };
    });
  });
}

/** Lines of `go.mod` that begin so, alone or with a list in parentheses. */
function directives(begins: RegExp): Parts {
  return pieces((text) => {
    let isInList = false;
    return linesOf(text).map((line) => {
      const decides = isInList || begins.test(line);
      isInList = decides && (isInList ? !line.startsWith(')') : /\(\s*$/.test(line));
      return { text: line, decides };
    });
  });
}

/** Calls of such functions, to the end of their arguments. */
function calls(begins: RegExp): Parts {
  return pieces((text) => {
    let depth = 0;
    return linesOf(text).map((line) => {
      const decides = depth > 0 || begins.test(line);
      if (decides) depth = Math.max(0, depth + countOf(line, '(') - countOf(line, ')'));
      return { text: line, decides };
    });
  });
}

/** Elements of an XML file. `single`: those of such names that hold nothing but a text. */
function elements(names: readonly string[], single: RegExp): Parts {
  const element = new RegExp(
    String.raw`[ \t]*<(?:(?<name>${names.join('|')})>[\s\S]*?</\k<name>>|(?<leaf>[\w.-]+)>[^<]*</\k<leaf>>)[ \t]*\n?`,
    'g',
  );
  return pieces((text) => {
    const found: Piece[] = [];
    let end = 0;
    for (const { 0: part, index, groups } of text.matchAll(element)) {
      const decides = groups?.['name'] !== undefined || single.test(groups?.['leaf'] ?? '');
      if (!decides) continue;
      found.push({ text: text.slice(end, index), decides: false }, { text: part, decides });
      end = index + part.length;
    }
    return [...found, { text: text.slice(end), decides: false }];
  });
}

function countOf(line: string, char: string): number {
  return line.split(char).length - 1;
}
