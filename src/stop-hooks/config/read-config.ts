/** A config in the form that our programs use: durations in milliseconds, a name for every hook. */
import { readConfigDuration } from '../../flags/values.ts';
import { isRecord } from '../../core/shape.ts';
import { USER_FIELDS } from '../../flags/user-fields.ts';
import { configSchema, NAME } from './config-schema.ts';
import type { BareHook, CheckConfig, Duration, HookEntry } from './config.ts';
import { assertFits, HookSpecError } from '../refusal.ts';

export interface ReadCheck {
  readonly name: string;
  readonly command: string;
  readonly timeoutMs: number | null;
}

export interface ReadHook {
  readonly name: string;
  readonly enabled: boolean;
  readonly hook: BareHook;
}

export interface ReadConfig {
  readonly checks: readonly ReadCheck[];
  readonly parallel: number | null;
  readonly checkTimeoutMs: number | null;
  readonly checksTimeoutMs: number | null;
  readonly hooks: readonly ReadHook[];
  readonly hookTimeoutMs: number | null;
  readonly hooksTimeoutMs: number | null;
  readonly approve: readonly string[];
  readonly approveDone: boolean;
  readonly approvalTimeoutMs: number | null;
  readonly approvalPolicy: 'file' | 'person';
}

/** More than any machine can use at once. */
const ALL_AT_ONCE = 64;

/** Throws a `HookSpecError` that says where the config is wrong, and what would be right. */
export function readConfig(value: unknown): ReadConfig {
  refuseOfUser(value);
  assertFits(configSchema, value, 'config');
  const { parallel = null } = value;
  const checks = Object.entries(value.checks ?? {}).map(([name, check]) => {
    const { command, timeout }: CheckConfig = typeof check === 'string' ? { command: check } : check;
    return { name, command: command.trim(), timeoutMs: milliseconds(timeout) };
  });
  const hooks = (value.hooks ?? []).map(readHook);
  const { approve = [], approveDone = false, approvalPolicy = 'file' } = value;
  if (checks.length + hooks.length + approve.length === 0)
    throw new HookSpecError('config', 'has neither a check nor a hook', 'Give it checks or hooks.');
  refuseTwice(checks);
  return {
    checks,
    parallel: typeof parallel === 'boolean' ? (parallel ? ALL_AT_ONCE : 1) : parallel,
    checkTimeoutMs: milliseconds(value.checkTimeout),
    checksTimeoutMs: milliseconds(value.checksTimeout),
    hooks: toldApart(hooks),
    hookTimeoutMs: milliseconds(value.hookTimeout),
    hooksTimeoutMs: milliseconds(value.hooksTimeout),
    approve: approve.map((rule) => rule.trim()),
    approveDone,
    approvalTimeoutMs: milliseconds(value.approvalTimeout),
    approvalPolicy,
  };
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

function refuseTwice(checks: readonly ReadCheck[]): void {
  const commands = checks.map(({ command }) => command);
  const twice = checks.find(({ command }, index) => commands.indexOf(command) < index);
  if (twice === undefined) return;
  throw new HookSpecError(
    `config.checks.${twice.name}`,
    'runs the same command as another check',
    'Leave one of them out.',
  );
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

function nameOf(hook: BareHook, index: number): string {
  const found =
    typeof hook === 'string'
      ? fileName(hook)
      : typeof hook === 'function'
        ? (specOf(hook) ?? hook.name)
        : 'type' in hook
          ? hook.type
          : typeof hook.stopJs === 'string'
            ? fileName(hook.stopJs)
            : hook.stopJs.name;
  return NAME.test(found) ? found : `hook-${index + 1}`;
}

/** A hook of the library carries its data. */
function specOf(hook: object): string | null {
  return 'spec' in hook && isRecord(hook.spec) && typeof hook.spec['type'] === 'string'
    ? hook.spec['type']
    : null;
}

function fileName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}
