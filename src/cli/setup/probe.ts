/**
 * `dacapo doctor --probe`: does the host really call the hook? It is run once, headless, against the scripted model, in a
 * temporary project with the person's own registration of Da Capo, and with nothing else of theirs: no account, no other hook.
 */
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRecord } from '../../core/shape.ts';
import { runHost } from '../../demo/claude.ts';
import { watchJournal } from '../../demo/happening.ts';
import { replies, startModel } from '../../demo/model.ts';
import { setStage, type Stage } from '../../demo/stage.ts';
import { ok, problem, type Finding } from '../../hosts/finding.ts';
import { ownPlugins, type Layer } from '../../hosts/claude-code/setup/layers.ts';
import {
  commandsFolder,
  configFolder,
  placeHere,
  settingsPath,
  type Place,
} from '../../hosts/claude-code/setup/places.ts';
import { programBeside } from '../../hosts/claude-code/setup/program.ts';
import { onlyOurHooks } from '../../hosts/claude-code/setup/registration.ts';
import { readSettings, type Settings } from '../../hosts/claude-code/setup/settings.ts';
import { shippedCommands } from '../../hosts/claude-code/setup/shipped.ts';
import { findClaude } from './claude.ts';

export interface Probe {
  readonly place: Place;
  readonly layers: readonly Layer[];
  readonly plugin: string;
  /** Where a program of the host may stand beside, when there is none on the PATH. */
  readonly start: string;
}

const LONGEST_MS = 30_000;

export async function probeHook(probe: Probe): Promise<Finding> {
  const { env } = probe.place;
  const found = findClaude(env);
  const program = found.ok ? found.program : programBeside(probe.start, probe.place.platform, process.arch);
  if (program === null) return problem('probe', 'The host could not be run.', found.ok ? '' : found.next);
  const stage = setStage({}, env);
  const model = await startModel(replies(['Probed.']));
  try {
    furnish(stage, probe);
    const command = ownPlugins(probe.layers).length > 0 ? '/dacapo:ralph' : '/ralph';
    const args = ['--', `${command} Say one word --max-iterations 1`];
    await runHost(program, args, {
      stage,
      model: model.url,
      signal: AbortSignal.timeout(LONGEST_MS),
      heard: () => undefined,
    });
    return judge(stage);
  } finally {
    await model.close();
    stage.clear();
  }
}

function judge(stage: Stage): Finding {
  const journal = watchJournal(stage.dacapoHome, () => undefined);
  const remedy =
    'See the other findings; an organisation may also forbid hooks (/status in claude shows its settings).';
  if (journal.events().length === 0)
    return problem('probe', 'The host was run, and did not call the hook for the start command.', remedy);
  return journal.events().some(({ type }) => type === 'verdict')
    ? ok('probe', 'The host was run, and called the hook: a loop was started and its stop was judged')
    : problem('probe', 'The host was run, and did not call the hook for its stop.', remedy);
}

/** The person's registration, moved to the stage. */
function furnish(stage: Stage, { place, layers, plugin }: Probe): void {
  const there = placeHere(stage.project, stage.env, place.platform);
  for (const { name, settings } of layers)
    if (name !== 'managed' && settings !== null) writeJson(settingsPath(name, there), ours(settings));
  for (const scope of ['user', 'project'] as const) {
    for (const { file } of shippedCommands(plugin)) {
      const path = join(commandsFolder(scope, place), file);
      if (existsSync(path)) cpSync(path, join(commandsFolder(scope, there), file));
    }
  }
  for (const name of ['installed_plugins.json', 'known_marketplaces.json']) {
    const known = readSettings(join(configFolder(place.env), 'plugins', name));
    if (known !== null) writeJson(join(configFolder(stage.env), 'plugins', name), known);
  }
}

const KEPT = ['disableAllHooks', 'extraKnownMarketplaces'];

function ours(settings: Settings): Settings {
  const kept = Object.entries(settings).filter(([key]) => KEPT.includes(key));
  const plugins = isRecord(settings['enabledPlugins']) ? Object.entries(settings['enabledPlugins']) : [];
  return {
    ...Object.fromEntries(kept),
    hooks: onlyOurHooks(settings),
    enabledPlugins: Object.fromEntries(plugins.filter(([id]) => id.startsWith('dacapo@'))),
  };
}

function writeJson(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}
