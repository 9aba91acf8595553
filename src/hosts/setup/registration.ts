/** Adds Da Capo's hooks to settings, recognises hooks that look like ours, and removes them. Pure. */
import { isRecord } from '#base/shape.ts';
import { shellQuoted, shellUnquoted } from '#base/words/shell-quote.ts';
import type { Group, Handler, Registration } from '../port/command-line.ts';
import { jsonInKeyOrder } from '../tools/tools.ts';
import type { Settings } from './settings.ts';

/**
 * A program of ours at the end of a line: an argument, a shell line, or the longer one (`d=`) of older
 * versions. Anybody can write a line that looks like this, so it finds registrations to report, replace or
 * remove, and trusts none of them.
 */
const PROGRAM =
  /^(?:(?:d=.*exec )?node ['"])?(.*[\\/]plugin[\\/]dist[\\/](?:hook|wake)\.cjs)['"]?(?: guard)?$/s;

/** The script in front of it that `dacapo init` registers where there is a POSIX shell. */
const GUARD = /^.*[\\/]plugin[\\/]hook\.sh$/s;

/** How a shell starts a program of ours. Most hosts know only shell lines. */
export function shellLine(program: string, platform: string): string {
  return `node ${platform === 'win32' ? `"${program}"` : shellQuoted(program)}`;
}

/** False if `hooks` is not an object. */
export function canRegister(settings: Settings): boolean {
  const { hooks } = settings;
  return hooks === undefined || (isRecord(hooks) && Object.values(hooks).every(Array.isArray));
}

export function withHooks(settings: Settings, wanted: Registration): Settings {
  if (hasAll(settings, wanted)) return settings;
  const rest = withoutRecognised(settings, 'all');
  const hooks: Record<string, unknown> = { ...(isRecord(rest['hooks']) ? rest['hooks'] : {}) };
  for (const [event, groups] of wanted) hooks[event] = [...listOf(hooks[event]), ...groups];
  return { ...rest, hooks };
}

/**
 * Exactly our wanted hooks are there, each with its command. A time-out that a person has changed does not
 * count.
 */
function hasAll(settings: Settings, wanted: Registration): boolean {
  const have = recognisedIn(settings).map(identity).sort();
  const want = recognisedIn({ hooks: Object.fromEntries(wanted) })
    .map(identity)
    .sort();
  return have.length === want.length && have.every((one, at) => one === want[at]);
}

/** `stays`: the lists and objects that stay although they are empty now, as `placesIn` names them. */
export function withoutRecognised(settings: Settings, stays: 'all' | readonly string[]): Settings {
  const { hooks } = settings;
  if (!isRecord(hooks) || recognisedIn(settings).length === 0) return settings;
  const isKept = (place: string) => stays === 'all' || stays.includes(place);
  const left: Record<string, unknown> = {};
  for (const [event, groups] of Object.entries(hooks)) {
    const others = Array.isArray(groups) ? groups.flatMap(withoutOurs) : groups;
    const emptied = Array.isArray(others) && others.length === 0 && listOf(groups).length > 0;
    if (!emptied || isKept(event)) left[event] = others;
  }
  if (Object.keys(left).length > 0 || isKept(HOOKS)) return { ...settings, hooks: left };
  const { hooks: _, ...rest } = settings;
  return rest;
}

/**
 * The settings without what this very installation would write: `registered` for each event, compared whole.
 * Only a time-out that a person has changed does not count. Whatever else there is, however much it looks
 * like ours, stays.
 */
export function withoutInstalled(settings: Settings, registered: Registration): Settings {
  const { hooks, ...rest } = settings;
  if (!isRecord(hooks)) return settings;
  const left = Object.entries(hooks).filter(([event, groups]) => {
    const isOurs = isInstalled(registered, event);
    return !Array.isArray(groups) || !groups.every((group: unknown) => onlyHandlers(group).every(isOurs));
  });
  return left.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(left) };
}

/** Only what this very installation would write. */
export function onlyInstalled(settings: Settings, registered: Registration): Record<string, unknown> {
  const hooks = isRecord(settings['hooks']) ? settings['hooks'] : {};
  const events = Object.entries(hooks).map(([event, groups]) => {
    const isOurs = isInstalled(registered, event);
    return [event, listOf(groups).filter((group) => onlyHandlers(group).every(isOurs))] as const;
  });
  return Object.fromEntries(events.filter(([, groups]) => groups.length > 0));
}

function isInstalled(registered: Registration, event: string): (handler: unknown) => boolean {
  const ours = handlersOf(registered.get(event)).map(withoutTimeout);
  return (handler) => isRecord(handler) && ours.includes(withoutTimeout(handler));
}

function handlersOf(groups: readonly (Group | Handler)[] = []): Handler[] {
  return groupsOf(groups).flatMap(({ hooks }) => hooks);
}

/** A group that holds more than handlers and the calls that they are for counts as a handler itself. */
function onlyHandlers(group: unknown): unknown[] {
  if (!isRecord(group) || !Array.isArray(group['hooks'])) return [group];
  const { hooks, matcher: _, ...more } = group;
  return Object.keys(more).length === 0 ? hooks : [group];
}

function withoutTimeout({ timeout: _, ...handler }: Handler): string {
  return jsonInKeyOrder(handler);
}

/** Stands for the `hooks` object itself in the list of what was there before. */
const HOOKS = 'hooks:';

/** What must stay although it is empty, because it was there before. */
export function placesIn(settings: Settings): string[] {
  const { hooks } = settings;
  return isRecord(hooks) ? [HOOKS, ...Object.keys(hooks)] : [];
}

function withoutOurs(group: unknown): unknown[] {
  if (!isRecord(group) || !Array.isArray(group['hooks']))
    return recognisedProgram(group) === null ? [group] : [];
  const others = group['hooks'].filter((handler: unknown) => recognisedProgram(handler) === null);
  if (others.length === group['hooks'].length) return [group];
  return others.length === 0 ? [] : [{ ...group, hooks: others }];
}

export function onlyRecognised(settings: Settings): Record<string, unknown> {
  const events: Record<string, unknown[]> = {};
  for (const { event, matcher, handler } of recognisedIn(settings)) {
    const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [handler] };
    events[event] = [...(events[event] ?? []), group];
  }
  return events;
}

