/** Claude Code's settings as an adapter of the settings port. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { warning, type Finding } from '../../headless.ts';
import type { HostSettings, SettingsOrder } from '../../command-line.ts';
import {
  capFindings,
  hooksOffFindings,
  permissionFinding,
  registrationFindings,
  rivalFindings,
  statusLineFindings,
} from './health.ts';
import { layersOf, whereOn, type Layer } from './layers.ts';
import { ourStatusLine, shownStatusLine } from './status-line.ts';
import { hooksFile } from './hooks-file.ts';
import { installing } from '../../setup/install.ts';
import { temporaryFindings } from '../../setup/hooks-settings.ts';
import { recordAt } from '../../../core/shape.ts';

export const settings: HostSettings = {
  ...installing(hooksFile),
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
/** These decide which program runs as `node`, and what it loads. A person may say so for themselves, but not a project. */
const OTHERS_CODE = /^(?:PATH|NODE_.*|LD_.*|DYLD_.*)$/;

/** What keeps our hook from judging a loop that runs, each in words with the file. */
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
