/** Claude Code's settings as an adapter of the settings port. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { warning, type Finding } from '../../headless.ts';
import { refuse, type Refusal } from '../../../core/refusal.ts';
import { leadsOut } from '../../../files/paths.ts';
import type { Edit, HostSettings, SettingsOrder, SettingsPlan } from '../../command-line.ts';
import { findProgram } from './program.ts';
import {
  capFindings,
  environmentFindings,
  hooksOffFindings,
  permissionFinding,
  registrationFindings,
  rivalFindings,
  statusLineFindings,
} from './health.ts';
import { install, planInstall, type InstallOrder, planUninstall, uninstall } from './install.ts';
import { layersOf, flagIn, strongest, type Layer } from './layers.ts';
import { INSTALL_FOR_GOOD, isTemporary } from './places.ts';
import { recordIn } from './record.ts';
import { hookIn, ourStatusLine, shownStatusLine } from './status-line.ts';
import { isRecord } from '../../../core/shape.ts';

export const settings: HostSettings = {
  planInstall: (order) => planned(order, planInstall, install),
  planUninstall: (order) => planned(order, planUninstall, uninstall),
  environmentFindings: (env, node) => environmentFindings(env, node, findProgram(env)),
  registrationFindings: (place) => {
    const layers = layersOf(place);
    return [...registrationFindings(place, layers), ...hooksOffFindings(layers)];
  },
  silencedBy: (where) => silencedBy(layersOf(where)),
  habitFindings: (place) => {
    const layers = layersOf(place);
    return [...capFindings(place, layers), permissionFinding(layers), ...statusLineFindings(layers)];
  },
  rivalFindings: (where) => rivalFindings(layersOf(where)),
  installFindings,
  statusLine: (where) => {
    const shown = shownStatusLine(layersOf(where));
    if (shown === undefined) return 'none';
    return ourStatusLine(shown) === null ? 'own' : 'ours';
  },
  pluginCommands: (folder) =>
    existsSync(join(folder, '.claude-plugin', 'marketplace.json'))
      ? [
          ['claude', 'plugin', 'marketplace', 'add', folder],
          ['claude', 'plugin', 'install', 'dacapo@dacapo'],
        ]
      : [],
};

/** A project may ship links. For the person's own scope a link is theirs. */
function refuseOutside(
  { scope, place }: Omit<SettingsOrder, 'home'>,
  edits: readonly Edit[],
): Refusal | null {
  const led = edits.find(({ kind, path }) =>
    kind === 'exclude'
      ? leadsOut(path, dirname(dirname(path)))
      : scope !== 'user' && leadsOut(path, place.project),
  );
  if (led === undefined) return null;
  const message = `${led.path} leads out of the project by a link, so nothing was written.`;
  return refuse('leads-out', message, 'Put a file or folder of its own there, or use --scope user.');
}

function planned<P extends Omit<SettingsPlan, 'apply'>>(
  { home, ...order }: SettingsOrder,
  plan: (order: InstallOrder) => P | Refusal,
  apply: (plan: P, record: string) => void,
): SettingsPlan | Refusal {
  const record = recordIn(home);
  const line = { program: hookIn(order.plugin), shown: shownStatusLine(layersOf(order.place)) };
  const made = plan({ ...order, record, statusLine: order.statusLine ? line : null });
  if (!made.ok) return made;
  return refuseOutside(order, made.edits) ?? { ...made, apply: () => apply(made, record) };
}

function installFindings({ plugin, scope }: SettingsOrder): Finding[] {
  const temporary = `The hook program is in a temporary folder (${plugin}), which npx and its like empty again.`;
  if (isTemporary(plugin)) return [warning('temporary', temporary, INSTALL_FOR_GOOD)];
  if (scope !== 'project') return [];
  const shared = `.claude/settings.json is shared, but names a folder of this machine (${plugin}).`;
  const remedy = 'For a team the plugin is better: claude plugin install dacapo@dacapo --scope project';
  return [warning('shared', shared, remedy)];
}

/** With these the hook lets every stop through. */
const OFF = ['DACAPO_DISABLE', 'IDLE_LOOP_DISABLE', 'DACAPO_DRIVEN'];
/** With these it looks for its loops elsewhere. */
const ELSEWHERE = ['DACAPO_HOME', 'XDG_STATE_HOME', 'LOCALAPPDATA', 'HOME', 'USERPROFILE'];
/** These decide which program runs as `node`, and what it loads. A person may say so for themselves, but not a project. */
const OTHERS_CODE = /^(?:PATH|NODE_.*|LD_.*|DYLD_.*)$/;

/** What keeps our hook from judging a loop that runs, each in words with the file. */
function silencedBy(layers: readonly Layer[]): string[] {
  const off = strongest(layers, flagIn('disableAllHooks'));
  return [
    ...(off?.value === true ? [`hooks are switched off (disableAllHooks) in ${off.layer.path}`] : []),
    ...layers.flatMap(inEnvironment),
  ];
}

function inEnvironment({ name: layer, path, settings }: Layer): string[] {
  const env = settings?.['env'];
  if (!isRecord(env)) return [];
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
