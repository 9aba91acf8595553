/** Adds Da Capo's hooks to settings, recognises them, and removes them. Pure. */
import { isRecord } from '../../../core/shape.ts';
import { shellUnquoted, shellQuoted } from '../../../core/words/shell-quote.ts';
import type { Settings } from './settings.ts';

type Handler = Readonly<Record<string, unknown>>;
interface Group {
  readonly matcher?: unknown;
  readonly hooks: readonly Handler[];
}
export type Registration = ReadonlyMap<string, readonly Group[]>;

const PLUGIN_ROOT = '${CLAUDE_PLUGIN_ROOT}';
/** A program of ours at the end of a line: an argument, or a guarded shell line. */
const PROGRAM = /^(?:.*exec node ')?(.*[\\/]plugin[\\/]dist[\\/](?:hook|wake)\.cjs)'?$/s;

/** The plugin's own `hooks.json` with this folder filled in, so that both ways to install share one list of events. */
export function registrationIn(hooksFile: unknown, plugin: string, guardFor: string | null): Registration {
  const events = isRecord(hooksFile) ? hooksFile['hooks'] : null;
  if (!isRecord(events)) throw new Error("the plugin's hooks.json has no hooks");
  return new Map(
    Object.entries(events).map(([event, groups]) => [
      event,
      groupsOf(groups).map((group) => {
        // A call that starts a loop is heard in a session without one.
        const guard = String(group.matcher).includes('_start') ? null : guardFor;
        return { ...group, hooks: group.hooks.map((handler) => settled(event, handler, plugin, guard)) };
      }),
    ]),
  );
}

function settled(event: string, handler: Handler, plugin: string, guardFor: string | null): Handler {
  const args = Array.isArray(handler['args']) ? handler['args'].map(String) : [];
  const inPlace = args.map((arg) => arg.replace(PLUGIN_ROOT, plugin));
  if (guardFor === null || !isGuarded(event)) return { ...handler, args: inPlace };
  const { args: _, ...rest } = handler;
  return { ...rest, command: guardLine(event, inPlace[0] ?? '', guardFor) };
}

/** False if `hooks` is not an object. */
export function canRegister(settings: Settings): boolean {
  const { hooks } = settings;
  return hooks === undefined || (isRecord(hooks) && Object.values(hooks).every(Array.isArray));
}

export function withHooks(settings: Settings, wanted: Registration): Settings {
  if (hasAll(settings, wanted)) return settings;
  const rest = withoutHooks(settings, 'all');
  const hooks: Record<string, unknown> = { ...(isRecord(rest['hooks']) ? rest['hooks'] : {}) };
  for (const [event, groups] of wanted) hooks[event] = [...listOf(hooks[event]), ...groups];
  return { ...rest, hooks };
}

/** Exactly our wanted hooks are there, each with its command. A time-out that a person has changed does not count. */
function hasAll(settings: Settings, wanted: Registration): boolean {
  const have = handlersIn(settings).map(identity).sort();
  const want = handlersOf(wanted).map(identity).sort();
  return have.length === want.length && have.every((one, at) => one === want[at]);
}

/** `stays`: the lists and objects that stay although they are empty now, as `placesIn` names them. */
export function withoutHooks(settings: Settings, stays: 'all' | readonly string[]): Settings {
  const { hooks } = settings;
  if (!isRecord(hooks) || handlersIn(settings).length === 0) return settings;
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

/** Stands for the `hooks` object itself in the list of what was there before. */
const HOOKS = 'hooks:';

/** What must stay although it is empty, because it was there before. */
export function placesIn(settings: Settings): string[] {
  const { hooks } = settings;
  return isRecord(hooks) ? [HOOKS, ...Object.keys(hooks)] : [];
}

function withoutOurs(group: unknown): unknown[] {
  if (!isRecord(group) || !Array.isArray(group['hooks'])) return [group];
  const others = group['hooks'].filter((handler: unknown) => programOf(handler) === null);
  if (others.length === group['hooks'].length) return [group];
  return others.length === 0 ? [] : [{ ...group, hooks: others }];
}

export function onlyOurHooks(settings: Settings): Record<string, unknown> {
  const events: Record<string, unknown[]> = {};
  for (const { event, matcher, handler } of handlersIn(settings)) {
    const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [handler] };
    events[event] = [...(events[event] ?? []), group];
  }
  return events;
}

export interface RegisteredHandler {
  readonly event: string;
  readonly matcher: unknown;
  readonly program: string;
  readonly handler: Handler;
}

export function handlersIn(settings: Settings): RegisteredHandler[] {
  const { hooks } = settings;
  if (!isRecord(hooks)) return [];
  return handlersOf(Object.entries(hooks).map(([event, groups]) => [event, groupsOf(groups)]));
}

function handlersOf(events: Iterable<readonly [string, readonly Group[]]>): RegisteredHandler[] {
  return [...events].flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks }) =>
      hooks.flatMap((handler) => {
        const program = programOf(handler);
        return program === null ? [] : [{ event, matcher, program, handler }];
      }),
    ),
  );
}

