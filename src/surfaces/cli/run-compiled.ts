/**
 * Runs a file of dist/ or of the plugin from compiled code. The build puts this in the place of an
 * `import()`, so no source imports it.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { attempt, once } from '#base/shape.ts';
import { compiledRequire } from '#store/file/compiled.ts';
import { homeFolder } from '#store/file/home.ts';
import { enclosingProject } from './enclosing-project.ts';

/** By then a program has done most of what it begins with. */
const SETTLED_MS = 2_000;

/** Commands that run much code of their own. What they run is kept for each. */
const KEPT_APART = ['doctor', 'init', 'fleet', 'run', 'start'];

/** `door`: by which the caller goes into a bundle with several. */
export function runCompiled(path: string, door?: string): unknown {
  const file = join(import.meta.dirname, path);
  const folder = dirname(file);
  const require = createRequire(file);
  const home = homeFolder(process.env, process.platform);
  // Where no loop was ever started, a command such as `--version` leaves nothing behind.
  if (!existsSync(home)) return require(file);
  // A child of a worker is killed when it is done, so it never comes to its exit.
  const later = (keep: () => void) => {
    const keepOnce = once(keep);
    process.once('exit', keepOnce);
    setTimeout(keepOnce, SETTLED_MS).unref();
  };
  // The current folder may be gone: the program says so.
  const project = attempt(enclosingProject, null) ?? '.';
  const command = KEPT_APART.find((name) => name === process.argv[2]) ?? '';
  const around = { folder, home, project, require, later, door: door && `${door}${command}` };
  return compiledRequire(around)(`./${basename(file)}`);
}
