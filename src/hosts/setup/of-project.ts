/**
 * What a project brings for a host that asks nobody before it uses it. We ask in its place, before anything is started.
 * What `dacapo init` has put there is the person's own doing.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTextIfAny } from '../../files/read.ts';
import { PLUGIN } from '../../process/package.ts';
import type { OfProject, SettingsPlace } from '../headless.ts';
import type { OtherNames } from '../names.ts';
import { pluginFile } from './plugin-file.ts';
import { withoutHooks } from './registration.ts';
import { settingsIn } from './settings.ts';

const MOST_FILES = 1_000;

/** `harmless`: settings that run nothing and send nothing elsewhere. `servers`: the file of MCP servers, if it is a separate one. */
export function untrustedIn(names: OtherNames, harmless: readonly string[], ...servers: string[]) {
  return ({ project }: SettingsPlace): OfProject | null => {
    const all = [...names.ground, ...servers].flatMap((name) => filesAt(join(project, names.folder, name)));
    const found = all.map((file) => ({ file, runs: runsIn(file, names, harmless) }));
    const files = found.filter(({ runs }) => runs.length > 0).map(({ file }) => file);
    const runs = found.flatMap(({ file, runs: said }) => said.map((one) => `${one} (${file})`));
    return files.length === 0 ? null : { files, runs };
  };
}

/** Links are not followed: one to a folder is told as it is. */
function filesAt(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return found === undefined ? [] : [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).slice(0, MOST_FILES);
  return names.map((name) => join(path, name)).filter((file) => !lstatSync(file).isDirectory());
}

function runsIn(file: string, { name }: OtherNames, harmless: readonly string[]): string[] {
  const content = readTextIfAny(file);
  if (content === pluginFile(PLUGIN, name)) return [];
  if (content === null || !/\.jsonc?$/.test(file)) return ['a program'];
  // Some hosts read comments, too.
  const settings = settingsIn(file);
  if (settings === null) return ['settings that are no plain JSON'];
  return Object.keys(withoutHooks(settings, [])).filter((key) => !harmless.includes(key));
}
