/**
 * What a project would run by itself, or send elsewhere, in a pass of Claude Code (2.1.325). In a terminal
 * the host asks before the first session in a folder; without a screen it does not ask. So we do, before
 * anything is started.
 */
import { dirname, join } from 'node:path';
import { isRecord, once, recordAt } from '#base/shape.ts';
import { HOOK, PLUGIN } from '#base/process/package.ts';
import { broughtBy } from '#hosts/project/brought.ts';
import type { OfProject, SettingsPlace } from '#hosts/port/headless.ts';
import { settingsIn, type Settings } from '#hosts/setup/settings.ts';
import { CAP_VARIABLE, CLAUDE_CODE_NAME } from '../names.ts';
import { registrationFrom } from '../setup/hooks-file.ts';
import { configFolder } from '../setup/places.ts';
import { isOwnStatusLine } from '../setup/status-line.ts';

/** Read once: they come with this program. */
const ownHooks = once(() => registrationFrom(PLUGIN, process.platform));

export function brought(place: SettingsPlace): OfProject | null {
  return broughtBy({ name: CLAUDE_CODE_NAME, hooks: ownHooks(), withoutExtra }, place);
}

/** Null: nothing, or the person has agreed in the host's own dialog. */
export function untrusted(place: SettingsPlace): OfProject | null {
  if (isTrusted(place)) return null;
  return broughtBy({ name: CLAUDE_CODE_NAME, hooks: ownHooks(), withoutExtra: withoutIgnored }, place);
}

/** In its own list of projects: for this folder, or for one above. */
export function isTrusted({ project, env }: SettingsPlace): boolean {
  const user = configFolder(env);
  const list = env['CLAUDE_CONFIG_DIR'] ? join(user, '.claude.json') : `${user}.json`;
  const projects = recordAt(settingsIn(list) ?? {}, 'projects');
  for (let at = project; ; at = dirname(at)) {
    if (recordAt(projects, at)['hasTrustDialogAccepted'] === true) return true;
    if (dirname(at) === at) return false;
  }
}

/** In a folder that nobody has trusted, it ignores the permissions of a project (tried on 2.1.325). */
function withoutIgnored(settings: Settings): Settings {
  const { permissions: _, ...others } = withoutExtra(settings);
  return others;
}

/** The cap on stops, and our line in the status bar as long as it shows nobody else's, too. */
function withoutExtra({ env, statusLine, ...settings }: Settings): Settings {
  const { [CAP_VARIABLE]: _, ...variables } = isRecord(env) ? env : {};
  const others = isRecord(env) ? variables : env;
  return { ...settings, env: others, ...(!isOwnStatusLine(statusLine, HOOK) && { statusLine }) };
}
