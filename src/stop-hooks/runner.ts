/**
 * The program that runs user code: it loads a project's config and asks its stop hooks. The supervisor starts it with a
 * file that holds the question. The answer is a file too: a line whenever a hook is asked, and one at the end.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import type { ConfigDescription, HooksOrder } from '../proofs/stop-hooks/process.ts';
import { bounded, CLOCK, evaluate, messageOf, type Candidate } from './evaluate.ts';
import { loadConfig, loadHook, modulesOf } from './load.ts';
import { moduleOf, withDefaults, type ReadConfig, type ReadHook } from './config/read-config.ts';
import { readSaved } from './from-spec.ts';
import { hookLoading } from './loading/hook-loading.ts';
import type { LoadedFiles } from './loading/watch-loading.ts';

async function main(question: string): Promise<void> {
  const order = JSON.parse(readFileSync(question, 'utf8')) as HooksOrder;
  const say = (line: object) => appendFileSync(order.answer, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  let current: string | null = null;
  // An error thrown in a timer, or an unhandled rejection, appears in no result.
  process.on('uncaughtException', (error: unknown) => {
    process.stderr.write(`${inspect(error)}\n`);
    const who = current === null ? 'the config' : `stop hook ${current}`;
    say({ is: 'failed', error: `${who} failed outside of its answer: ${messageOf(error)}`, hook: current });
    process.exit(1);
  });
  try {
    const configPath = order.config === null ? null : resolve(order.project, order.config);
    const loaded = configPath === null ? null : await watchCode(configPath, order);
    const config = configPath === null ? null : await loadConfig(configPath);
    if (order.context === null) {
      const described = describe(config, configPath, order);
      // Load them, so that a module that can't be loaded is found now and not at the first stop. `dacapo trust` itself
      // names a module that is missing.
      if (described.modules.every((module) => existsSync(resolve(order.project, module))))
        await ofConfig(config, configPath);
      // Imports that no module awaits are still on their way, and `dacapo trust` has to see them too.
      if (order.pins === null && loaded !== null) await new Promise((done) => setTimeout(done, UNAWAITED_MS));
      say({ ...described, loaded: loaded?.() ?? NOTHING });
    } else {
      const hooks = [...(await ofConfig(config, configPath)), ...readSaved(order.stored)];
      const asking = (hook: string) => {
        current = hook;
        say({ is: 'asking', hook });
      };
      const asked = await evaluate(
        hooks.map((hook) => announced(hook, asking)),
        order.context,
        CLOCK,
        order.timeoutMs,
      );
      say({ is: 'evaluated', evaluation: bounded(asked) });
    }
  } catch (error) {
    say({ is: 'failed', error: messageOf(error), hook: null });
  }
}

const UNAWAITED_MS = 200;
const NOTHING: LoadedFiles = { files: [], fields: [] };

/** Returns null if there is no code to load. Most configs are data alone, and should not pay for the watch. */
async function watchCode(
  configPath: string,
  { project, pins }: HooksOrder,
): Promise<(() => LoadedFiles) | null> {
  if (
    configPath.endsWith('.json') &&
    modulesOf(await loadConfig(configPath), configPath, project).length === 0
  )
    return null;
  return hookLoading(project, pins);
}

function describe(
  config: ReadConfig | null,
  configPath: string | null,
  { project, stored }: HooksOrder,
): Omit<ConfigDescription, 'loaded'> {
  const own = readSaved(stored).map(({ id, metadata }) => ({
    name: id,
    of: typeof metadata['type'] === 'string' ? metadata['type'] : 'data',
  }));
  const { hooks, ...rest } = config ?? withDefaults({});
  return {
    is: 'described',
    ...rest,
    hooks: [...hooks.map((hook) => ({ name: hook.name, of: sayHook(hook) })), ...own],
    modules: config === null || configPath === null ? [] : modulesOf(config, configPath, project),
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
async function ofConfig(config: ReadConfig | null, configPath: string | null): Promise<Candidate[]> {
  if (config === null || configPath === null) return [];
  const candidates: Candidate[] = [];
  for (const { name, enabled, hook } of config.hooks)
    candidates.push({ id: name, enabled, hook: await loadHook(hook, configPath) });
  return candidates;
}

/** Written before the hook is asked, so that the parent process knows which hook does not answer. */
function announced({ hook, ...rest }: Candidate, asking: (hook: string) => void): Candidate {
  return {
    ...rest,
    hook: (context) => {
      asking(rest.id);
      return hook(context);
    },
  };
}

const [, , question] = process.argv;
// We exit explicitly: a hook that never answers may hold timers and sockets.
if (question !== undefined) void main(question).finally(() => process.exit(0));
