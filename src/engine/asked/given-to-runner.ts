/** What a test runner is given by its command: files, patterns and folders of any name. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isFile } from '#base/files/paths.ts';
import { literalStart, patternForName } from '#base/globs.ts';
import { attempt } from '#base/shape.ts';

export const PYTHON = /^python[\d.]*$/;
/** Runners that take each file of a folder for a test. */
const TAKES_FOLDERS =
  /^(?:_?mocha|tap|tape|uvu|jasmine|qunit|bats|prove|rspec|phpunit|pest|busted|shellspec)$/;
/** Runners that look for tests by name. Other files of a folder may be the work. */
const TAKES_FILES = /^(?:ava|pytest|py\.test|nose2|unittest)$/;
/** Programs of which one command, or one option, runs tests. */
const RUNS_TESTS: Readonly<Record<string, string>> = { node: '--test', bun: 'test', deno: 'test' };

/** Options of Node with a value. */
const VALUED = /^(?:-[rC]|--(?:require|import|loader|experimental-loader|conditions|env-file|test-[\w-]+))$/;

const IS_WORK = /^(?:\.?\/)?(?:\.?$|(?:src|lib|source|app)(?:\/|$))/;
/** Options whose value is a folder of the work. */
const OF_WORK = /^(?:-I|--(?:include|load-path|ignore|exclude|watch)[\w-]*)$/;
const CALLED_TESTS = /test|check|spec|verif|valid|e2e|smoke|case/i;
const WILD = /[*?]/;

interface RunCommand {
  readonly verb: string;
  readonly args: readonly string[];
  /** `python3 -m a.b` */
  readonly module: string | null;
}

/** `python3 -m pytest x` runs `pytest x`. */
export function withoutModule(verb: string, args: readonly string[]): RunCommand {
  const at = PYTHON.test(verb) ? args.indexOf('-m') : -1;
  const module = at === -1 ? undefined : args[at + 1];
  if (module === undefined) return { verb, args, module: null };
  const rest = args.slice(at + 2);
  return TAKES_FILES.test(module) ? { verb: module, args: rest, module: null } : { verb, args: rest, module };
}

/** As patterns, relative to `folder`. */
export function patternsGiven(verb: string, args: readonly string[], folder: string): string[] {
  const says = RUNS_TESTS[verb];
  const isAny = TAKES_FOLDERS.test(verb);
  if (!isAny && !TAKES_FILES.test(verb) && (says === undefined || !isAskedToTest(says, args))) return [];
  const isDoctest = args.includes('--doctest-modules');
  return args.flatMap((arg, k) => {
    if (OF_WORK.test(args[k - 1] ?? '')) return [];
    const path = (verb === 'unittest' ? fileOfModule(arg, folder) : arg).replace(/::.*$/, '');
    if (path.startsWith('-') || path === says) return [];
    if (WILD.test(path)) return isPatternOfTests(path) ? [path] : [];
    if (isFile(join(folder, path)))
      return isDoctest && !CALLED_TESTS.test(path) ? [] : [patternForName(path)];
    const isCalledTests = CALLED_TESTS.test(path.replace(/\/$/, '').replace(/^.*\//, ''));
    const isTaken = isCalledTests || (isAny && !IS_WORK.test(path));
    return isTaken && isFolder(join(folder, path)) ? [patternForName(path)] : [];
  });
}

/** `node app.js --test` gives the option to the program. */
function isAskedToTest(says: string, args: readonly string[]): boolean {
  const isProgram = (arg: string, k: number) => !arg.startsWith('-') && !VALUED.test(args[k - 1] ?? '');
  const [at, program] = [args.indexOf(says), args.findIndex(isProgram)];
  return at !== -1 && (program === -1 || at <= program);
}

/** `src/*.js` may be the work, `a*` a filter. */
function isPatternOfTests(pattern: string): boolean {
  return !IS_WORK.test(literalStart(pattern)) || CALLED_TESTS.test(pattern.replace(/^.*\//, ''));
}

function isFolder(path: string): boolean {
  return attempt(() => statSync(path).isDirectory(), false);
}

function fileOfModule(name: string, folder: string): string {
  const path = `${name.replaceAll('.', '/')}.py`;
  return isFile(join(folder, path)) ? path : name;
}
