/** Claude Code's settings: what `init` does there, and what `doctor` (and, in part, `init`) finds there. */
import { existsSync } from 'node:fs';
import { recordAt, recordsIn, textOrNull } from '#base/shape.ts';
import type { HostSettings, SettingsOrder } from '#hosts/port/command-line.ts';
import { ok, problem, warning, type Finding, type SettingsPlace } from '#hosts/port/headless.ts';
import { faultAt, handlersFinding, hookIn, temporaryFindings } from '#hosts/setup/hooks-settings.ts';
import { installing } from '#hosts/setup/install.ts';
import { recognisedIn, type RegisteredHandler } from '#hosts/setup/registration.ts';
import type { Settings } from '#hosts/setup/settings.ts';
import { isTrusted } from '../headless/untrusted.ts';
import { capSet } from '../hook/cap.ts';
import { CAP_VARIABLE, commandNamesFrom } from '../names.ts';
import { hooksFile } from './hooks-file.ts';
import {
  enabledPlugins,
  layersOf,
  ownPlugins,
  pluginFiles,
  pluginOption,
  strongest,
  whereOn,
  type Layer,
} from './layers.ts';
import { ourStatusLine, shownStatusLine } from './status-line.ts';

export const settings: HostSettings = {
  ...installing(hooksFile),
  registrationFindings: (place) => {
    const layers = layersOf(place);
    return [...registrationFindings(place, layers), ...hooksOffFindings(layers)];
  },
  isRegistered: (place) => isRegistered(layersOf(place)),
  // Without our entries in its settings, the session has the plugin: installed, or brought by `dacapo start`.
  commandsAt: (place) => commandNamesFrom(isInSettings(layersOf(place)) ? 'project' : 'plugin'),
  silencedBy: (where) => silencedBy(layersOf(where)),
  habitFindings: (place) => {
    const layers = layersOf(place);
    return [
      ...trustFindings(place),
      ...capFindings(place, layers),
      permissionFinding(layers),
      ...statusLineFindings(layers),
    ];
  },
  rivalFindings: (where) => rivalFindings(layersOf(where)),
  installFindings,
  statusLine: (where) => {
    const shown = shownStatusLine(layersOf(where));
    if (shown === undefined) return 'none';
    return ourStatusLine(shown) === null ? 'own' : 'ours';
  },
};

function installFindings(order: SettingsOrder): Finding[] {
  const temporary = temporaryFindings(order);
  if (temporary.length > 0 || order.scope !== 'project') return temporary;
  const shared = `.claude/settings.json is shared, but names a folder of this machine (${order.plugin}).`;
  const remedy = 'For a team the plugin is better: claude plugin install dacapo@dacapo --scope project';
  return [warning('shared', shared, remedy)];
}

/** With these the hook lets every stop through. */
const OFF = ['DACAPO_DISABLE', 'IDLE_LOOP_DISABLE', 'DACAPO_DRIVEN'];
/** With these it looks for its loops elsewhere. */
const ELSEWHERE = ['DACAPO_HOME', 'XDG_STATE_HOME', 'LOCALAPPDATA', 'HOME', 'USERPROFILE'];
/**
 * These decide which program runs as `node`, and what it loads. A person may say so for themselves, but not a
 * project.
 */
const OTHERS_CODE = /^(?:PATH|NODE_.*|LD_.*|DYLD_.*)$/;

function silencedBy(layers: readonly Layer[]): string[] {
  const off = whereOn(layers, 'disableAllHooks');
  return [
    ...(off === null ? [] : [`hooks are switched off (disableAllHooks) in ${off}`]),
    ...layers.flatMap(inEnvironment),
  ];
}

function inEnvironment({ name: layer, path, settings }: Layer): string[] {
  const env = recordAt(settings, 'env');
  const isProjects = layer === 'project' || layer === 'local';
  return Object.keys(env).flatMap((name) => {
    if (OFF.includes(name) && String(env[name]) === '1')
      return [`Da Capo is switched off (${name}) in ${path}`];
    if (ELSEWHERE.includes(name))
      return [`Da Capo looks for its loops elsewhere (${name}) because of ${path}`];
    return isProjects && OTHERS_CODE.test(name)
      ? [`the hook may run other code (${name}) because of ${path}`]
      : [];
  });
}

