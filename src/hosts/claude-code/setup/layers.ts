/** All settings of the host, as it merges them: user, project, local, and above them the organisation's. */
import { join } from 'node:path';
import { isRecord } from '../../../core/shape.ts';

import { SCOPES, configFolder, settingsPath, type ClaudePlace } from './places.ts';
import { readSettings, type Settings } from './settings.ts';
import { namesIn } from '../../../files/paths.ts';

export interface Layer {
  readonly name: 'user' | 'project' | 'local' | 'managed';
  readonly path: string;
  /** Null: the file is not JSON, and the host ignores it. */
  readonly settings: Settings | null;
}

/** The weakest first. */
export function layersOf(place: ClaudePlace): Layer[] {
  const own = SCOPES.map((name) => ({ name, path: settingsPath(name, place) }));
  const managed = managedFiles(place.managed).map((path) => ({ name: 'managed' as const, path }));
  // In the home folder itself, the user's and the project's file are the same.
  const seen = new Set<string>();
  return [...own, ...managed].flatMap(({ name, path }) => {
    if (seen.has(path)) return [];
    seen.add(path);
    return [{ name, path, settings: read(path) }];
  });
}

function managedFiles(path: string): string[] {
  const folder = path.replace(/\.json$/, '.d');
  return [path, ...namesIn(folder).map((name) => join(folder, name))];
}

function read(path: string): Settings | null {
  try {
    return readSettings(path);
  } catch {
    return null;
  }
}

/** The strongest layer that sets this value, and the value. */
export function strongest<T>(
  layers: readonly Layer[],
  look: (settings: Settings) => T | null,
): { layer: Layer; value: T } | null {
  for (const layer of layers.toReversed()) {
    const value = layer.settings === null ? null : look(layer.settings);
    if (value !== null) return { layer, value };
  }
  return null;
}

export function flagIn(key: string): (settings: Settings) => boolean | null {
  return (settings) => (typeof settings[key] === 'boolean' ? settings[key] : null);
}

/** The plugins that are switched on, as `name@marketplace`. */
export function enabledPlugins(layers: readonly Layer[]): string[] {
  const all = new Map<string, boolean>();
  for (const { settings } of layers) {
    const enabled = settings?.['enabledPlugins'];
    if (isRecord(enabled)) for (const [id, on] of Object.entries(enabled)) all.set(id, on === true);
  }
  return [...all].filter(([, on]) => on).map(([id]) => id);
}

const OWN_PLUGIN = /^dacapo@/;

export function ownPlugins(layers: readonly Layer[]): string[] {
  return enabledPlugins(layers).filter((id) => OWN_PLUGIN.test(id));
}

/** Where an installed plugin's files are; null: it is switched on but not installed. */
export function pluginFiles(place: ClaudePlace, id: string): string | null {
  const folder = join(configFolder(place.env), 'plugins');
  const installed = recordAt(join(folder, 'installed_plugins.json'), 'plugins', id);
  const entries = Array.isArray(installed) ? installed.filter(isRecord) : [];
  const here = entries.find((entry) => entry['projectPath'] === place.project) ?? entries[0];
  return typeof here?.['installPath'] === 'string' ? here['installPath'] : null;
}

/** The person's value for a plugin option. The host reads it only from the user's and the organisation's settings. */
export function pluginOption(layers: readonly Layer[], id: string, option: string): unknown {
  return strongest(
    layers.filter(({ name }) => name === 'user' || name === 'managed'),
    (settings) => at(settings, 'pluginConfigs', id, 'options', option) ?? null,
  )?.value;
}

function recordAt(path: string, ...keys: string[]): unknown {
  return at(read(path), ...keys);
}

function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
}
