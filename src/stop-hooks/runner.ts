/**
 * The program that runs user code: it loads a project's config and asks its stop hooks. It is started by the supervisor,
 * with a file that holds the question; the answer is a file too, a line whenever a hook is asked and one at the end.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import type { HookAccount as Accounted, HookEvaluation } from '../core/stop-hooks/account.ts';
import { harmless, headOf } from '../core/words/sanitize.ts';
import type { ConfigDescription, HooksOrder } from '../proofs/stop-hooks/process.ts';
import { type Candidate, evaluate, type Evaluation, type HookAccount, messageOf } from './evaluate.ts';
import { loadConfig, loadHook, modulesOf } from './load.ts';
import type { ReadConfig, ReadHook } from './read-config.ts';
import { readSaved } from './from-spec.ts';
import type { CheckpointData } from './types.ts';
import type { Loaded } from './watch-loading.ts';

const REASON = 1_000;
/** The continuation has room for as much. */
const NEXT_PROMPT = 4_000;
/** A checkpoint tells where the work stands; it is no backup. */
const CHECKPOINT = 256 * 1024;

async function main(question: string): Promise<void> {
  const order = JSON.parse(readFileSync(question, 'utf8')) as HooksOrder;
  const say = (line: object) => appendFileSync(order.answer, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  let current: string | null = null;
  // Thrown in a timer, or rejected where nobody waits: no result will tell of it.
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
      // Loaded, so that one that can't be is found out now and not at the first stop. One that is not there is named by
      // whoever pins them.
      if (described.modules.every((module) => existsSync(resolve(order.project, module))))
        await ofConfig(config, configPath);
      // Imports that no module waits for are on their way. At trust they are to be seen as well.
      if (order.pins === null && loaded !== null) await new Promise((done) => setTimeout(done, UNAWAITED_MS));
      say({ ...described, loaded: loaded?.() ?? NOTHING });
    } else {
      const hooks = [...(await ofConfig(config, configPath)), ...ofUser(order.stored)];
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
const NOTHING: Loaded = { files: [], fields: [] };

/** Null: there is no code to load. A config of data alone, which is most of them, does not pay for the watch. */
async function watchCode(configPath: string, { project, pins }: HooksOrder): Promise<(() => Loaded) | null> {
  if (
    configPath.endsWith('.json') &&
    modulesOf(await loadConfig(configPath), configPath, project).length === 0
  )
    return null;
  const { hookLoading } = await import('./hook-loading.ts');
  return hookLoading(project, pins);
}

const CLOCK = {
  now: () => Date.now(),
  after: (ms: number, callBack: () => void) => {
    const timer = setTimeout(callBack, ms);
    return () => clearTimeout(timer);
  },
};

function describe(
  config: ReadConfig | null,
  configPath: string | null,
  { project, stored }: HooksOrder,
): Omit<ConfigDescription, 'loaded'> {
  const own = readSaved(stored).map(({ id, metadata }) => ({
    name: id,
    of: typeof metadata['type'] === 'string' ? metadata['type'] : 'data',
  }));
  const { hooks, ...rest } = config ?? NO_CONFIG;
  return {
    is: 'described',
    ...rest,
    hooks: [...hooks.map((hook) => ({ name: hook.name, of: sayHook(hook) })), ...own],
    modules: config === null || configPath === null ? [] : modulesOf(config, configPath, project),
  };
}

const NO_CONFIG: ReadConfig = {
  checks: [],
  hooks: [],
  parallel: null,
  checkTimeoutMs: null,
  checksTimeoutMs: null,
  hookTimeoutMs: null,
  hooksTimeoutMs: null,
};

function sayHook({ hook, enabled }: ReadHook): string {
  const what =
    typeof hook === 'string'
      ? hook
      : typeof hook === 'function'
        ? 'a function in the config'
        : 'type' in hook
          ? JSON.stringify(hook)
          : typeof hook.stopJs === 'string'
            ? hook.stopJs
            : 'a stop.js function in the config';
  return enabled ? what : `${what} (disabled)`;
}

/** A module that can't be loaded ends it all: a guard that is not there must not be passed over. */
async function ofConfig(config: ReadConfig | null, configPath: string | null): Promise<Candidate[]> {
  if (config === null || configPath === null) return [];
  const candidates: Candidate[] = [];
  for (const { name, enabled, hook } of config.hooks)
    candidates.push({ id: name, enabled, hook: await loadHook(hook, configPath) });
  return candidates;
}

function ofUser(stored: readonly object[]): Candidate[] {
  return readSaved(stored).map(({ id, enabled, hook }) => ({ id, enabled, hook }));
}

/** Written before it is asked: whoever waits outside then knows which one does not answer. */
function announced({ hook, ...rest }: Candidate, asking: (hook: string) => void): Candidate {
  return {
    ...rest,
    hook: (context) => {
      asking(rest.id);
      return hook(context);
    },
  };
}

function bounded(asked: Evaluation): HookEvaluation {
  return {
    hook: asked.hookId,
    action: asked.action,
    reason: cut(asked.reason, REASON),
    next: asked.nextPrompt === undefined ? null : cut(asked.nextPrompt, NEXT_PROMPT),
    account: asked.account.map(accounted),
    checkpoints: asked.checkpoints.map(({ hookId, data }) => ({ hook: hookId, data: plain(data, hookId) })),
  };
}

function accounted(account: HookAccount): Accounted {
  if (!('result' in account)) return { hook: account.hookId, is: account.is };
  const { hookId, is, ms, result } = account;
  return { hook: hookId, is, action: result.action, reason: cut(result.reason, REASON), ms: Math.round(ms) };
}

function plain(data: CheckpointData, hook: string): Record<string, unknown> {
  const written = JSON.stringify(data);
  if (written.length > CHECKPOINT)
    throw new Error(`the checkpoint of stop hook ${hook} is larger than ${CHECKPOINT / 1024} KB`);
  return JSON.parse(written) as Record<string, unknown>;
}

function cut(text: string, most: number): string {
  const clean = harmless(text);
  return clean.length > most ? `${headOf(clean, most - 1)}…` : clean;
}

const [, , question] = process.argv;
// Not left to end by itself: a hook that never answers may hold timers and sockets.
if (question !== undefined) void main(question).finally(() => process.exit(0));
