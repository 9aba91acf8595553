/**
 * Where files of the ground lead: a link to what it stands for, a config to what it loads. Such a file has
 * any name, may be anywhere, and decides as they do.
 */
import { dirname, extname, join, relative, sep } from 'node:path';
import { listBelow } from '#base/files/list-below.ts';
import { attempt, isRecord } from '#base/shape.ts';
import { isFile, isIn, realPath } from '#base/files/paths.ts';
import { wordList } from '#base/words/word-list.ts';
import { isGroundName, isUsualConfig, type GroundKind } from './table.ts';

/** A folder behind a link with more files is more often the work than its tests. */
const MAX_FILES_BEHIND_LINK = 2_000;

interface Leading {
  readonly path: string;
  readonly kind: GroundKind;
  readonly mode: 'file' | 'executable' | 'link';
  readonly content: Buffer;
}

/** Relative to the project. `top`: nothing above it is followed. */
export function leadsTo(file: Leading, project: string, top: string): string[] {
  const found =
    file.mode === 'link' ? behindLink(file, project) : file.kind === 'config' ? loadedBy(file, project) : [];
  return found
    .filter((path) => isIn(path, top))
    .map((path) => relative(project, path).split(sep).join('/'))
    .filter((path) => !/(?:^|\/)(?:\.git|node_modules)\//.test(path));
}

/** A link in a folder of tests, to a file of any name, may well lead to the work. */
function behindLink({ path }: Leading, project: string): string[] {
  if (!isGroundName(path)) return [];
  const target = realPath(join(project, path));
  if (isFile(target)) return [target];
  const entries = attempt(() => listBelow(target), []);
  const files = entries.filter((entry) => entry.isFile());
  return files.length > MAX_FILES_BEHIND_LINK ? [] : files.map((entry) => join(entry.parentPath, entry.name));
}

/** `import x from './x.js'`, `require('./x')`, `export * from './x'` */
const LOADS = /\b(?:from|import|require)\s{0,9}\(?\s{0,9}(['"])(?<path>\.{1,2}\/[^'"\n]{1,200})\1/g;
/** Settings by which runners, compilers and linters load files. */
const LOADING = wordList(String.raw`
  extends presets? requires? import loader setupFiles\w* global(?:Setup|Teardown) testEnvironment
  environment runner reporters? resolver transform testSequencer snapshot(?:Serializers|Resolver)
  projects workspace spec file plugins
`).join('|');
/** A setting with what follows: one value, or a list. */
const LIST = String.raw`\[[^\]]{0,2000}\]|\{[^}]{0,2000}\}|(?:\n[^\S\n]{0,40}-[^\n]{0,200}){1,50}`;
const SETTINGS = new RegExp(
  String.raw`["']?\b(?:${LOADING})["']?\s{0,9}[:=][^\S\n]{0,9}(?<value>${LIST}|[^,\n}]{0,200})`,
  'g',
);
const PATHS = /(['"]?)(?:<rootDir>\/)?(?<path>\.{0,2}[\w./@-]{0,200}[\w@-])\1/g;
/** The work, which a config may load as well: a plugin that tests itself, an entry. */
const IS_WORK = /(?:^|\/)(?:src|source|app)\/|(?:^|\/)(?:index|main)\.\w+$/;
const ENDINGS = ['', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.json'];
const IN_JAVASCRIPT = /^\.(?:[cm]?[jt]sx?|json|jsonc|ya?ml)$/;
/** These patterns are bounded, too: a config may be made to take long. */
const MAX_CONFIG_CHARS = 64 * 1024;

/** A line that runs something. Another one may name the work: `files: install.sh`. */
const RUNS = /(?<![.\w])(?:entry|commands?|run|cmd|scripts?|exec|bash|sh|source)\b|(?:^|[\s"'])\.\//;
/** `entry: ./ci/lint.sh` of `.pre-commit-config.yaml`, `commands = sh run.sh` of `tox.ini` */
const SHELL_SCRIPTS = /(?<![\w./@-])(?:\.\/)?(?<path>\w[\w./@-]{0,200}\.(?:ba|z)?sh)\b/g;

function loadedBy(file: Leading, project: string): string[] {
  const isPackage = file.path.endsWith('package.json');
  if (file.content.length > MAX_CONFIG_CHARS) return [];
  // What `package.json` runs is known by its scripts (`engine/asked/files-run-by.ts`).
  const lines = isPackage ? [] : file.content.toString('utf8').split('\n');
  const text = lines.filter((line) => RUNS.test(line)).join('\n');
  const scripts = [...text.matchAll(SHELL_SCRIPTS)].flatMap(({ groups }) => groups?.['path'] ?? []);
  return [...loadedInJavaScript(file, project), ...scripts.flatMap((path) => fileAt(join(project, path)))];
}

function loadedInJavaScript({ path, content }: Leading, project: string): string[] {
  if (!IN_JAVASCRIPT.test(extname(path))) return [];
  const text = path.endsWith('package.json') ? settingsIn(content) : content.toString('utf8');
  const named = [
    ...[...text.matchAll(LOADS)].flatMap(({ groups }) => groups?.['path'] ?? []),
    ...[...text.matchAll(SETTINGS)].flatMap(({ groups }) => pathsIn(groups?.['value'] ?? '')),
  ];
  const folder = join(project, dirname(path));
  return [...new Set(named)].filter((one) => !IS_WORK.test(one)).flatMap((one) => fileAt(join(folder, one)));
}

/** Of `package.json`, the rest names the work. */
function settingsIn(content: Buffer): string {
  const read = attempt((): unknown => JSON.parse(content.toString('utf8')), null);
  const { jest, mocha, ava, tap, babel, eslintConfig } = isRecord(read) ? read : {};
  return JSON.stringify({ jest, mocha, ava, tap, babel, eslintConfig });
}

/** A bare name is one of a package. */
function pathsIn(value: string): string[] {
  const paths = [...value.matchAll(PATHS)].flatMap(({ groups }) => groups?.['path'] ?? []);
  return paths.filter((path) => path.startsWith('.') || /\.\w+$/.test(path));
}

/** Others that decide, such as protected files, load the work. */
export function isLoader({ path, mode }: Pick<Leading, 'path' | 'mode'>): boolean {
  return mode === 'link' || isUsualConfig(path) || path.endsWith('package.json');
}

function fileAt(path: string): string[] {
  return ENDINGS.map((ending) => `${path}${ending}`)
    .filter((one) => isFile(one))
    .slice(0, 1);
}
