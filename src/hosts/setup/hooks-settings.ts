/** The settings of a host that takes our hooks from a JSON file, by data: where it is, which events, what else to know. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../files/read.ts';
import type { HostSettings, Scope, SettingsOrder } from '../command-line.ts';
import { ok, problem, warning, type Finding, type SettingsPlace } from '../headless.ts';
import type { HostNames } from '../names.ts';
import { installing, type HooksFile } from './install.ts';
import { handlersIn, shellLine, type RegisteredHandler, type Registration } from './registration.ts';
import { sayFault, settingsIn } from './settings.ts';

/** The program of the hook. */
export function hookIn(plugin: string): string {
  return join(plugin, 'dist', 'hook.cjs');
}

/**
 * The same shell line for each event. `timeout`: in the host's own unit; undefined: the host's own. `guard`: the event that
 * is heard in passes of `dacapo run`, too, where a pass can't bring the guard along.
 */
export function hookEvents(
  events: readonly string[],
  timeout: (event: string) => number | undefined,
  guard = '',
) {
  return ({ plugin, place }: SettingsOrder): Registration => {
    const line = shellLine(hookIn(plugin), place.platform);
    const handler = (event: string) => {
      const command = event === guard ? `${line} guard` : line;
      return { type: 'command', command, timeout: timeout(event) };
    };
    return new Map(events.map((event) => [event, [{ hooks: [handler(event)] }]]));
  };
}

/** Hooks of ours in one file of the host. */
export interface FoundHook {
  readonly path: string;
  readonly hooks: readonly RegisteredHandler[];
}

interface HooksHost extends Pick<HooksFile, 'path' | 'extra'>, Required<Pick<HooksFile, 'registration'>> {
  /** What it calls a stop. */
  readonly stop: string;
  /** Further findings about hooks that are registered. */
  findings?(found: FoundHook, place: SettingsPlace): Finding[];
  /** What the person has to know or do after `dacapo init`. */
  afterInstall(order: SettingsOrder): Finding[];
  /** Its own commands that install our plugin. */
  plugin(folder: string): readonly (readonly string[])[];
}

const SCOPES: readonly Scope[] = ['user', 'project'];

export function hooksSettings(names: HostNames, host: HooksHost): HostSettings {
  const { title, name } = names;
  const again = `Run \`dacapo init --host ${name}\` again.`;
  const none = `No hook is registered for ${title}. dacapo init --host ${name} adds it; dacapo start and dacapo run bring it along`;
  const found = (place: SettingsPlace, scope: Scope): Finding[] => {
    const path = host.path(scope, place);
    const settings = settingsIn(path);
    if (settings === null) return [problem('settings', `${path} ${faultAt(path)}.`, 'Fix it.')];
    const hooks = handlersIn(settings);
    if (hooks.length === 0) return [];
    return [
      handlersFinding(path, hooks, host.stop, again),
      ...(host.findings?.({ path, hooks }, place) ?? []),
    ];
  };
  return {
    ...installing({ title, ...host }),
    registrationFindings: (place) => {
      const all = SCOPES.flatMap((scope) => found(place, scope));
      return all.length === 0 ? [ok('registered', none)] : all;
    },
    installFindings: (order) => [...temporaryFindings(order), ...host.afterInstall(order)],
    pluginCommands: (folder) =>
      existsSync(join(folder, '.claude-plugin', 'marketplace.json')) ? host.plugin(folder) : [],
  };
}

export function faultAt(path: string): string {
  try {
    return sayFault(readText(path) ?? '');
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
  const says = `${path} names ${temporary.program}, in a temporary folder that will be emptied.`;
  return warning('registered', says, INSTALL_FOR_GOOD);
}

const INSTALL_FOR_GOOD = 'Clone Da Capo, run `npm install -g .` in its folder, then `dacapo init` again.';

/** Whether it is in a folder that npx and similar tools clear by themselves. */
function isTemporary(path: string): boolean {
  return /[\\/](?:_npx|dlx|dlx-[^\\/]*|bunx-[^\\/]*)[\\/]/.test(path);
}

export function temporaryFindings({ plugin }: SettingsOrder): Finding[] {
  const temporary = `The hook program is in a temporary folder (${plugin}), which npx and its like empty again.`;
  return isTemporary(plugin) ? [warning('temporary', temporary, INSTALL_FOR_GOOD)] : [];
}
