/** A config in the form that our programs use: durations in milliseconds, a name for every hook. */
import { readConfigDuration, readReviewer, readTarget } from '#input/values.ts';
import { isRecord } from '#base/shape.ts';
import { USER_FIELDS } from '#input/config/user-fields.ts';
import type { ConfigDescription } from '#evidence/proofs/stop-hooks/process.ts';
import {
  configSchema,
  HOOK_NAME,
  type BareHook,
  type DacapoConfig,
  type Duration,
  type HookEntry,
  type MeasureConfig,
  type NamedHook,
} from './config-schema.ts';
import type { Goal } from '#law/record/definition.ts';
import { assertFits, HookSpecError } from '../spec.ts';

export type ReadHook = Required<NamedHook>;

/** What the config holds, except for its hooks as `runner.ts` describes it to the program that asked. */
export interface ReadConfig extends Omit<ConfigDescription, 'is' | 'hooks' | 'modules' | 'loaded'> {
  readonly hooks: readonly ReadHook[];
}

/** More than any machine can use at once. */
const MAX_HOOKS_AT_ONCE = 64;

/** Throws a `HookSpecError` that says where the config is wrong, and what would be right. */
export function readConfig(value: unknown): ReadConfig {
  refuseOfUser(value);
  assertFits(configSchema, value, 'config');
  const read = configWithDefaults(value);
  const gates = [read.checks, read.measures, read.hooks, read.approve].flat();
  if (gates.length === 0 && read.reviewers.length === 0)
    throw new HookSpecError('config', 'has neither a check nor a hook', 'Give it checks or hooks.');
  const commands = read.checks.map(({ command }) => command);
  const twice = read.checks.find(({ command }, index) => commands.indexOf(command) < index);
  if (twice === undefined) return read;
  throw new HookSpecError(
    `config.checks.${twice.name}`,
    'runs the same command as another check',
    'Leave one of them out.',
  );
}

export function configWithDefaults(config: DacapoConfig): ReadConfig {
  const { parallel = null, approve = [], approveDone = false, approvalPolicy = 'file' } = config;
  // The schema has already refused anything else.
  const reviewers = [config.review ?? []].flat().map(readReviewer);
  return {
    checks: commandsIn(config.checks).map(({ keep: _, target: __, ...check }) => check),
    measures: commandsIn(config.measures),
    parallel: typeof parallel === 'boolean' ? (parallel ? MAX_HOOKS_AT_ONCE : 1) : parallel,
    checkTimeoutMs: milliseconds(config.checkTimeout),
    checksTimeoutMs: milliseconds(config.checksTimeout),
    recheckMs: milliseconds(config.recheck),
    hooks: toldApart((config.hooks ?? []).map(readHook)),
    hookTimeoutMs: milliseconds(config.hookTimeout),
    hooksTimeoutMs: milliseconds(config.hooksTimeout),
    approve: approve.map((rule) => rule.trim()),
    approveDone,
    approvalTimeoutMs: milliseconds(config.approvalTimeout),
    approvalPolicy,
    reviewers: reviewers.flatMap((reviewer) => (reviewer.ok ? [reviewer.value] : [])),
    maxReviews: config.maxReviews ?? null,
  };
}

/** Checks or measures. Either may be written as its command alone. */
function commandsIn(entries: Readonly<Record<string, string | MeasureConfig>> = {}) {
  return Object.entries(entries).map(([name, entry]) => {
    const written: MeasureConfig = typeof entry === 'string' ? { command: entry } : entry;
    const { command, timeout, keep = false, target } = written;
    return {
      name,
      command: command.trim(),
      timeoutMs: milliseconds(timeout),
      keep,
      target: goalOf(target),
    };
  });
}

/** The schema has already refused anything that is not a goal. */
function goalOf(target: string | undefined): Goal | null {
  const read = target === undefined ? null : readTarget(`it ${target}`);
  return read?.ok ? { is: read.value.is, bound: read.value.bound } : null;
}

function refuseOfUser(value: unknown): void {
  const field = isRecord(value) ? USER_FIELDS.find((name) => Object.hasOwn(value, name)) : undefined;
  if (field === undefined) return;
  throw new HookSpecError(
    `config.${field}`,
    'is for the config of a person, not of a project',
    'Put it into config.json of your own Da Capo folder; dacapo notify shows where that is.',
  );
}

/** The schema has already refused anything that is not a duration. */
function milliseconds(duration: Duration | undefined): number | null {
  const read = duration === undefined ? null : readConfigDuration(duration);
  return read?.ok ? read.value : null;
}

function readHook(entry: HookEntry, index: number): ReadHook {
  if (typeof entry !== 'object' || !('hook' in entry) || 'type' in entry)
    return { name: nameOf(entry, index), enabled: true, hook: entry };
  const { hook, enabled = true, name = nameOf(hook, index) } = entry;
  return { name, enabled, hook };
}

/** Names must be unique: accounts, metrics and checkpoints refer to a hook by its name. */
function toldApart(hooks: readonly ReadHook[]): ReadHook[] {
  const seen = new Map<string, number>();
  return hooks.map((hook) => {
    const before = seen.get(hook.name) ?? 0;
    seen.set(hook.name, before + 1);
    return before === 0 ? hook : { ...hook, name: `${hook.name}-${before + 1}` };
  });
}

/** The module that a hook is in, relative to the config; null: it is in the config itself. */
export function moduleOf(hook: BareHook): string | null {
  const path = typeof hook === 'object' && 'stopJs' in hook ? hook.stopJs : hook;
  return typeof path === 'string' ? path : null;
}

function nameOf(hook: BareHook, index: number): string {
  const found = moduleOf(hook)?.split(/[/\\]/).at(-1) ?? nameInConfig(hook);
  return HOOK_NAME.test(found) ? found : `hook-${index + 1}`;
}

/** A hook of the library carries its data. */
function nameInConfig(hook: BareHook): string {
  const spec: unknown = typeof hook === 'function' && 'spec' in hook ? hook.spec : hook;
  if (isRecord(spec) && typeof spec['type'] === 'string') return spec['type'];
  const own = typeof hook === 'object' && 'stopJs' in hook ? hook.stopJs : hook;
  return typeof own === 'function' ? own.name : '';
}
