/**
 * The program that runs user code: it loads a project's config and asks its stop hooks. The supervisor starts
 * it with a file that holds the question. The answer is a file too: a line whenever a hook is asked, and one
 * at the end.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { errorMessage } from '#base/shape.ts';
import type { ConfigDescription, HooksOrder } from '#evidence/proofs/stop-hooks/process.ts';
import { bounded, CLOCK, evaluate, messageOfError, type Candidate } from '#surfaces/stop-hooks/evaluate.ts';
import { isFunction, type BareHook } from '#surfaces/stop-hooks/config/config-schema.ts';
import {
  moduleOf,
  readConfig,
  configWithDefaults,
  type ReadConfig,
  type ReadHook,
} from '#surfaces/stop-hooks/config/read-config.ts';
import { fromSpec, readSaved } from '#surfaces/stop-hooks/from-spec.ts';
import { hookLoading } from '#surfaces/stop-hooks/loading/hook-loading.ts';
import type { LoadedFiles } from '#surfaces/stop-hooks/loading/watch-loading.ts';
import { fromStopJs } from '#surfaces/stop-hooks/stop-js.ts';
import type { StopHook } from '#surfaces/stop-hooks/types.ts';

async function main(question: string): Promise<void> {
  const order = JSON.parse(readFileSync(question, 'utf8')) as HooksOrder;
  const say = (line: object) => appendFileSync(order.answer, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  let current: string | null = null;
  // An error thrown in a timer, or an unhandled rejection, appears in no result.
  process.on('uncaughtException', (error: unknown) => {
    process.stderr.write(`${inspect(error)}\n`);
    const who = current === null ? 'the config' : `stop hook ${current}`;
    say({
      is: 'failed',
      error: `${who} failed outside of its answer: ${messageOfError(error)}`,
      hook: current,
    });
    process.exit(1);
  });
  try {
    const path = order.config === null ? null : resolve(order.project, order.config);
    const loaded = path === null ? null : await watchCode(path, order);
    const config = path === null ? null : { path, ...(await loadConfig(path)) };
    if (order.context === null) {
      const described = describe(config, order);
      // Load them, so that a module that can't be loaded is found now and not at the first stop.
      // `dacapo trust` itself names a module that is missing.
      if (described.modules.every((module) => existsSync(resolve(order.project, module))))
        await ofConfig(config);
      // Imports that no module awaits are still on their way, and `dacapo trust` has to see them too.
      if (order.pins === null && loaded !== null) await new Promise((done) => setTimeout(done, UNAWAITED_MS));
      say({ ...described, loaded: loaded?.() ?? NOTHING });
    } else {
      // Written before a hook is asked, so that the parent process knows which one does not answer.
      const announced = ({ id, enabled, hook }: Candidate): Candidate => ({
        id,
        enabled,
        hook: (context) => {
          current = id;
          say({ is: 'asking', hook: id });
          return hook(context);
        },
      });
      const hooks = [...(await ofConfig(config)), ...readSaved(order.stored)].map(announced);
      const asked = await evaluate(hooks, order.context, CLOCK, order.timeoutMs);
      say({ is: 'evaluated', evaluation: bounded(asked) });
    }
  } catch (error) {
    say({ is: 'failed', error: messageOfError(error), hook: null });
  }
}

const UNAWAITED_MS = 200;
const NOTHING: LoadedFiles = { files: [], fields: [] };

type ConfigAt = ReadConfig & { readonly path: string };

/**
 * Returns null if there is no code to load. Most configs are data alone, and should not pay for the watch.
 */
async function watchCode(path: string, { project, pins }: HooksOrder): Promise<(() => LoadedFiles) | null> {
  const isData =
    path.endsWith('.json') && (await loadConfig(path)).hooks.every(({ hook }) => moduleOf(hook) === null);
  return isData ? null : hookLoading(project, pins);
}

