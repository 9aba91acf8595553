/**
 * Which files of a project the commands of its checks run or load, whatever they are called, and which
 * programs they start.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { attempt, isRecord } from '#base/shape.ts';
import { isFile, isIn, realPath } from '#base/files/paths.ts';
import { matchOneOf } from '#base/words/word-list.ts';
import { findTop } from '#evidence/git/git-folder.ts';
import { baseName, inFolder, readPlain, type Word } from '#evidence/guard/plain.ts';
import { withoutPrefixes } from '#evidence/guard/shell-acts.ts';
import { filesOfMake, stampsOfMake } from '#evidence/proofs/ground/parts/makefiles.ts';
import { MADE_FOLDERS, MAYBE_MADE } from '#evidence/proofs/ground/table.ts';
import { patternsGiven, PYTHON, withoutModule } from './given-to-runner.ts';
import { withoutRunners } from './without-runners.ts';

const SHELL = /^(?:(?:ba|z|da|k)?sh)$/;
const INTERPRETER = /^(?:node|tsx|ts-node|deno|bun|python[\d.]*|ruby|perl|php)$/;
const PACKAGE_RUNNER = /^(?:npm|pnpm|yarn|bun)$/;
/** The files that each program looks for, in its order. */
const WHOLE_FILES: Readonly<Record<string, readonly string[]>> = {
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'taskfile.yml', 'Taskfile.yaml', 'taskfile.yaml', 'Taskfile.dist.yml'],
  rake: ['rakefile', 'Rakefile', 'rakefile.rb', 'Rakefile.rb'],
  grunt: ['Gruntfile.js', 'Gruntfile.cjs', 'Gruntfile.ts'],
  gulp: ['gulpfile.js', 'gulpfile.mjs', 'gulpfile.cjs', 'gulpfile.ts'],
  invoke: ['tasks.py'],
  inv: ['tasks.py'],
  doit: ['dodo.py'],
  mage: ['magefile.go'],
  ant: ['build.xml'],
  earthly: ['Earthfile'],
};
const COMPOSE = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'];
/** Compose reads these beside the first of its files. */
const COMPOSE_MORE = ['compose.override.yaml', 'compose.override.yml', 'docker-compose.override.yml'];
/** Linters that leave out what git ignores. */
const OBEYS_IGNORES = /^(?:ruff|black|prettier|oxlint|rg|typos|semgrep)$/;
const IGNORES = ['.gitignore', '.ignore'];
/**
 * A program that a check runs may be the work itself (`node app.js | grep ok`). One that is named or lies
 * where checks do is taken for a check, and so is a shell script.
 */
const LOOKS_LIKE_CHECK =
  /test|check|spec|verif|valid|lint|assert|smoke|bench|e2e|(?:^|\/)(?:(?:ci|scripts?|tools?)\/|(?:manage\.py|artisan|ace|rails|rake)$)/i;
const SHELL_SCRIPT = /\.(?:ba|z)?sh$/;
/** Options whose value is loaded, or says how a program judges. */
const LOADING = matchOneOf(`
  -[rcpf] --require --import --loader --experimental-loader --env-file --env-file-if-exists --config
  --configfile --config-file --conf --rcfile --cfg --project --tsconfig --preset --globalsetup
  --setupfiles(?:afterenv)? --setup-files --file --makefile --resolver --reporter --plugin
  --ignore-path --experimental-config-file --test-reporter --test-global-setup
`);
/** What short options name may be anything: a source for a compiler, data. */
const IS_SETTINGS = /(?:\.(?:[cm]?[jt]s|jsonc?|ini|toml|cfg|ya?ml|xml|mk|conf|neon)|\.env[\w.]*|rc)$/;
/** `npm run a` may run `npm run b`, and a script another one. */
const MAX_SCRIPT_DEPTH = 4;
/** A longer script is a program. */
const MAX_SCRIPT_BYTES = 64 * 1024;

/** What lies there is not in the project. */
const HOME = '~';

interface RunPlace {
  readonly project: string;
  readonly folder: string;
  readonly depth: number;
  /** Scripts and lines that were read. One that runs itself would be read again and again. */
  readonly seen: Set<string>;
  /** What is found besides files. */
  readonly stamps: Set<string>;
  readonly patterns: Set<string>;
  readonly programs: Set<string>;
}

/** Paths are relative to the project. Some may lie above it, in the same repository. */
export interface FilesRun {
  readonly files: readonly string[];
  /** Not there. If they were, a program would take them first, or have nothing to do. */
  readonly stamps: readonly string[];
  /** Patterns and folders that a test runner is given. */
  readonly patterns: readonly string[];
  /** Names of programs. */
  readonly programs: readonly string[];
}

