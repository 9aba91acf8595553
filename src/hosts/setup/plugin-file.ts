/** The settings of a host that takes us as a plugin: a file of ours in a folder of its own, which loads ours in this package. */
import { join } from 'node:path';
import { parseAs, text } from '../../core/shape.ts';
import { readText, readTextIfAny } from '../../files/read.ts';
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
      const program = parseAs(text, LOADS.exec(readTextIfAny(at) ?? '')?.[1] ?? '');
      if (program === null) return [];
      return [handlersFinding(at, [{ event: 'stop', program }], 'stop', `Run \`${again}\` again.`)];
    });
  return {
    ...installing({
      title,
      path,
      commands: ({ scope, place, plugin }) => {
        const ours = join(plugin, 'extensions', name, 'dacapo.js');
        const file = readText(join(plugin, 'extensions', 'installed.txt')) ?? '';
        const content = file.replace('"OURS"', () => JSON.stringify(ours));
        return [{ path: path(scope, place), content }];
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