/** The program of ours that a handler starts; null: it is someone else's. */
function programOf(handler: unknown): string | null {
  if (!isRecord(handler) || handler['type'] !== 'command') return null;
  const { command, args } = handler;
  if (typeof command !== 'string') return null;
  if (args === undefined) {
    const program = command.startsWith('d=') ? PROGRAM.exec(command)?.[1] : undefined;
    return program === undefined ? null : shellUnquoted(program);
  }
  if (command !== 'node' || !Array.isArray(args) || args.length !== 1) return null;
  return PROGRAM.exec(String(args[0]))?.[1] ?? null;
}

function identity({ event, matcher, handler }: RegisteredHandler): string {
  return JSON.stringify([event, matcher ?? null, handler['command'], handler['args'] ?? null]);
}

function groupsOf(groups: unknown): Group[] {
  return listOf(groups).flatMap((group) => {
    if (!isRecord(group) || !Array.isArray(group['hooks'])) return [];
    return [{ ...group, hooks: group['hooks'].filter(isRecord) }];
  });
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export type GuardedEvent = 'Stop' | 'UserPromptSubmit' | 'PreToolUse';

function isGuarded(event: string): event is GuardedEvent {
  return event === 'Stop' || event === 'UserPromptSubmit' || event === 'PreToolUse';
}

/** `program` replaces the shell, so its stdin, stdout and exit code go directly to the host. */
export function guardLine(event: GuardedEvent, program: string, platform: string): string {
  const owned = `[ -e "$d/sessions/$CLAUDE_CODE_SESSION_ID" ]`;
  const other = {
    Stop: `[ -e "\${CLAUDE_PROJECT_DIR:-.}/.claude/ralph-loop.local.md" ]`,
    // A loop that waits for its first prompt. A pattern without a match stays as it is written, and no such file exists.
    UserPromptSubmit: `{ set -- "$d"/ready/*; [ -e "$1" ]; }`,
    // A tool call concerns only a session with a loop.
    PreToolUse: 'false',
  }[event];
  return `${home(platform)}; ${NOWHERE} || ${owned} || ${other} || exit 0; exec node ${shellQuoted(program)}`;
}

/** Without HOME the program asks the system for the user's folder. A shell can't, so it starts the program. */
const NOWHERE = '[ -z "$HOME$DACAPO_HOME" ]';

/** Sets `d`. Relative paths are ignored. */
function home(platform: string): string {
  const states =
    platform === 'darwin'
      ? 'd="$HOME/Library/Application Support"'
      : 'd=$XDG_STATE_HOME; case $d in /*) ;; *) d=$HOME/.local/state ;; esac';
  return `${states}; d=$d/dacapo; case $DACAPO_HOME in /*) d=$DACAPO_HOME ;; esac`;
}