function describe(
  config: ConfigAt | null,
  { project, stored }: HooksOrder,
): Omit<ConfigDescription, 'loaded'> {
  const own = readSaved(stored).map(({ id, metadata }) => ({
    name: id,
    of: typeof metadata['type'] === 'string' ? metadata['type'] : 'data',
  }));
  const { path: _, hooks, ...rest } = config ?? { path: '', ...configWithDefaults({}) };
  return {
    is: 'described',
    ...rest,
    hooks: [...hooks.map((hook) => ({ name: hook.name, of: sayHook(hook) })), ...own],
    modules: config === null ? [] : modulesOf(config, project),
  };
}

function sayHook({ hook, enabled }: ReadHook): string {
  const isData = typeof hook === 'object' && 'type' in hook;
  const inConfig = isData
    ? JSON.stringify(hook)
    : `a ${typeof hook === 'object' ? 'stop.js ' : ''}function in the config`;
  const what = moduleOf(hook) ?? inConfig;
  return enabled ? what : `${what} (disabled)`;
}

/** A module that can't be loaded fails the whole answer: a missing guard must not be skipped. */
async function ofConfig(config: ConfigAt | null): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const { name, enabled, hook } of config?.hooks ?? [])
    candidates.push({ id: name, enabled, hook: await loadHook(hook, config?.path ?? '') });
  return candidates;
}

// Loading a config and the modules that it lists. This runs user code.

/** Node itself reads TypeScript, by stripping the types. */
const TYPESCRIPT = ['.ts', '.mts', '.cts'];

async function loadConfig(path: string): Promise<ReadConfig> {
  return readConfig(path.endsWith('.json') ? readJson(path) : await loadDefault(path));
}

async function loadHook(hook: BareHook, configPath: string): Promise<StopHook> {
  if (typeof hook === 'function') return hook;
  if (typeof hook === 'string') return functionIn(resolve(dirname(configPath), hook));
  if ('type' in hook) return fromSpec(hook);
  const { stopJs } = hook;
  return fromStopJs(
    typeof stopJs === 'string' ? await functionIn(resolve(dirname(configPath), stopJs)) : stopJs,
  );
}

function modulesOf({ hooks, path }: ConfigAt, project: string): string[] {
  const modules = hooks.flatMap(({ hook }) => moduleOf(hook) ?? []);
  return modules.map((module) =>
    relative(project, resolve(dirname(path), module))
      .split(sep)
      .join('/'),
  );
}

// What a module exports is known, and checked, when it is called.
// oxlint-disable-next-line typescript/no-explicit-any
async function functionIn(path: string): Promise<(context: any) => any> {
  const value = await loadDefault(path);
  if (!isFunction(value))
    throw new TypeError(`${path} exports no function. Write module.exports = …, or export default …`);
  return value;
}

async function loadDefault(path: string): Promise<unknown> {
  const stripsTypes = 'typescript' in process.features && Boolean(process.features.typescript);
  if (TYPESCRIPT.includes(extname(path)) && !stripsTypes)
    throw new Error(
      `Node ${process.versions.node} does not read TypeScript. Use Node 22.18 or later (22.6 with ` +
        `NODE_OPTIONS=--experimental-strip-types), or write ${path.replace(/\.[cm]?ts$/, '.mjs')} ` +
        'instead.',
    );
  const loaded = (await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw explained(error, path);
  })) as { default?: unknown };
  const given = loaded.default;
  // What compilers make of `export default` in CommonJS.
  return typeof given === 'object' && given !== null && 'default' in given ? given.default : given;
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
        'the package dacapo is not installed in this project. Run `npm install --save-dev FOLDER` ' +
          'with the folder of Da Capo, or export a plain object without defineConfig.',
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

const [, , question] = process.argv;
// We exit explicitly: a hook that never answers may hold timers and sockets.
if (question !== undefined) void main(question).finally(() => process.exit(0));
