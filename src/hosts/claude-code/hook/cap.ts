/**
 * The host ends a turn after 8 stops in a row without a tool call. Only `env` in its settings can lift this
 * cap.
 */
import { CAP_VARIABLE } from '../names.ts';
import { existsSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hash } from '#base/hash.ts';
import { recordAt } from '#base/shape.ts';
import { leadsOut } from '#base/files/paths.ts';
import { readText } from '#base/files/read.ts';
import { additionTo, keepAddition, readAddition, recordIn } from '#hosts/setup/record.ts';
import {
  backUp,
  parseSettings,
  replaceSettings,
  settingsText,
  type Settings,
} from '#hosts/setup/settings.ts';

/** Switches the cap off: Da Capo has limits of its own. */
export const NO_CAP = '0';

/** Takes effect within two seconds, also in the running session. `uninstall` reverts it. */
export function liftCap(project: string, home: string): boolean {
  const path = join(project, '.claude', 'settings.local.json');
  try {
    // We write here without showing the change first, and a project may ship a link, even to another file in
    // it.
    if (leadsOut(path, project) || lstatSync(path, { throwIfNoEntry: false })?.isFile() === false)
      return false;
    const text = readText(path);
    const settings = parseSettings(text ?? '');
    if (settings === null) return false;
    if (capSet(settings) === NO_CAP) return true;
    const written = settingsText(withoutCap(settings), text ?? '');
    const record = recordIn(home);
    const added = additionTo(text, settings, readAddition(record, path));
    // Recorded first, as by `init`. If the person had a value of their own, the new one counts as theirs.
    keepAddition(record, path, {
      ...added,
      written: hash(written),
      cap: capSet(settings) === null,
      folders: [...added.folders, ...(existsSync(dirname(path)) ? [] : [dirname(path)])],
    });
    backUp(path);
    replaceSettings(path, written);
    return true;
  } catch {
    return false;
  }
}

export function withoutCap(settings: Settings): Settings {
  return { ...settings, env: { ...recordAt(settings, 'env'), [CAP_VARIABLE]: NO_CAP } };
}

export function capSet(settings: Settings): string | null {
  const value = recordAt(settings, 'env')[CAP_VARIABLE];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