export function filesRunBy(commands: readonly string[], project: string): FilesRun {
  const place = realPath(project);
  const top = findTop(place) ?? place;
  const [stamps, patterns, programs] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const begin = { folder: '', depth: MAX_SCRIPT_DEPTH, seen: new Set<string>(), stamps, patterns, programs };
  const found = commands.flatMap((command) => filesOf(command, { project: place, ...begin }));
  const inside = (paths: Iterable<string>) => {
    const own = [...paths]
      .map((path) => posix.normalize(path))
      .filter((path) => !/^[/~]/.test(path) && isIn(join(place, path), top))
      .filter((path) => !path.split('/').some(isMade));
    return [...new Set(own)];
  };
  return {
    files: inside(found).filter((file) => isFile(join(place, file))),
    stamps: inside(stamps).filter((file) => !isFile(join(place, file))),
    patterns: inside(patterns),
    programs: [...programs],
  };
}

function isMade(name: string): boolean {
  return (MADE_FOLDERS.has(name) && !MAYBE_MADE.has(name)) || name === 'vendor';
}

function filesOf(line: string, place: RunPlace): string[] {
  if (isSeen(`${place.folder}\n${line}`, place)) return [];
  const commands = readPlain(line, HOME);
  if (commands === null) return scriptsNamedIn(line, place);
  return commands.flatMap((command) =>
    command.folders.flatMap((inner) => filesIn(command, { ...place, folder: inFolder(place.folder, inner) })),
  );
}

