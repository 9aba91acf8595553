/** Loads a config and the modules that it lists. This runs user code, so only the program in `runner.ts` does it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fromSpec } from './from-spec.ts';
import type { BareHook } from './config/config.ts';
import { isFunction } from './config/config-schema.ts';
import { moduleOf, readConfig, type ReadConfig } from './config/read-config.ts';
import { fromStopJs } from './stop-js.ts';
import type { StopHook } from './types.ts';
import { errorMessage } from '../core/thrown.ts';

/** Node itself reads TypeScript, by stripping the types. */
const TYPESCRIPT = ['.ts', '.mts', '.cts'];

/** Throws an error that says what is wrong, and what to do. */
export async function loadConfig(path: string): Promise<ReadConfig> {
  return readConfig(path.endsWith('.json') ? readJson(path) : await loadDefault(path));
}

/** The hook that an entry of the config at `configPath` describes. */
export async function loadHook(hook: BareHook, configPath: string): Promise<StopHook> {
  if (typeof hook === 'function') return hook;
  if (typeof hook === 'string') return functionIn(resolve(dirname(configPath), hook));
  if ('type' in hook) return fromSpec(hook);
  const { stopJs } = hook;
  return fromStopJs(
    typeof stopJs === 'string' ? await functionIn(resolve(dirname(configPath), stopJs)) : stopJs,
  );
}

/** The hook modules, relative to the project. */
export function modulesOf({ hooks }: ReadConfig, configPath: string, project: string): string[] {
  return hooks.flatMap(({ hook }) => {
    const path = moduleOf(hook);
    if (path === null) return [];
    return relative(project, resolve(dirname(configPath), path))
      .split(sep)
      .join('/');
  });
}

// oxlint-disable-next-line typescript/no-explicit-any -- what a module exports is known when it is called, and checked then
async function functionIn(path: string): Promise<(context: any) => any> {
  const value = await loadDefault(path);
  if (!isFunction(value))
    throw new TypeError(`${path} exports no function. Write module.exports = …, or export default …`);
  return value;
}

async function loadDefault(path: string): Promise<unknown> {
  if (TYPESCRIPT.includes(extname(path)) && !stripsTypes())
    throw new Error(
      `Node ${process.versions.node} does not read TypeScript. Use Node 22.18 or later (22.6 with NODE_OPTIONS=--experimental-strip-types), or write ${path.replace(/\.[cm]?ts$/, '.mjs')} instead.`,
    );
  const loaded = (await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw explained(error, path);
  })) as { default?: unknown };
  const given = loaded.default;
  // What compilers make of `export default` in CommonJS.
  return typeof given === 'object' && given !== null && 'default' in given ? given.default : given;
}

function stripsTypes(): boolean {
  return 'typescript' in process.features && Boolean(process.features.typescript);
}

function explained(error: unknown, path: string): unknown {
  if (error instanceof SyntaxError) return new Error(`${error.message}${placeOf(path)}`);
  // Most likely Da Capo is installed globally, and not in this project.
  const missing =
    error instanceof Error &&
    'code' in error &&
    error.code === 'ERR_MODULE_NOT_FOUND' &&
    /'dacapo'/.test(error.message);
  return missing
    ? new Error(
        'the package dacapo is not installed in this project. Run `npm install --save-dev FOLDER` with the folder of Da Capo, or export a plain object without defineConfig.',
      )
    : error;
}

/** Node does not say where a syntax error is when it imports a module, but `node --check` does. */
function placeOf(path: string): string {
  const checked = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8', timeout: 10_000 });
  const line = /^\S.*:(\d+)\r?$/m.exec(checked.status === 0 ? '' : (checked.stderr ?? ''))?.[1];
  return line === undefined ? '' : ` (${basename(path)}, line ${line})`;
}

function readJson(path: string): unknown {
  const content = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${errorMessage(error)}`);
  }
}