export interface RegisteredHandler {
  readonly event: string;
  /** Which group of this event, and which handler of the group. */
  readonly group: number;
  readonly at: number;
  readonly matcher: unknown;
  readonly program: string;
  readonly handler: Handler;
}

export function recognisedIn(settings: Settings): RegisteredHandler[] {
  const { hooks } = settings;
  if (!isRecord(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groupsOf(groups).flatMap(({ matcher, hooks: handlers }, group) =>
      handlers.flatMap((handler, at) => {
        const program = recognisedProgram(handler);
        return program === null ? [] : [{ event, group, at, matcher, program, handler }];
      }),
    ),
  );
}

/** The program of ours that a handler starts; null: it is someone else's. */
function recognisedProgram(handler: unknown): string | null {
  if (!isRecord(handler) || handler['type'] !== 'command') return null;
  const { command, args } = handler;
  if (typeof command !== 'string') return null;
  if (args === undefined) {
    const program = /^(?:d=|node )/.test(command) ? PROGRAM.exec(command)?.[1] : undefined;
    return program === undefined ? null : shellUnquoted(program);
  }
  if (!Array.isArray(args)) return null;
  if (command === '/bin/sh') return guardOf(args.map(String));
  return command === 'node' && args.length === 1 ? (PROGRAM.exec(String(args[0]))?.[1] ?? null) : null;
}

/**
 * Runs the script whose path is `$0` in this shell, with the words behind it. Where the script is gone, it
 * reads what the host writes and ends with 0: `/bin/sh FILE` would end with 2, by which a host blocks every
 * prompt.
 */
const IF_IT_IS_THERE = 'test -r "$0" || exec cat > /dev/null; . "$0"';

/** The arguments of `/bin/sh` that start the script in front of the hook. */
export function guardArgs(script: string, looksAt: string): string[] {
  return ['-c', IF_IT_IS_THERE, script, looksAt];
}

function guardOf(args: readonly string[]): string | null {
  const [script = '', looksAt = ''] = args.slice(-2);
  const isOurs = args.length === 2 || args.join('\0') === guardArgs(script, looksAt).join('\0');
  return isOurs ? (GUARD.exec(script)?.[0] ?? null) : null;
}

function identity({ event, matcher, handler }: RegisteredHandler): string {
  return JSON.stringify([event, matcher ?? null, handler['command'], handler['args'] ?? null]);
}

export function groupsOf(groups: unknown): Group[] {
  return listOf(groups).flatMap((group) => {
    if (!isRecord(group)) return [];
    if (!Array.isArray(group['hooks'])) return [{ hooks: [group] }];
    return [{ ...group, hooks: group['hooks'].filter(isRecord) }];
  });
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
