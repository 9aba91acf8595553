/**
 * The compiled code of our programs (src/store/file/compiled.ts), made once for all tests. In a new home each
 * program would compile itself twice, which takes as long as all else that it does.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Script } from 'node:vm';
import { nameOfCode, wrapModule } from '#store/file/compiled.ts';
import { keepCompiled } from '#store/file/keep-compiled.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** The home that has the code. Set before all tests, for all of their processes. */
const WARM = 'DACAPO_TEST_WARM_HOME';

export function compilePrograms(home: string): void {
  // Of the command line only what has run is kept, and only the second run keeps it.
  const env = { ...process.env, DACAPO_HOME: home };
  for (const command of ['status', 'doctor', 'run', 'start', 'status', 'doctor', 'run', 'start'])
    spawnSync(process.execPath, [join(ROOT, 'dist/cli.cjs'), command], { cwd: home, env });
  for (const program of compiledFiles()) {
    const kept = join(home, 'cache', nameOfCode(program));
    const source = readFileSync(program);
    const wrapped = wrapModule(source);
    const script = new Script(wrapped);
    for (let run = existsSync(kept) ? 2 : 0; run < 2; run++) keepCompiled(kept, script, wrapped, source);
  }
  process.env[WARM] = home;
}

function compiledFiles(): string[] {
  const plugin = join(ROOT, 'plugin/dist');
  return readdirSync(plugin)
    .filter((name) => name.endsWith('.cjs'))
    .map((name) => join(plugin, name));
}

/** Makes a home that has seen our programs before. It gets links: what is kept is replaced, never written. */
export function warmHome(home: string): void {
  const warm = process.env[WARM];
  if (warm === undefined) return;
  const [from, to] = [join(warm, 'cache'), join(home, 'cache')];
  if (existsSync(to)) return;
  mkdirSync(to, { recursive: true, mode: 0o700 });
  // On another disk, where no link can be: it compiles.
  if (statSync(to).dev !== statSync(from).dev) return;
  for (const name of readdirSync(from)) linkSync(join(from, name), join(to, name));
}
