/**
 * The strict reader of a config. What it does not know is an error that names the nearest known word: a check whose name
 * was mistyped, and which was therefore passed over, would prove nothing.
 */
import { readDuration } from '../flags/values.ts';
import { nearest } from '../flags/did-you-mean.ts';
import { HookSpecError } from './check-spec.ts';
import type { BareHook, DacapoConfig } from './config.ts';
import { fromSpec } from './from-spec.ts';
import { isRecord, named } from './result.ts';

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
}

/** More at once than any machine wants. */
const ALL_AT_ONCE = 64;
/** It stands in lines of status and in file names. */
const NAME = /^[\w.:@/ -]{1,60}$/;

const KEYS: readonly (keyof DacapoConfig)[] = [
  '$schema',
  'checks',
  'parallel',
  'checkTimeout',
  'checksTimeout',
  'hooks',
  'hookTimeout',
  'hooksTimeout',
];

/** Throws a `HookSpecError` that says where the config is wrong, and what would be right. */
export function readConfig(value: unknown): ReadConfig {
  if (!isRecord(value)) throw wrong('config', 'an object', value);
  knownKeys(value, KEYS, 'config');
  const checks = readChecks(value['checks']);
  const hooks = readHooks(value['hooks']);
  if (checks.length === 0 && hooks.length === 0)
    throw new HookSpecError('config', 'has neither a check nor a hook', 'Give it checks or hooks.');
  return {
    checks,
    parallel: readParallel(value['parallel']),
    checkTimeoutMs: duration(value['checkTimeout'], 'config.checkTimeout'),
    checksTimeoutMs: duration(value['checksTimeout'], 'config.checksTimeout'),
    hooks,
    hookTimeoutMs: duration(value['hookTimeout'], 'config.hookTimeout'),
    hooksTimeoutMs: duration(value['hooksTimeout'], 'config.hooksTimeout'),
  };
}

function readChecks(value: unknown): ReadCheck[] {
  if (value === undefined) return [];
  if (!isRecord(value)) throw wrong('config.checks', 'an object: names, and what is run', value);
  const checks = Object.entries(value).map(([name, check]) => readCheck(name, check));
  const twice = checks.find(
    ({ command }, index) => checks.findIndex((one) => one.command === command) < index,
  );
  if (twice !== undefined)
    throw new HookSpecError(
      `config.checks.${twice.name}`,
      'runs the same command as another check',
      'Leave one of them out.',
    );
  return checks;
}

function readCheck(name: string, value: unknown): ReadCheck {
  const path = `config.checks.${name}`;
  if (!NAME.test(name))
    throw new HookSpecError(path, 'is no name', 'Use letters, digits and -_.:@/, up to 60 of them.');
  if (typeof value === 'string') return { name, command: command(value, path), timeoutMs: null };
  if (!isRecord(value)) throw wrong(path, 'a command, or { command, timeout }', value);
  knownKeys(value, ['command', 'timeout'], path);
  return {
    name,
    command: command(value['command'], `${path}.command`),
    timeoutMs: duration(value['timeout'], `${path}.timeout`),
  };
}

function command(value: unknown, path: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw wrong(path, 'a command', value);
  return value.trim();
}

function readParallel(value: unknown): number | null {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? ALL_AT_ONCE : 1;
  if (Number.isSafeInteger(value) && Number(value) > 0) return Number(value);
  throw wrong('config.parallel', 'true, false or a whole number from 1', value);
}

function duration(value: unknown, path: string): number | null {
  if (value === undefined) return null;
  const given = typeof value === 'number' ? String(value) : value;
  const read = typeof given === 'string' ? readDuration(given) : null;
  if (read?.ok) return read.value;
  throw wrong(path, 'a duration such as 90s, 15m or 1h30m, or a number of seconds', value);
}

function readHooks(value: unknown): ReadHook[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw wrong('config.hooks', 'a list of hooks', value);
  const hooks = value.map((entry: unknown, index) => readHook(entry, index));
  // The name is what an account, a metric and a checkpoint go by.
  const seen = new Map<string, number>();
  return hooks.map((hook) => {
    const before = seen.get(hook.name) ?? 0;
    seen.set(hook.name, before + 1);
    return before === 0 ? hook : { ...hook, name: `${hook.name}-${before + 1}` };
  });
}

function readHook(entry: unknown, index: number): ReadHook {
  const path = `config.hooks[${index}]`;
  if (!isRecord(entry) || !('hook' in entry) || 'type' in entry) {
    const hook = readBare(entry, path);
    return { name: nameOf(hook, index), enabled: true, hook };
  }
  knownKeys(entry, ['name', 'enabled', 'hook'], path);
  const { name, enabled = true } = entry;
  if (name !== undefined && (typeof name !== 'string' || !NAME.test(name)))
    throw wrong(`${path}.name`, 'a short name', name);
  if (typeof enabled !== 'boolean') throw wrong(`${path}.enabled`, 'true or false', enabled);
  const hook = readBare(entry['hook'], `${path}.hook`);
  return { name: name ?? nameOf(hook, index), enabled, hook };
}

function readBare(value: unknown, path: string): BareHook {
  if (isFunction(value)) return value;
  if (typeof value === 'string') {
    if (value.trim() === '') throw wrong(path, 'the path of a module', value);
    return value;
  }
  if (isRecord(value) && 'stopJs' in value) {
    knownKeys(value, ['stopJs'], path);
    const { stopJs } = value;
    if (typeof stopJs === 'string' || isFunction(stopJs)) return { stopJs };
    throw wrong(`${path}.stopJs`, 'the path of a stop.js file', stopJs);
  }
  // Throws where it is wrong; the data itself is what is kept.
  fromSpec(value, path);
  return value as BareHook;
}

/** Of a function nothing can be seen but that it is one: what it returns is read strictly. */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export function isFunction(value: unknown): value is (context: any) => any {
  return typeof value === 'function';
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

/** A hook of the library knows its data. */
function specOf(hook: object): string | null {
  return 'spec' in hook && isRecord(hook.spec) && typeof hook.spec['type'] === 'string'
    ? hook.spec['type']
    : null;
}

function fileName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

function knownKeys(value: Record<string, unknown>, known: readonly string[], path: string): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const meant = nearest(key, known);
    const next = `${meant === null ? '' : `Did you mean ${meant}? `}It has: ${known.join(', ')}.`;
    throw new HookSpecError(`${path}.${key}`, 'is not known', next);
  }
}

function wrong(path: string, wanted: string, value: unknown): HookSpecError {
  return new HookSpecError(path, `is ${named(value)}`, `It must be ${wanted}.`);
}
