/**
 * Runs the files beside a program from code that an earlier run has left compiled, because V8 takes longer to
 * compile the stop of a loop than to run it. Where that code is missing, damaged or of another source, the
 * file is compiled, and the code is kept.
 */
import { readFileSync } from 'node:fs';
import { keepCompiled } from './keep-compiled.ts';
import { isPrivateToUser, isSafe } from './safe-cache.ts';

interface Surroundings {
  readonly folder: string;
  readonly home: string;
  /** Where the agent works. Code in a state folder below it is neither used nor kept. */
  readonly project: string;
  /** Node's own, for everything that is not a file beside the program. */
  readonly require: NodeJS.Require;
  /** Calls what it is given once the program has answered. */
  readonly later: (keep: () => void) => void;
  /**
   * By which the program goes into a file with several doors. Of such a file only what has run is kept, so
   * each door has code of its own.
   */
  readonly door?: string | undefined;
}

export function compiledRequire(around: Surroundings): (name: string) => unknown {
  const { folder, home, project, require, later, door } = around;
  const mayKeep = isSafe(home, project);
  // Loaded only when needed: it takes longer than all else that the hook does for a session without a loop.
  const { Script } = process.getBuiltinModule('node:vm');
  const loaded = new Map<string, { exports: unknown }>();

  function load(name: string): unknown {
    if (!name.startsWith('./')) return require(name);
    const before = loaded.get(name);
    if (before) return before.exports;
    const run = compiled(folder + name.slice(1));
    const module = { exports: {} };
    loaded.set(name, module);
    run(module, load, folder);
    return module.exports;
  }

  function compiled(file: string) {
    const source = readFileSync(file);
    const kept = `${home}/cache/${nameOfCode(file, door)}`;
    const cachedData = mayKeep ? codeIn(`${home}/cache`, kept, source) : undefined;
    const wrapped = wrapModule(source);
    const script = new Script(wrapped, { filename: file, cachedData });
    if (mayKeep && (cachedData === undefined || script.cachedDataRejected))
      later(() => keepCompiled(kept, script, door === undefined ? wrapped : null, source));
    return script.runInThisContext();
  }

  return load;
}

/** The path as a name, cut to what a name can hold. Two files with the same name are only slower. */
export function nameOfCode(file: string, door = ''): string {
  return `${(file + door).replaceAll(/[^\w.]+/g, '-').slice(-200)}-${process.version}-${process.arch}`;
}

export function wrapModule(source: Buffer): string {
  return `(function(module,require,__dirname){${source.toString('latin1')}\n})`;
}

/**
 * A kept file holds the code twice, then its source: V8 checks neither. Damaged code would crash the program
 * at every start, and code of an older source with the same length would run in place of the new one.
 */
function codeIn(folder: string, path: string, source: Buffer): Buffer | undefined {
  try {
    if (!isPrivateToUser(folder) || !isPrivateToUser(path)) return undefined;
    const file = readFileSync(path);
    const end = file.length - source.length;
    const code = file.subarray(0, end / 2);
    const isWhole = file.subarray(end / 2, end).equals(code) && file.subarray(end).equals(source);
    return isWhole ? code : undefined;
  } catch {
    return undefined;
  }
}
