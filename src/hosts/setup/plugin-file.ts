/**
 * The settings of a host that takes us as a plugin: a file of ours in a folder of its own, which loads ours
 * in this package.
 */
import { dirname, join, resolve } from 'node:path';
import { parseAs, text } from '#base/shape.ts';
import { readText, readTextIfAny } from '#base/files/read.ts';
import type { HostSettings, Scope } from '../port/command-line.ts';
import { ok, type Finding, type SettingsPlace } from '../port/headless.ts';
import type { OtherNames } from '../tables/names.ts';
import { folderOf, foundOr, handlersFinding, SCOPES, temporaryFindings } from './hooks-settings.ts';
import { installing } from './install.ts';

/**
 * `folder`: where in its own folder the host looks for plugins. `mcp`: how its agents get the tools of Da
 * Capo.
 */
export function pluginSettings(names: OtherNames, folder: string, mcp: string): HostSettings {
  const { name, title } = names;
  const path = (scope: Scope, place: SettingsPlace) =>
    join(folderOf(names, scope, place), folder, 'dacapo.js');
  const again = `dacapo init --host ${name}`;
  const none = `No plugin of Da Capo is registered for ${title}. ${again} adds it`;
  const files = [join(folder, 'dacapo.js'), ...names.ground.filter((file) => /\.jsonc?$/.test(file))];
  const filesOf = (place: SettingsPlace) =>
    SCOPES.flatMap((scope) => files.map((file) => join(folderOf(names, scope, place), file)));
  const found = (place: SettingsPlace): Finding[] =>
    filesOf(place).flatMap((at) => {
      const named = parseAs(text, LOADS.exec(readTextIfAny(at) ?? '')?.[1] ?? '');
      if (named === null) return [];
      const program = resolve(dirname(at), named);
      return [handlersFinding(at, [{ event: 'stop', program }], 'stop', `Run \`${again}\` again.`)];
    });
  return {
    ...installing({
      title,
      path,
      commands: ({ scope, place, plugin }) => [
        { path: path(scope, place), content: pluginFile(plugin, name) },
      ],
    }),
    registrationFindings: (place) => foundOr(none, found(place)),
    installFindings: (order) => [...temporaryFindings(order), ok('mcp', mcp)],
    silencedBy: (place) => (found(place).length > 0 ? [] : [none]),
  };
}

/**
 * Our program in the file of `init`, or our folder or program in settings into which the host's own command
 * has put it.
 */
const LOADS = /^(?!\s*\/\/).*?("[^"]*[\\/]plugin[\\/]+extensions[\\/]+\w+(?:[\\/]+dacapo\.js)?")/m;

/** The file that loads our plugin for this host. */
export function pluginFile(plugin: string, host: string): string {
  const file = readText(join(plugin, 'extensions', 'installed.txt')) ?? '';
  return file.replace('"OURS"', () => JSON.stringify(join(plugin, 'extensions', host, 'dacapo.js')));
}