/** Of a line that we don't read (`test $(sh verify.sh) = ok`), every word that looks like a check. */
function scriptsNamedIn(line: string, place: RunPlace): string[] {
  const words = line.split(/[\s;|&()<>"'`$]+/);
  for (const word of words) if (/^[a-z][\w.+-]*$/i.test(word)) place.programs.add(word);
  const scripts = words.filter((word) => SHELL_SCRIPT.test(word) || (/[./]/.test(word) && isCheck(word)));
  const loaded = loadedBy(words).map((file) => inFolder(place.folder, file));
  return [...scripts.flatMap((script) => withInner(script, place)), ...loaded];
}

const isCheck = (file: string): boolean => LOOKS_LIKE_CHECK.test(file);

function filesIn({ words }: { readonly words: readonly Word[] }, place: RunPlace): string[] {
  const [path = '', ...given] = withoutRunners(withoutPrefixes(words).map(({ text }) => text));
  const { verb, args, module } = withoutModule(baseName(path), given);
  for (const name of [words[0]?.text ?? '', path]) if (/^[^/]+$/.test(name)) place.programs.add(name);
  const script = args.find((arg) => !arg.startsWith('-'));
  const isSource = path === '.' || path === 'source';
  const isRun =
    path.includes('/') && (SHELL_SCRIPT.test(path) || isCheck(path) || isShellScript(path, place));
  const run = [
    ...(isRun ? [path] : []),
    ...((SHELL.test(verb) || isSource) && script !== undefined ? [script] : []),
    ...(INTERPRETER.test(verb) && script !== undefined && isCheck(script)
      ? firstOf(PYTHON.test(verb) ? namesInPython(script) : namesInNode(script), place)
      : []),
    ...(module !== null && isCheck(module) ? firstOf(namesOfModule(module), place) : []),
  ].flatMap((file) => withInner(file, place));
  for (const pattern of patternsGiven(verb, args, join(place.project, place.folder)))
    place.patterns.add(inFolder(place.folder, pattern));
  for (const stamp of stampsOfMake(verb, args, join(place.project, place.folder)))
    place.stamps.add(inFolder(place.folder, stamp));
  const isCompose = verb === 'docker-compose' || (verb === 'docker' && script === 'compose');
  const beside = [...(OBEYS_IGNORES.test(verb) ? IGNORES : []), ...(isCompose ? COMPOSE_MORE : [])];
  for (const name of beside) place.stamps.add(inFolder(place.folder, name));
  const read = [
    ...firstOf(isCompose ? COMPOSE : (WHOLE_FILES[verb] ?? []), place),
    ...beside,
    ...loadedBy(args),
    ...filesOfMake(verb, args, join(place.project, place.folder)),
  ].map((file) => inFolder(place.folder, file));
  return [...run, ...read, ...inLines(verb, args, place), ...filesBehind(words, place)];
}

const IN_FOLDER = /^(?:--prefix|-C|--cwd|--dir)$/;

/** `npm --prefix web test` runs in that folder. */
function inLines(verb: string, args: readonly string[], place: RunPlace): string[] {
  const at = PACKAGE_RUNNER.test(verb) ? args.findIndex((arg) => IN_FOLDER.test(arg)) : -1;
  const folder = at === -1 ? place.folder : inFolder(place.folder, args[at + 1] ?? '');
  const there = { ...place, folder };
  const lines = linesRunBy(verb, at === -1 ? args : args.toSpliced(at, 2), there);
  return lines.flatMap((line) => filesOf(line, inner(there)));
}

/** `op run -- npm test`: what follows is a command, unless it is an option. */
function filesBehind(words: readonly Word[], place: RunPlace): string[] {
  const rest = words.slice(words.findIndex(({ text }) => text === '--') + 1);
  const isCommand = rest.length < words.length && rest[0] !== undefined && !rest[0].text.startsWith('-');
  return isCommand && place.depth > 0 ? filesIn({ words: rest }, inner(place)) : [];
}

const NODE_ENDINGS = ['', '.js', '.json', '.ts', '.cjs', '.mjs', '/index.js', '/index.ts'];
const namesInNode = (script: string) => NODE_ENDINGS.map((ending) => `${script}${ending}`);
const namesInPython = (script: string) => [script, `${script}/__main__.py`];

/** A package comes before a module of the same name. */
function namesOfModule(module: string): string[] {
  const path = module.replaceAll('.', '/');
  return [`${path}/__init__.py`, `${path}/__main__.py`, `${path}.py`];
}

/** The names that exist. Those before the first of them are stamps: a program would take them instead. */
function firstOf(names: readonly string[], { project, folder, stamps }: RunPlace): string[] {
  const isThere = (name: string) => isFile(join(project, inFolder(folder, name)));
  const first = names.findIndex(isThere);
  for (const name of first === -1 ? [] : names.slice(0, first)) stamps.add(inFolder(folder, name));
  return names.filter(isThere);
}

/** `--config x.js`, `--env-file=.env`, `-r ./setup.js` */
function loadedBy(args: readonly string[]): string[] {
  return args.flatMap((arg, k) => {
    const [option = '', ...rest] = arg.startsWith('--') ? arg.split('=') : [arg];
    const value = rest.length > 0 ? rest.join('=') : (args[k + 1] ?? '');
    if (value === '' || !LOADING.test(option.toLowerCase())) return [];
    const isKnown = option.startsWith('--') || IS_SETTINGS.test(value);
    return isKnown ? (/\.\w+$/.test(value) ? [value] : [value, `${value}.js`]) : [];
  });
}

/** Lines of shell: of a script of `package.json`, or of `sh -c`. */
function linesRunBy(verb: string, args: readonly string[], { project, folder, depth }: RunPlace): string[] {
  if (depth === 0) return [];
  if (PACKAGE_RUNNER.test(verb)) return scriptsRunBy(args, join(project, folder));
  const line = SHELL.test(verb) ? args[args.findIndex((arg) => /^-\w*c$/.test(arg)) + 1] : undefined;
  return line === undefined || line === args[0] ? [] : [line];
}

function isSeen(what: string, { seen }: RunPlace): boolean {
  const size = seen.size;
  return seen.add(what).size === size;
}

function inner(place: RunPlace): RunPlace {
  return { ...place, depth: place.depth - 1 };
}

/** A shell script decides, and so do those that it runs. Their paths are seen from the same folder. */
function withInner(file: string, place: RunPlace): string[] {
  const path = inFolder(place.folder, file);
  const text = SHELL_SCRIPT.test(file) || isShellScript(file, place) ? textOf(join(place.project, path)) : '';
  if (place.depth === 0 || text === '' || isSeen(path, place)) return [path];
  const lines = text.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line));
  const beside = { ...inner(place), folder: dirname(path) };
  const named = lines.flatMap((line) => filesOf(line.trim(), inner(place)));
  // `"$(dirname "$0")/part.sh"`
  const near = lines
    .filter((line) => line.includes('$'))
    .flatMap((line) => scriptsNamedIn(line.replaceAll(/\$(?:\{?\w+\}?|\([^)]*\))["']?\//g, ''), beside));
  return [path, ...named, ...near];
}

function isShellScript(file: string, { project, folder }: RunPlace): boolean {
  return /^#!.*\b(?:ba|z|da|k)?sh\b/.test(textOf(join(project, inFolder(folder, file))).slice(0, 200));
}

/** Empty: it is no file, or too long for a script. */
function textOf(path: string): string {
  return attempt(() => {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= MAX_SCRIPT_BYTES ? readFileSync(path, 'utf8') : '';
  }, '');
}

/** `npm test`, `npm run lint`, `yarn lint`, with what runs before and after it. */
function scriptsRunBy(args: readonly string[], folder: string): string[] {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const name = words[0] === 'run' || words[0] === 'run-script' ? words[1] : words[0];
  const scripts = attempt((): unknown => {
    const read: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return isRecord(read) ? read['scripts'] : null;
  }, null);
  if (name === undefined || !isRecord(scripts)) return [];
  const lines = [`pre${name}`, name === 't' ? 'test' : name, `post${name}`].map((one) => scripts[one]);
  return lines.filter((line) => typeof line === 'string');
}
