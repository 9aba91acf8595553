/** The host ends a turn after 8 stops in a row without a tool call. Only the `env` of its settings lifts that. */
import { join } from 'node:path';
import { isRecord } from '../../core/shape.ts';
import { readSettings, writeSettings, type Settings } from './settings.ts';

export const CAP_VARIABLE = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP';
/** Switches the cap off: Da Capo has limits of its own. */
export const NO_CAP = '0';

/** In force a second or two after it was written, in the running session too. */
export function liftCap(project: string): boolean {
  const path = join(project, '.claude', 'settings.local.json');
  try {
    const settings = readSettings(path);
    if (settings === null) return false;
    if (capSet(settings) !== NO_CAP) writeSettings(path, withoutCap(settings));
    return true;
  } catch {
    return false;
  }
}

export function withoutCap(settings: Settings): Settings {
  const env = isRecord(settings['env']) ? settings['env'] : {};
  return { ...settings, env: { ...env, [CAP_VARIABLE]: NO_CAP } };
}

/** What these settings say about the cap; null: nothing. */
export function capSet(settings: Settings): string | null {
  const env = settings['env'];
  const value = isRecord(env) ? env[CAP_VARIABLE] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
