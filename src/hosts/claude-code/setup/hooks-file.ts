/** Claude Code's settings as a file with hooks: the plugin's own list of them, its commands, the cap, the status line. */
import { join } from 'node:path';
import { isRecord } from '../../../core/shape.ts';
import { shellQuoted } from '../../../core/words/shell-quote.ts';
import { readText } from '../../../files/read.ts';
import { NO_CAP, capSet, withoutCap } from '../hook/cap.ts';
import { CAP_VARIABLE, CLAUDE_CODE } from '../names.ts';
import type { SettingsOrder } from '../../command-line.ts';
import type { HooksFile } from '../../setup/install.ts';
import type { Addition } from '../../setup/record.ts';
import { groupsOf, type Handler, type Registration } from '../../setup/registration.ts';
import type { Settings } from '../../setup/settings.ts';
import { layersOf } from './layers.ts';
import { commandsFolder, settingsPath, shippedCommands } from './places.ts';
import { hookIn } from '../../setup/hooks-settings.ts';
import { hasStatusLine, shownStatusLine, withStatusLine, withoutStatusLine } from './status-line.ts';

export const hooksFile: HooksFile = {
  title: CLAUDE_CODE.title,
  path: settingsPath,
  registration: ({ plugin, guard, place }) => {
    const hooks: unknown = JSON.parse(readText(join(plugin, 'hooks', 'hooks.json')) ?? 'null');
    return registrationIn(hooks, plugin, guard ? place.platform : null);
  },
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

const PLUGIN_ROOT = '${CLAUDE_PLUGIN_ROOT}';

/** The plugin's own `hooks.json` with this folder filled in, so that both ways to install share one list of events. */
export function registrationIn(hooksFile: unknown, plugin: string, guardFor: string | null): Registration {
  const events = isRecord(hooksFile) ? hooksFile['hooks'] : null;
  if (!isRecord(events)) throw new Error("the plugin's hooks.json has no hooks");
  return new Map(
    Object.entries(events).map(([event, groups]) => [
      event,
      groupsOf(groups).map((group) => {
        // A call that starts a loop is heard in a session without one.
        const guard = String(group.matcher).includes('_start') ? null : guardFor;
        return { ...group, hooks: group.hooks.map((handler) => settled(event, handler, plugin, guard)) };
      }),
    ]),
  );
}

function settled(event: string, handler: Handler, plugin: string, guardFor: string | null): Handler {
  const args = Array.isArray(handler['args']) ? handler['args'].map(String) : [];
  const inPlace = args.map((arg) => arg.replace(PLUGIN_ROOT, plugin));
  if (guardFor === null || !isGuarded(event)) return { ...handler, args: inPlace };
  const { args: _, ...rest } = handler;
  return { ...rest, command: guardLine(event, inPlace[0] ?? '', guardFor) };
}

export type GuardedEvent = 'Stop' | 'UserPromptSubmit' | 'PreToolUse';

function isGuarded(event: string): event is GuardedEvent {
  return event === 'Stop' || event === 'UserPromptSubmit' || event === 'PreToolUse';
}

/** `program` replaces the shell, so its stdin, stdout and exit code go directly to the host. */
export function guardLine(event: GuardedEvent, program: string, platform: string): string {
  const owned = `[ -e "$d/sessions/$CLAUDE_CODE_SESSION_ID" ]`;
  const other = {
    Stop: `[ -e "\${CLAUDE_PROJECT_DIR:-.}/.claude/ralph-loop.local.md" ]`,
    // A loop that waits for its first prompt. A pattern without a match stays as it is written, and no such file exists.
    UserPromptSubmit: `{ set -- "$d"/ready/*; [ -e "$1" ]; }`,
    // A tool call concerns only a session with a loop.
    PreToolUse: 'false',
  }[event];
  return `${home(platform)}; ${NOWHERE} || ${owned} || ${other} || exit 0; exec node ${shellQuoted(program)}`;
}

/** Without HOME the program asks the system for the user's folder. A shell can't, so it starts the program. */
const NOWHERE = '[ -z "$HOME$DACAPO_HOME" ]';

/** Sets `d`. Relative paths are ignored. */
function home(platform: string): string {
  const states =
    platform === 'darwin'
      ? 'd="$HOME/Library/Application Support"'
      : 'd=$XDG_STATE_HOME; case $d in /*) ;; *) d=$HOME/.local/state ;; esac';
  return `${states}; d=$d/dacapo; case $DACAPO_HOME in /*) d=$DACAPO_HOME ;; esac`;
}