/** Is a hook of ours registered anywhere, and is its program there? */
function registrationFindings(place: SettingsPlace, layers: readonly Layer[]): Finding[] {
  const bySettings = layers.flatMap(({ path, settings }) => {
    const handlers = recognisedIn(settings);
    return handlers.length === 0 ? [] : settingsFinding(path, handlers);
  });
  const byPlugin = ownPlugins(layers).map((id) => pluginFinding(place, id));
  const all = [...bySettings, ...byPlugin];
  const unreadable = layers
    .filter(({ isBroken }) => isBroken)
    .map(({ path }) => problem('settings', `${path} ${faultAt(path)}: Claude Code ignores it.`, 'Fix it.'));
  const none =
    'No hook is registered, so a session that you open yourself has no /ralph (dacapo init adds it). ' +
    'dacapo start and dacapo run add the hook themselves';
  if (all.length === 0) return [...unreadable, ok('registered', none)];
  const twice =
    `It is registered ${all.length} times. That is fine: a stop that is heard twice is ` + 'judged once.';
  return [...unreadable, ...all, ...(all.length > 1 ? [ok('registered-twice', twice)] : [])];
}

function settingsFinding(path: string, handlers: readonly RegisteredHandler[]): Finding {
  const again = 'Run `dacapo init` again.';
  const finding = handlersFinding(path, handlers, 'Stop', again);
  if (finding.level === 'problem' || handlers.some(({ event }) => event === 'PreToolUse')) return finding;
  const old = `${path} has the hooks of an older Da Capo: none guards protected files.`;
  return warning('registered', old, again);
}

function pluginFinding(place: SettingsPlace, id: string): Finding {
  const files = pluginFiles(place, id);
  const reinstall = `claude plugin install ${id}`;
  if (files === null)
    return problem('registered', `The plugin ${id} is switched on, but not installed.`, reinstall);
  return existsSync(hookIn(files))
    ? ok('registered', `The hook is registered by the plugin ${id}`)
    : problem('registered', `The plugin ${id} has no hook program in ${files}.`, reinstall);
}

export function hooksOffFindings(layers: readonly Layer[]): Finding[] {
  const all = whereOn(layers, 'disableAllHooks');
  const managed = layers.filter(({ name }) => name === 'managed');
  const others = whereOn(managed, 'allowManagedHooksOnly');
  const findings: Finding[] = [];
  if (all !== null) {
    const says = `${all} has disableAllHooks: no hook is ever called.`;
    findings.push(problem('hooks-off', says, 'Take disableAllHooks out of it.'));
  }
  if (others !== null) {
    const says = `${others} has allowManagedHooksOnly: the host calls only the organisation's own hooks.`;
    const remedy =
      'Ask the administrator of this machine to allow the plugin; until then `dacapo run` drives loops ' +
      'without a hook.';
    findings.push(problem('hooks-off', says, remedy));
  }
  return findings.length === 0 ? [ok('hooks-on', 'Hooks are not switched off')] : findings;
}

function isRegistered(layers: readonly Layer[]): boolean {
  return isInSettings(layers) || ownPlugins(layers).length > 0;
}

function isInSettings(layers: readonly Layer[]): boolean {
  return layers.some(({ settings }) => recognisedIn(settings).length > 0);
}

/** Claude Code asks before its first session in a folder, and "No", which is the default, ends it. */
function trustFindings(place: SettingsPlace): Finding[] {
  if (isTrusted(place)) return [];
  return [
    warning(
      'trust',
      `Claude Code does not know ${place.project}: in a terminal it first asks whether you trust the ` +
        'folder, and "No" ends the session, so no loop begins.',
      'Start claude there once and choose "Yes", if you trust what is in it.',
    ),
  ];
}

