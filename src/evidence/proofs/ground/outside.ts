/**
 * What decides outside of the repository: settings of tools in the home of the user, configs in the folders
 * above, tests behind a link that leads out, and which programs the PATH names. No clean room has these as
 * they were, so whoever changes them has to put them back, or a person decides.
 */
import { accessSync, constants, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { namesBelow } from '#base/files/list-below.ts';
import { hash } from '#base/hash.ts';
import type { GroundChange } from '#law/proof/ground.ts';
import { attempt, isRecord, maybe, record, text, type Infer, type Shape } from '#base/shape.ts';
import { isIn, programOnPath, realPath } from '#base/files/paths.ts';
import { sha256 } from '#base/files/sha256.ts';
import { wordList } from '#base/words/word-list.ts';
import { findTop } from '#evidence/git/git-folder.ts';
import type { GroundFile } from './list.ts';
import { mixedFile } from './parts/mixed.ts';
import { isGroundName, isUsualConfig } from './table.ts';

const texts: Shape<Readonly<Record<string, string>>> = (value): value is Record<string, string> =>
  isRecord(value) && Object.values(value).every(text);

/** `place`: on another machine, or for another user, all of it is different. */
export const outside = maybe(record({ place: text, path: text, files: texts, programs: texts }));
export type Outside = NonNullable<Infer<typeof outside>>;

type Env = Readonly<Record<string, string | undefined>>;

/** From the documentation of npm, yarn, pnpm, bun, Go, Cargo, Gradle, Maven, Bundler, RSpec, prove, mise. */
const IN_HOME = wordList(`
  .npmrc .yarnrc .yarnrc.yml .config/pnpm/rc .bunfig.toml .config/.bunfig.toml .config/go/env
  .cargo/config .cargo/config.toml .gradle/gradle.properties .gradle/init.gradle
  .gradle/init.gradle.kts .m2/settings.xml .mavenrc .bundle/config .rspec .config/rspec/options
  .proverc .pydistutils.cfg .config/mise/config.toml .asdfrc .zshenv .justfile .gradle/init.d
  .config/ruff/ruff.toml .config/mypy/config .mypy.ini .pylintrc .config/pylintrc .shellcheckrc
  .config/shellcheckrc .rubocop.yml .config/rubocop/config.yml .golangci.yml .config/yamllint/config
`);
/** They run before every program of Python. Their folder has the version in its name. */
const PYTHON_FOLDER = '.local/lib';
const IS_PYTHON_START = /^(?:(?:site|user)customize\.py|.*\.pth)$/;
/** Npm puts those of all folders above into the PATH of a script. */
const PROGRAMS_ABOVE = join('node_modules', '.bin');

/** What checks are usually run by, besides the programs that their commands name. */
const PROGRAMS = wordList(`
  sh bash env timeout node npm npx pnpm yarn bun deno tsx ts-node vitest jest mocha playwright tsc eslint
  python python3 pytest tox nox uv poetry coverage make cmake ctest ninja go gotestsum cargo rustc java
  mvn gradle ruby bundle rspec rake php composer phpunit dotnet mix elixir swift just task bats prove
  git grep test diff cat xargs find sed awk jq docker
`);
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FILES_BEHIND_LINK = 2_000;

/** `named`: programs that the checks name. */
export function listOutside(
  folder: string,
  files: readonly GroundFile[],
  env: Env,
  named: readonly string[] = [],
): Outside {
  const project = realPath(folder);
  const top = findTop(project) ?? project;
  const home = homeOf(env);
  const found = [
    ...(home === null ? [] : [...IN_HOME, ...pythonStartsIn(home)].map((name) => join(home, name))),
    ...configsAbove(top),
    ...settingsOfNpm(env),
    ...linksOut(project, top, files),
  ];
  const contents = [...new Set(found)].flatMap((path) => {
    const digest = digestOf(path);
    return digest === null ? [] : [[path, digest] as const];
  });
  const programs = [...new Set([...PROGRAMS, ...named])].flatMap((name) => {
    const path = programOnPath(name, env);
    // One in the repository is ground, a dependency or the work.
    return path === null || isIn(realPath(path), top) ? [] : [[name, programAt(path)] as const];
  });
  return {
    place: hash([hostname(), project, home ?? ''].join('\n')),
    path: pathOf(env),
    files: Object.fromEntries(contents),
    programs: Object.fromEntries(programs),
  };
}

/** Empty as well if they can't be compared: another machine, another PATH. */
export function outsideChanges(then: Outside, now: Outside, env: Env): GroundChange[] {
  if (then.place !== now.place) return [];
  const home = homeOf(env);
  const seen = (path: string) => (home !== null && isIn(path, home) ? `~${path.slice(home.length)}` : path);
  const paths = [...new Set([...Object.keys(then.files), ...Object.keys(now.files)])].toSorted();
  const files = paths.flatMap((path): GroundChange[] => {
    const [was, is] = [then.files[path], now.files[path]];
    if (was === is) return [];
    const how = was === undefined ? 'added' : is === undefined ? 'deleted' : 'changed';
    return [{ path: seen(path), how }];
  });
  // One that was not there decided nothing.
  const programs = then.path !== now.path ? [] : Object.keys(then.programs);
  const others = programs.filter((name) => then.programs[name] !== now.programs[name]);
  return [...files, ...others.map((name): GroundChange => ({ path: `the program ${name}`, how: 'changed' }))];
}

function homeOf(env: Env): string | null {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
  return home === '' ? null : realPath(home);
}

function pathOf(env: Env): string {
  return (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(Boolean).join(delimiter);
}

function pythonStartsIn(home: string): string[] {
  const versions = attempt(() => readdirSync(join(home, PYTHON_FOLDER)), []);
  return versions
    .filter((name) => name.startsWith('python'))
    .map((name) => join(PYTHON_FOLDER, name, 'site-packages'))
    .flatMap((folder) => {
      const files = attempt(() => readdirSync(join(home, folder)), []);
      return files.filter((file) => IS_PYTHON_START.test(file)).map((file) => join(folder, file));
    });
}

/** Those of all users (`npm config set --location=global`), and those that come with npm itself. */
function settingsOfNpm(env: Env): string[] {
  const [node, npm] = ['node', 'npm'].map((name) => programOnPath(name, env));
  return [
    ...(node ? [join(dirname(dirname(realPath(node))), 'etc', 'npmrc')] : []),
    ...(npm ? [join(dirname(dirname(realPath(npm))), 'npmrc')] : []),
  ];
}

/** Above the repository. The rest of the way up to it is ground as any other. */
function configsAbove(top: string): string[] {
  const above = dirname(top);
  if (above === top) return [];
  const names = attempt(() => readdirSync(above), []);
  const configs = names.filter((name) => isUsualConfig(name) || mixedFile(name)?.kind === 'config');
  return [...[...configs, PROGRAMS_ABOVE].map((name) => join(above, name)), ...configsAbove(above)];
}

/** Only links that are called as tests or configs are. A folder of tests may lead to the work by others. */
function linksOut(project: string, top: string, files: readonly GroundFile[]): string[] {
  const links = files.filter(({ mode, path }) => mode === 'link' && isGroundName(path));
  return links.map(({ path }) => realPath(join(project, path))).filter((path) => !isIn(path, top));
}

/** Null: nothing is there. */
function digestOf(path: string): string | null {
  return attempt(() => {
    const stat = statSync(path);
    if (stat.isDirectory()) return digestOfFolder(path);
    if (!stat.isFile()) return null;
    if (stat.size > MAX_FILE_BYTES) return `${stat.size} ${stat.mtimeMs}`;
    const content = readFileSync(path);
    const part = mixedFile(path)?.deciding(content.toString('utf8')) ?? content;
    return part === '' ? null : sha256(part);
  }, null);
}

/** Null: it is empty. */
function digestOfFolder(folder: string): string | null {
  const names = namesBelow(folder).toSorted().slice(0, MAX_FILES_BEHIND_LINK);
  if (names.length === 0) return null;
  const stamps = names.map((name) => {
    const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stat?.isSymbolicLink()) return `${name} ${readlinkSync(join(folder, name))}`;
    return stat?.isFile() ? `${name} ${stat.size} ${stat.mtimeMs}` : name;
  });
  return hash(stamps.join('\n'));
}

/** Which file it is. Of one that nobody else can write, an upgrade of the system is no news. */
function programAt(path: string): string {
  const real = realPath(path);
  const stat = attempt(() => {
    accessSync(real, constants.W_OK);
    return statSync(real);
  }, null);
  return [path, real, ...(stat === null ? [] : [stat.size, Math.floor(stat.mtimeMs)])].join(' ');
}
