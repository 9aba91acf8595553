/**
 * The environment of a clean room: a HOME of its own, git without settings, and none of the variables by
 * which an agent could load code into every program. Where tools keep what they downloaded stays known to
 * them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { matchOneOf } from '#base/words/word-list.ts';

type RoomEnvironment = Readonly<Record<string, string | undefined>>;

/** They load code, add options or choose settings for shells, languages, test runners and build tools. */
const LEFT_OUT = matchOneOf(`
  NODE_(?:OPTIONS|PATH|V8_COVERAGE|TEST_CONTEXT) BASH_ENV ENV BASH_FUNC_.* SHELLOPTS BASHOPTS
  PROMPT_COMMAND CDPATH PYTHON(?:PATH|STARTUP|HOME|INSPECT|BREAKPOINT|WARNINGS|USERBASE) PYTEST_.*
  COVERAGE_.* TOX_.* NOX.* RUBY(?:OPT|LIB) BUNDLE_.* PERL5(?:OPT|LIB|DB) PERLLIB JAVA_TOOL_OPTIONS
  _JAVA_OPTIONS JDK_JAVA_OPTIONS MAVEN_(?:OPTS|ARGS) GRADLE_OPTS GO(?:FLAGS|WORK|ENV|DEBUG)
  RUST(?:FLAGS|DOCFLAGS|C_WRAPPER|C) CARGO_(?!HOME$).* LD_.* DYLD_.*
  MAKE(?:FLAGS|FILES|LEVEL|OVERRIDES) MFLAGS PHP(?:RC|_INI_SCAN_DIR) DOTNET_STARTUP_HOOKS GIT_.*
  npm_.* NPM_CONFIG_.* YARN_.* INIT_CWD JEST_.* VITEST.* MOCHA_.* TS_NODE_.* TAP.* DACAPO_.* OLDPWD
  PWD
`);

/** Where tools keep downloads and their own versions: a variable, and its usual place below HOME. */
const TOOL_HOMES: readonly (readonly [variable: string, place: string])[] = [
  ['CARGO_HOME', '.cargo'],
  ['RUSTUP_HOME', '.rustup'],
  ['GOPATH', 'go'],
  ['GRADLE_USER_HOME', '.gradle'],
  ['npm_config_cache', '.npm'],
  ['NVM_DIR', '.nvm'],
  ['VOLTA_HOME', '.volta'],
  ['PYENV_ROOT', '.pyenv'],
  ['RBENV_ROOT', '.rbenv'],
  ['ASDF_DATA_DIR', '.asdf'],
  ['MISE_DATA_DIR', '.local/share/mise'],
  ['BUN_INSTALL', '.bun'],
  ['DENO_DIR', '.cache/deno'],
  ['NUGET_PACKAGES', '.nuget/packages'],
  ['COMPOSER_HOME', '.composer'],
  ['MIX_HOME', '.mix'],
  ['HEX_HOME', '.hex'],
  ['PLAYWRIGHT_BROWSERS_PATH', '.cache/ms-playwright'],
];

export interface RoomPlaces {
  /** The project, and where it is in the room. */
  readonly project: string;
  readonly cwd: string;
  /** An empty folder. */
  readonly home: string;
}

export function roomEnvironment(env: RoomEnvironment, places: RoomPlaces): Record<string, string> {
  const { home, cwd } = places;
  const kept = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value === undefined || LEFT_OUT.test(name) ? [] : [[name, inRoom(value, places)]],
  );
  return {
    ...toolHomes(env),
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    // Python reads what it compiled earlier beside each file, whoever put it there: also in the dependencies
    // of the project, which are linked into the room.
    PYTHONPYCACHEPREFIX: join(home, '.pycache'),
    PWD: cwd,
  };
}

/** A value or a command that names the project means the room. */
export function inRoom(text: string, { project, cwd }: Pick<RoomPlaces, 'project' | 'cwd'>): string {
  return project.length > 1 ? text.replaceAll(project, () => cwd) : text;
}

function toolHomes(env: RoomEnvironment): Record<string, string> {
  const home = env['HOME'] ?? env['USERPROFILE'];
  if (home === undefined) return {};
  const found = TOOL_HOMES.map(([variable, place]) => [variable, join(home, place)] as const);
  return Object.fromEntries(found.filter(([, place]) => existsSync(place)));
}
