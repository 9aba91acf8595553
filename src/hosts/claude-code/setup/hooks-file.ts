/**
 * Claude Code's settings as a file with hooks: the plugin's own list of them, its commands, the cap, the
 * status line.
 */
import { join } from 'node:path';
import { isRecord } from '#base/shape.ts';
import { readText } from '#base/files/read.ts';
import { NO_CAP, capSet, withoutCap } from '../hook/cap.ts';
import { CAP_VARIABLE, CLAUDE_CODE } from '../names.ts';
import type { Group, Handler, Registration, SettingsOrder } from '#hosts/port/command-line.ts';
import type { HooksFile } from '#hosts/setup/install.ts';
import type { Addition } from '#hosts/setup/record.ts';
import { groupsOf, guardArgs } from '#hosts/setup/registration.ts';
import type { Settings } from '#hosts/setup/settings.ts';
import { layersOf } from './layers.ts';
import { commandsFolder, settingsPath, shippedCommands } from './places.ts';
import { guardIn, hookIn } from '#hosts/setup/hooks-settings.ts';
import { hasStatusLine, shownStatusLine, withStatusLine, withoutStatusLine } from './status-line.ts';

export const hooksFile: HooksFile = {
  title: CLAUDE_CODE.title,
  path: settingsPath,
  registration: ({ plugin, place }) => registrationFrom(plugin, place.platform),
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
        ? [`${path}: env.${CAP_VARIABLE} stays, because \`dacapo init\` may not have set it.`]
        : [],
  },
};

function capNotes({ cap, scope, place }: SettingsOrder, now: string | null): string[] {
  if (!cap || now === null || Number(now) <= 0) return [];
  return [`The cap on stops stays at ${now}, because you set it in ${settingsPath(scope, place)}.`];
}

function withoutCapOf(settings: Settings, addition: Addition | null): Settings {
  if (addition?.cap !== true || capSet(settings) !== NO_CAP || !isRecord(settings['env'])) return settings;
  const { [CAP_VARIABLE]: _, ...env } = settings['env'];
  if (Object.keys(env).length > 0 || addition.hadEnv) return { ...settings, env };
  const { env: __, ...rest } = settings;
  return rest;
}

/** The plugin's own `hooks.json`, so that both ways to install share one list of events. */
export function registrationFrom(plugin: string, platform: string): Registration {
  const registration = registrationIn(
    JSON.parse(readText(join(plugin, 'hooks', 'hooks.json')) ?? 'null'),
    plugin,
  );
  return platform === 'win32' ? registration : behindShell(registration, plugin);
}

const PLUGIN_ROOT = '${CLAUDE_PLUGIN_ROOT}';

/** With this folder filled in. */
export function registrationIn(hooksFile: unknown, plugin: string): Registration {
  const events = isRecord(hooksFile) ? hooksFile['hooks'] : null;
  if (!isRecord(events)) throw new Error("the plugin's hooks.json has no hooks");
  const inPlace = (handler: Handler) => ({
    ...handler,
    args: argsOf(handler).map((arg) => arg.replace(PLUGIN_ROOT, plugin)),
  });
  return mapHandlers(
    new Map(Object.entries(events).map(([event, groups]) => [event, groupsOf(groups)])),
    inPlace,
  );
}

/** The calls that start a loop, as `hooks.json` matches them. */
const STARTS_LOOP = '^mcp__.*__(loop|iteration)_start$';

/** What `hook.sh` has to look at before it starts Node. Every other event starts Node at once. */
const AT_REST: Readonly<Record<string, string>> = {
  Stop: 'stop',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'session',
  StopFailure: 'session',
  SessionEnd: 'session',
};

/** Sessions without a loop start a shell that looks at a few files, and no Node. */
function behindShell(registration: Registration, plugin: string): Registration {
  return mapHandlers(registration, (handler, event, { matcher }) => {
    const looksAt = AT_REST[event];
    // A call that starts a loop is told to the program before any loop is there.
    if (looksAt === undefined || matcher === STARTS_LOOP) return handler;
    const isWaker = argsOf(handler)[0]?.endsWith('wake.cjs') === true;
    return { ...handler, command: '/bin/sh', args: guardArgs(guardIn(plugin), isWaker ? 'wake' : looksAt) };
  });
}

function mapHandlers(
  registration: Registration,
  change: (handler: Handler, event: string, group: Group) => Handler,
): Registration {
  return new Map(
    [...registration].map(([event, groups]) => [
      event,
      groupsOf(groups).map((group) => ({
        ...group,
        hooks: group.hooks.map((handler) => change(handler, event, group)),
      })),
    ]),
  );
}

function argsOf({ args }: Handler): string[] {
  return Array.isArray(args) ? args.map(String) : [];
}
