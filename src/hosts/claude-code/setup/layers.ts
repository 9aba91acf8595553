/** All settings of the host, as it merges them: user, project, local, and above them the organisation's. */
import type { SettingsPlace } from '#hosts/port/headless.ts';
import { join } from 'node:path';
import { recordsIn, recordAt } from '#base/shape.ts';
import { SCOPES, configFolder, managedSettings, settingsPath } from './places.ts';
import { settingsIn, type Settings } from '#hosts/setup/settings.ts';
import { namesIn } from '#base/files/paths.ts';

export interface Layer {
  readonly name: 'user' | 'project' | 'local' | 'managed';
  readonly path: string;
  readonly settings: Settings;
  /** The file is not JSON, and the host ignores it. */
  readonly isBroken: boolean;
}

/** The weakest first. `managed`: the organisation's file. */
export function layersOf(place: SettingsPlace, managed = managedSettings(place)): Layer[] {
  const own = SCOPES.map((name) => ({ name, path: settingsPath(name, place) }));
  const folder = managed.replace(/\.json$/, '.d');
  const theirs = [managed, ...namesIn(folder).map((name) => join(folder, name))];
  return (
    [...own, ...theirs.map((path) => ({ name: 'managed' as const, path }))]
      // The home may be the project.
      .filter(({ path }, at, all) => all.findIndex((one) => one.path === path) === at)
      .map((layer) => {
        const settings = settingsIn(layer.path);
        return { ...layer, settings: settings ?? {}, isBroken: settings === null };
      })
  );
}

export function strongest<T>(
  layers: readonly Layer[],
  look: (settings: Settings) => T | null,
): { layer: Layer; value: T } | null {
  for (const layer of layers.toReversed()) {
    const value = look(layer.settings);
    if (value !== null) return { layer, value };
  }
  return null;
}

/** The file that switches this flag on; null: it is off. */
export function whereOn(layers: readonly Layer[], key: string): string | null {
  const set = strongest(layers, ({ [key]: flag }) => (typeof flag === 'boolean' ? flag : null));
  return set?.value === true ? set.layer.path : null;
}

/** The plugins that are switched on, as `name@marketplace`. */
export function enabledPlugins(layers: readonly Layer[]): string[] {
  const all = new Map(layers.flatMap(({ settings }) => Object.entries(recordAt(settings, 'enabledPlugins'))));
  return [...all].filter(([, on]) => on === true).map(([id]) => id);
}

export function ownPlugins(layers: readonly Layer[]): string[] {
  return enabledPlugins(layers).filter((id) => id.startsWith('dacapo@'));
}

/** Where an installed plugin's files are; null: it is switched on but not installed. */
export function pluginFiles(place: SettingsPlace, id: string): string | null {
  const folder = join(configFolder(place.env), 'plugins');
  const installed = settingsIn(join(folder, 'installed_plugins.json')) ?? {};
  const entries = recordsIn(recordAt(installed, 'plugins')[id]);
  const here = entries.find((entry) => entry['projectPath'] === place.project) ?? entries[0];
  return typeof here?.['installPath'] === 'string' ? here['installPath'] : null;
}

/**
 * The person's value for a plugin option. The host reads it only from the user's and the organisation's
 * settings.
 */
export function pluginOption(layers: readonly Layer[], id: string, option: string): unknown {
  return strongest(
    layers.filter(({ name }) => name === 'user' || name === 'managed'),
    (settings) => recordAt(recordAt(recordAt(settings, 'pluginConfigs'), id), 'options')[option] ?? null,
  )?.value;
}
