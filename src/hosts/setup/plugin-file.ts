/** The settings of a host that takes us as a plugin: a file of ours in a folder of its own, which loads ours in this package. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readTextIfAny } from '../../files/read.ts';
import type { HostSettings, Scope } from '../command-line.ts';
import { ok, type Finding, type SettingsPlace } from '../headless.ts';
import type { HostNames } from '../names.ts';
import { handlersFinding, temporaryFindings } from './hooks-settings.ts';
import { installing } from './install.ts';

interface PluginFolder {
  /** Where the host looks for plugins. */
  readonly folder: (scope: Scope, place: SettingsPlace) => string;
  /** What the person has to know or do after `dacapo init`. */
  readonly afterInstall: readonly Finding[];
}

export function pluginSettings(
  { name, title }: HostNames,
  { folder, afterInstall }: PluginFolder,
): HostSettings {
  const path = (scope: Scope, place: SettingsPlace) => join(folder(scope, place), 'dacapo.js');
  const again = `dacapo init --host ${name}`;
  const none = `No plugin of Da Capo is registered for ${title}. ${again} adds it`;
  const found = (place: SettingsPlace): Finding[] =>
    (['user', 'project'] as const).flatMap((scope) => {
      const at = path(scope, place);
      const [, json] = LOADS.exec(readTextIfAny(at) ?? '') ?? [];
      if (json === undefined) return [];
      const program: string = JSON.parse(json);
      return [handlersFinding(at, [{ event: 'stop', program }], 'stop', `Run \`${again}\` again.`)];
    });
  return {
    ...installing({
      title,
      path,
      commands: ({ scope, place, plugin }) => {
        const ours = join(plugin, 'extensions', name, 'dacapo.js');
        return [{ path: path(scope, place), content: loading(ours, title) }];
      },
    }),
    registrationFindings: (place) => {
      const all = found(place);
      return all.length === 0 ? [ok('registered', none)] : all;
    },
    installFindings: (order) => [...temporaryFindings(order), ...afterInstall],
    pluginCommands: () => [],
    silencedBy: (place) => (found(place).length > 0 ? [] : [none]),
  };
}

const LOADS = /^const ours = (".*");$/m;

/** If the package is gone, the host still works. If a flag or a variable loads our plugin, it is not loaded twice. */
function loading(ours: string, title: string): string {
  return `// Da Capo for ${title}: written by dacapo init, removed by dacapo uninstall.
const ours = ${JSON.stringify(ours)};
const url = ${JSON.stringify(pathToFileURL(ours).href)};
const isLoaded = process.argv.includes(ours) || process.env.OPENCODE_CONFIG_CONTENT?.includes(url);
const load = () => import(url).catch(() => null);
export default async (host) => (isLoaded ? null : await load())?.default(host) ?? {};
`;
}
