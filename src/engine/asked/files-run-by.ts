/** Which files of a project the commands of its checks run or load, whatever they are called. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { attempt, isRecord } from '#base/shape.ts';
import { isFile, isIn, realPath } from '#base/files/paths.ts';
import { matchOneOf } from '#base/words/word-list.ts';
import { findTop } from '#evidence/git/repository.ts';
import { baseName, inFolder, readPlain, type PlainCommand } from '#evidence/guard/plain.ts';
import { withoutPrefixes } from '#evidence/guard/shell-acts.ts';
import { filesOfMake, stampsOfMake } from '#evidence/proofs/ground/parts/makefiles.ts';
import { MADE_FOLDERS, MAYBE_MADE } from '#evidence/proofs/ground/table.ts';

const SHELL = /^(?:(?:ba|z|da|k)?sh)$/;
const INTERPRETER = /^(?:node|tsx|ts-node|deno|bun|python[\d.]*|ruby|perl|php)$/;
const PACKAGE_RUNNER = /^(?:npm|pnpm|yarn|bun)$/;
const WHOLE_FILES: Readonly<Record<string, readonly string[]>> = {
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml'],
  rake: ['Rakefile'],
};
/**
 * A program that a check runs may be the work itself (`node app.js | grep ok`). One that is named or lies
 * where checks do is taken for a check, and so is a shell script.
 */
const LOOKS_LIKE_CHECK =
  /test|check|spec|verif|valid|lint|assert|smoke|bench|e2e|(?:^|\/)(?:ci|scripts?|tools?)\//i;
const SHELL_SCRIPT = /\.(?:ba|z)?sh$/;
/** Options whose value is loaded, or says how a program judges. */
const LOADING = matchOneOf(`
  -[rcpf] --require --import --loader --experimental-loader --env-file --env-file-if-exists --config
  --configfile --config-file --conf --rcfile --cfg --project --tsconfig --preset --globalsetup
  --setupfiles(?:afterenv)? --setup-files --file --makefile --resolver --reporter --plugin
  --ignore-path --experimental-config-file
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
}

/** Relative to the project. Some may lie above it, in the same repository. */
export function filesRunBy(commands: readonly string[], project: string): string[] {
  const place = realPath(project);
  const top = findTop(place) ?? place;
  const seen = new Set<string>();
  const found = commands.flatMap((command) =>
    filesOf(command, { project: place, folder: '', depth: MAX_SCRIPT_DEPTH, seen }),
  );
  const inside = found
    .map((file) => posix.normalize(file))
    .filter((file) => !/^[/~]/.test(file) && isIn(join(place, file), top))
    .filter((file) => !file.split('/').some((name) => MADE_FOLDERS.has(name) && !MAYBE_MADE.has(name)));
  return [...new Set(inside)].filter((file) => isFile(join(place, file)));
}

/** Files that are not there, and would keep a check from running if they were. */
export function stampsOf(commands: readonly string[]): string[] {
  const found = commands.flatMap((command) => readPlain(command, HOME) ?? []);
  return found.flatMap(({ words, folders }) => {
    const [path = '', ...args] = withoutPrefixes(words).map(({ text }) => text);
    return folders.flatMap((folder) =>
      stampsOfMake(baseName(path), args).map((file) => inFolder(folder, file)),
    );
  });
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
  const scripts = words.filter((word) => SHELL_SCRIPT.test(word) || (/[./]/.test(word) && isCheck(word)));
  const loaded = loadedBy(words).map((file) => inFolder(place.folder, file));
  return [...scripts.flatMap((script) => withInner(script, place)), ...loaded];
}

const isCheck = (file: string): boolean => LOOKS_LIKE_CHECK.test(file);

function filesIn({ words }: PlainCommand, place: RunPlace): string[] {
  const [path = '', ...args] = withoutRunner(withoutPrefixes(words).map(({ text }) => text));
  const verb = baseName(path);
  const script = args.find((arg) => !arg.startsWith('-'));
  const isSource = path === '.' || path === 'source';
  const isRun =
    path.includes('/') && (SHELL_SCRIPT.test(path) || isCheck(path) || isShellScript(path, place));
  const run = [
    ...(isRun ? [path] : []),
    ...((SHELL.test(verb) || isSource) && script !== undefined ? [script] : []),
    ...(INTERPRETER.test(verb) && script !== undefined && isCheck(script) ? [script] : []),
  ].flatMap((file) => withInner(file, place));
  const read = [
    ...(WHOLE_FILES[verb] ?? []),
    ...loadedBy(args),
    ...filesOfMake(verb, args, join(place.project, place.folder)),
  ].map((file) => inFolder(place.folder, file));
  return [...run, ...read, ...linesRunBy(verb, args, place).flatMap((line) => filesOf(line, inner(place)))];
}

/** Programs that run the command behind them, and the word that says so. */
const RUNNERS: Readonly<Record<string, RegExp>> = {
  npx: /^/,
  bunx: /^/,
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
  bun: /^x$/,
  bundle: /^exec$/,
  poetry: /^run$/,
  uv: /^run$/,
  pipenv: /^run$/,
  hatch: /^run$/,
  rye: /^run$/,
  pdm: /^run$/,
};

/** `npx tsx check.ts` runs `tsx check.ts`. */
function withoutRunner(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words;
  const says = RUNNERS[first];
  if (says === undefined || !says.test(second)) return words;
  const at = words.findIndex((word, k) => k > (says.source === '^' ? 0 : 1) && !word.startsWith('-'));
  return at === -1 ? words : words.slice(at);
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
