/**
 * Claude Code's settings as a file with hooks: the plugin's own list of them, its commands, the cap, the
 * status line.
 */
import { join } from 'node:path';
import { isRecord } from '#base/shape.ts';
import { readText } from '#base/files/read.ts';
import { NO_CAP, capSet, withoutCap } from '../hook/cap.ts';
import { CAP_VARIABLE, CLAUDE_CODE } from '../names.ts';
import type { SettingsOrder, Handler, Registration } from '#hosts/port/command-line.ts';
import type { HooksFile } from '#hosts/setup/install.ts';
import type { Addition } from '#hosts/setup/record.ts';
import { groupsOf } from '#hosts/setup/registration.ts';
import type { Settings } from '#hosts/setup/settings.ts';
import { layersOf } from './layers.ts';
import { commandsFolder, settingsPath, shippedCommands } from './places.ts';
import { hookIn } from '#hosts/setup/hooks-settings.ts';
import { hasStatusLine, shownStatusLine, withStatusLine, withoutStatusLine } from './status-line.ts';

export const hooksFile: HooksFile = {
  title: CLAUDE_CODE.title,
  path: settingsPath,
  registration: ({ plugin }) => registrationFrom(plugin),
  commands: ({ scope, place, plugin }) =>
    shippedCommands(plugin).map(({ file, content }) => ({
      path: join(commandsFolder(scope, place), file),
      content,
    })),
  extra: {
    add: (settings, order) => {
      const now = capSet(settings);
      const setsCap = order.cap && now === null;
      const capped = setsCap ? withoutCap(settings) : settings;
      const notes = capNotes(order, now);
      if (!order.statusLine) return { settings: capped, notes, added: { cap: setsCap } };
      const statusLine = hasStatusLine(settings) ? 'wrapped' : 'added';
      const shown = shownStatusLine(layersOf(order.place));
      const lined = withStatusLine(capped, hookIn(order.plugin), shown);
      return { settings: lined, notes, added: { cap: setsCap, statusLine } };
    },
    remove: (settings, addition) => {
      const wasThere = addition?.statusLine === undefined ? null : addition.statusLine === 'wrapped';
      return withoutStatusLine(withoutCapOf(settings, addition), wasThere);
    },
    isThere: (settings, addition) => addition.cap && capSet(settings) === NO_CAP,
    stays: (settings, path) =>
      capSet(settings) === NO_CAP
        ? [`${path}: env.${CAP_VARIABLE} stays, as it is not known that \`dacapo init\` has set it.`]
        : [],
  },
};

function capNotes({ cap, scope, place }: SettingsOrder, now: string | null): string[] {
  if (!cap || now === null || Number(now) <= 0) return [];
  return [`The cap on stops is ${now} by your own setting in ${settingsPath(scope, place)}, and stays so.`];
}

function withoutCapOf(settings: Settings, addition: Addition | null): Settings {
  if (addition?.cap !== true || capSet(settings) !== NO_CAP || !isRecord(settings['env'])) return settings;
  const { [CAP_VARIABLE]: _, ...env } = settings['env'];
  if (Object.keys(env).length > 0 || addition.hadEnv) return { ...settings, env };
  const { env: __, ...rest } = settings;
  return rest;
}

export function registrationFrom(plugin: string): Registration {
  return registrationIn(JSON.parse(readText(join(plugin, 'hooks', 'hooks.json')) ?? 'null'), plugin);
}

const PLUGIN_ROOT = '${CLAUDE_PLUGIN_ROOT}';

/**
 * The plugin's own `hooks.json` with this folder filled in, so that both ways to install share one list of
 * events.
 */
export function registrationIn(hooksFile: unknown, plugin: string): Registration {
  const events = isRecord(hooksFile) ? hooksFile['hooks'] : null;
  if (!isRecord(events)) throw new Error("the plugin's hooks.json has no hooks");
  const inPlace = (handler: Handler) => {
    const args = Array.isArray(handler['args']) ? handler['args'].map(String) : [];
    return { ...handler, args: args.map((arg) => arg.replace(PLUGIN_ROOT, plugin)) };
  };
  return new Map(
    Object.entries(events).map(([event, groups]) => [
      event,
      groupsOf(groups).map((group) => ({ ...group, hooks: group.hooks.map(inPlace) })),
    ]),
  );
}