/** None where no hook is registered: `dacapo start` lifts the cap itself, and a run has no such stops. */
function capFindings({ env }: SettingsPlace, layers: readonly Layer[]): Finding[] {
  const plugins = ownPlugins(layers);
  if (!isRegistered(layers)) return [];
  const set = strongest(layers, capSet)?.value ?? env[CAP_VARIABLE];
  const lifted = "The host's cap on stops without a tool call is lifted";
  if (set !== undefined && Number(set) <= 0) return [ok('cap', lifted)];
  if (plugins.some((id) => pluginOption(layers, id, 'lift_cap') === true))
    return [ok('cap', `${lifted} when a loop starts (the plugin's option lift_cap)`)];
  const says =
    `The host ends a turn after ${set ?? 8} stops in a row without a tool call, and with it a loop ` +
    'that only talks.';
  const remedy =
    `Run \`dacapo init\`, or set the plugin's option: echo '{"lift_cap":"true"}' | claude plugin ` +
    'configure dacapo@dacapo --values-stdin';
  return [warning('cap', says, remedy)];
}

/** A host that asks before it acts waits for a person, and the loop waits with it, perhaps all night. */
function permissionFinding(layers: readonly Layer[]): Finding {
  const set = strongest(layers, defaultMode);
  if (set === null)
    return ok(
      'permissions',
      'The host keeps its permission mode. When it asks you something, the loop waits',
    );
  const { layer, value: mode } = set;
  if (!['plan', 'manual', 'default'].includes(mode))
    return ok('permissions', `The permission mode is ${mode} (${layer.path})`);
  const why =
    mode === 'plan'
      ? 'the host plans and changes nothing'
      : 'the host asks before it acts, and a loop waits with it';
  return warning(
    'permissions',
    `${layer.path} has the permission mode ${mode}: ${why}.`,
    'Start it as `claude --permission-mode acceptEdits`, or allow the tools that the task needs ' +
      'under permissions.allow.',
  );
}

export function defaultMode(settings: Settings): string | null {
  return textOrNull(recordAt(settings, 'permissions')['defaultMode']);
}

const RIVALS = /^(?:ralph-loop|ralph-wiggum)@/;

/** Another tool that answers the same stops. Both would drive one session without knowing of each other. */
function rivalFindings(layers: readonly Layer[]): Finding[] {
  const plugins = enabledPlugins(layers).filter((id) => RIVALS.test(id));
  const rivals = plugins.map((id) => {
    const says = `The plugin ${id} is switched on: it drives loops of its own from the same stops.`;
    return problem('rival', says, `claude plugin disable ${id}`);
  });
  const likely = layers.flatMap(({ path, settings }) =>
    otherStopCommands(settings).map((command) => {
      const says = `${path} has another Stop hook that looks like a loop: ${command.slice(0, 100)}`;
      return warning('rival', says, 'If it is one, take it out: two loops compete for one session.');
    }),
  );
  return [...rivals, ...likely];
}

function otherStopCommands(settings: Settings): string[] {
  const ours = new Set(recognisedIn(settings).map(({ handler }) => handler));
  return recordsIn(recordAt(settings, 'hooks')['Stop'])
    .flatMap((group) => recordsIn(group['hooks']))
    .filter((handler) => !ours.has(handler))
    .map(({ command, args }) => [command, ...(Array.isArray(args) ? args : [])].map(String).join(' '))
    .filter((command) => /ralph|idle-loop/i.test(command));
}

function statusLineFindings(layers: readonly Layer[]): Finding[] {
  const found = strongest(layers, ({ statusLine }) => ourStatusLine(statusLine));
  if (found === null) return [];
  const [path, program] = [found.layer.path, found.value.program];
  const gone = `${path} has a status line that names ${program}, which is not there.`;
  const hidden = `The status line in ${path} is hidden by another one in stronger settings.`;
  const isHidden = ourStatusLine(shownStatusLine(layers)) === null;
  const wrong = !existsSync(program) ? gone : isHidden ? hidden : null;
  return wrong === null
    ? [ok('statusline', `The status bar shows a running loop (${path})`)]
    : [warning('statusline', wrong, 'Run `dacapo init --statusline` again.')];
}
