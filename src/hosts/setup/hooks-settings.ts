/**
 * The settings of a host that takes our hooks from a JSON file, by data: where it is, which events, what else
 * to know.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '#base/files/read.ts';
import type { HostSettings, Scope, SettingsOrder } from '../port/command-line.ts';
import { EVENTS, eventFor, type HookKind } from '../kit/claude-like-hooks.ts';
import { ok, problem, warning, type Finding, type SettingsPlace } from '../port/headless.ts';
import type { OtherNames } from '../tables/names.ts';
import { installing, type HooksFile, type Installing } from './install.ts';
import { recognisedIn, shellLine, type RegisteredHandler } from './registration.ts';
import { saySettingsFault, settingsIn } from './settings.ts';

export function hookIn(plugin: string): string {
  return join(plugin, 'dist', 'hook.cjs');
}

/** The shell script in front of it: it starts Node only where a loop may be concerned. */
export function guardIn(plugin: string): string {
  return join(plugin, 'hook.sh');
}

/** In seconds. A session's end must not hold up the terminal, and Codex cuts the time there. */
export function timeoutOf(event: string): number {
  return event === 'SessionEnd' ? 3 : 600;
}

function registrationOf({ events = EVENTS, milliseconds, guards }: HooksHost, order: Installing) {
  const line = shellLine(hookIn(order.plugin), order.place.platform);
  const handler = (event: string) => {
    const command = guards === true && events[event] === 'tool' ? `${line} guard` : line;
    return { type: 'command', command, timeout: timeoutOf(event) * (milliseconds === true ? 1000 : 1) };
  };
  return new Map(Object.keys(events).map((event) => [event, [{ hooks: [handler(event)] }]]));
}

export function folderOf({ folder, home }: OtherNames, scope: Scope, place: SettingsPlace): string {
  return scope === 'user' ? home(place.env) : join(place.project, folder);
}

export interface FoundHook {
  readonly path: string;
  readonly hooks: readonly RegisteredHandler[];
}

interface HooksHost extends Pick<HooksFile, 'extra'> {
  /** The names that lead to the file, in its folder. */
  readonly file: readonly string[];
  readonly events?: Readonly<Record<string, HookKind>>;
  readonly milliseconds?: boolean;
  /** Tool calls are heard in passes of `dacapo run`, too, where a pass can't bring the guard along. */
  readonly guards?: boolean;
  findings?(found: FoundHook, place: SettingsPlace): Finding[];
  /** What the person has to know or do after `dacapo init`, with hooks in the file at this path. */
  after?(path: string): Finding[];
  /**
   * What follows where it reads the hooks of a project only in a folder that the person trusts. Absent: it
   * reads any.
   */
  readonly trust?: string;
  /** The command that brings the tools of Da Capo to its agents. */
  readonly mcp: string;
}

export const SCOPES: readonly Scope[] = ['user', 'project'];

export function hooksSettings(names: OtherNames, host: HooksHost): HostSettings {
  const { title, name } = names;
  const again = `Run \`dacapo init --host ${name}\` again.`;
  const along = host.guards === true ? '' : '; dacapo start and dacapo run add it themselves';
  const none = `No hook is registered for ${title}. dacapo init --host ${name} adds it${along}`;
  const trusted =
    `${title} reads the hooks of a project only where you trust the folder: it asks at its ` +
    `start${host.trust}`;
  const pathOf = (scope: Scope, place: SettingsPlace) => join(folderOf(names, scope, place), ...host.file);
  const found = (place: SettingsPlace) =>
    SCOPES.flatMap((scope): Finding[] => {
      const path = pathOf(scope, place);
      const settings = settingsIn(path);
      if (settings === null) return [problem('settings', `${path} ${faultAt(path)}.`, 'Fix it.')];
      const hooks = recognisedIn(settings);
      if (hooks.length === 0) return [];
      return [
        handlersFinding(path, hooks, eventFor(host.events ?? EVENTS, 'stop'), again),
        ...(host.findings?.({ path, hooks }, place) ?? []),
      ];
    });
  return {
    ...installing({
      title,
      path: pathOf,
      registration: (order) => registrationOf(host, order),
      ...(host.extra && { extra: host.extra }),
    }),
    registrationFindings: (place) => foundOr(none, found(place)),
    installFindings: (order) => [
      ...temporaryFindings(order),
      ...(host.after?.(pathOf(order.scope, order.place)) ?? []),
      ...(host.trust === undefined || order.scope === 'user' ? [] : [ok('folder', trusted)]),
      ok('mcp', `The tools of Da Capo for its agents: ${host.mcp}`),
    ],
  };
}

export function foundOr(none: string, all: Finding[]): Finding[] {
  return all.length === 0 ? [ok('registered', none)] : all;
}

export function faultAt(path: string): string {
  try {
    return saySettingsFault(readText(path) ?? '');
  } catch {
    return "can't be read";
  }
}

/** Whether the programs of these hooks are there, for good, and one of them hears a stop. */
export function handlersFinding(
  path: string,
  handlers: readonly Pick<RegisteredHandler, 'event' | 'program'>[],
  stop: string,
  again: string,
): Finding {
  const gone = handlers.find(({ program }) => !existsSync(program));
  if (gone !== undefined)
    return problem('registered', `${path} names ${gone.program}, which is not there.`, again);
  if (!handlers.some(({ event }) => event === stop))
    return problem('registered', `${path} has hooks of Da Capo, but none for ${stop}.`, again);
  const temporary = handlers.find(({ program }) => isTemporary(program));
  if (temporary === undefined) return ok('registered', `The hook is registered in ${path}`);
  const says = `${path} names ${temporary.program}, in a temporary folder that will be deleted.`;
  return warning('registered', says, INSTALL_FOR_GOOD);
}

const INSTALL_FOR_GOOD = 'Clone Da Capo, run `npm install -g .` in its folder, then `dacapo init` again.';

/** Whether it is in a folder that npx and similar tools clear by themselves. */
function isTemporary(path: string): boolean {
  return /[\\/](?:_npx|dlx|dlx-[^\\/]*|bunx-[^\\/]*)[\\/]/.test(path);
}

export function temporaryFindings({ plugin }: SettingsOrder): Finding[] {
  const temporary =
    `The hook program is in a temporary folder (${plugin}), which npx and similar tools delete ` + 'later.';
  return isTemporary(plugin) ? [warning('temporary', temporary, INSTALL_FOR_GOOD)] : [];
}
