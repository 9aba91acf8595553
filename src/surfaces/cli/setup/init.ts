/**
 * `dacapo init` gives the host our hooks and commands and lifts its cap. `dacapo uninstall` removes that;
 * loops stay.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasEnded } from '#law/loop.ts';
import { plural, sayNames } from '#law/words/phrases.ts';
import { removeEmptyFolders } from '#base/files/paths.ts';
import { branchesOfRuns } from '#evidence/git/worktree/branch.ts';
import { hostOf } from '#hosts/tables/adapters.ts';
import { environmentFindings, gitPlaceFinding } from '#hosts/port/program.ts';
import type { Finding } from '#hosts/port/headless.ts';
import { chosenNames } from '#hosts/tables/names.ts';
import type { Scope, SettingsOrder, SettingsPlan } from '#hosts/port/command-line.ts';
import { commandFor, findLayouts } from '#evidence/lists/layouts.ts';
import { findHome } from '#store/file/home.ts';
import { excludeFile } from '#evidence/views/exclude.ts';
import { APPROVED, OWN_FOLDER, PENDING, REJECTED } from '#evidence/views/places.ts';
import { STATE_FOLDER } from '#evidence/views/state-folder.ts';
import type { CommandCall, GivenFlags } from '../command.ts';
import { findLoops, here, placeOf, shownPath } from '../context.ts';
import { PLUGIN } from '#base/process/package.ts';
import { confirm, isConversation } from '../terminal/confirm.ts';
import { fail, paint, reply, linesWhen, failUsage } from '../terminal/terminal.ts';
import { planLines, planReport } from './edits.ts';
import { findingLines, waitingFindings } from './home-findings.ts';
import { findTraces, removeTraces, sayTraces } from './traces.ts';

type InitOptions = GivenFlags<'dryRun' | 'cap' | 'statusline' | 'json'> & {
  readonly scope: Scope;
  readonly host: string;
};

export async function runInit(options: InitOptions, { runtime }: CommandCall): Promise<number> {
  const host = hostOf(options);
  const { settings } = host;
  if (options.statusline && settings.statusLine === undefined)
    return failUsage(
      `${host.title} has no status bar for us.`,
      `run dacapo init --host ${host.name} without --statusline`,
    );
  const statusline = options.statusline || (await wantsStatusLine(options));
  const order = orderHere({ ...options, statusline });
  const plan = settings.planInstall(order);
  if (!plan.ok) return fail(plan.message, plan.next);
  if (!options.dryRun) plan.apply();
  const findings = [
    ...environmentFindings(host, process.env, process.version),
    gitPlaceFinding(process.env),
    ...(settings.rivalFindings?.(order.place) ?? []),
    ...settings.installFindings(order),
    ...waitingFindings(here(), runtime),
  ];
  const layouts = layoutsIn(here());
  const { scope, dryRun } = options;
  return reply(
    options.json,
    { host: host.name, scope, dry_run: dryRun, ...planReport(plan), findings, layouts },
    ...initLines(options, plan, findings, layouts),
  );
}

function orderHere({
  scope,
  cap = true,
  statusline = false,
}: Pick<InitOptions, 'scope'> & Partial<InitOptions>): SettingsOrder {
  const place = placeOf(here());
  const home = findHome(process.env, process.platform).dir;
  const exclude = excludeFile(place.project);
  return { scope, cap, statusLine: statusline, place, plugin: PLUGIN, home, exclude };
}

async function wantsStatusLine({ host, dryRun, json }: InitOptions): Promise<boolean> {
  if (dryRun || !isConversation(json)) return false;
  const { settings, title } = hostOf({ host });
  const shown = settings.statusLine?.(placeOf(here())) ?? 'ours';
  if (shown === 'ours') return false;
  const beside = shown === 'none' ? '' : ', in front of your own line';
  return confirm(`Show a running loop in the status bar of ${title}${beside}?`, true);
}

function layoutsIn(project: string) {
  return findLayouts(project).map((layout) => ({
    tool: layout.tool,
    files: [layout.prompt, layout.list].filter((file) => file !== null),
    ...commandFor(layout, project),
  }));
}

function initLines(
  { host: name, scope, dryRun }: InitOptions,
  plan: SettingsPlan,
  findings: readonly Finding[],
  layouts: ReturnType<typeof layoutsIn>,
): string[] {
  const where = `${FOR_WHOM[scope]} (${shownPath(plan.settings)})`;
  const { word, commands } = hostOf({ host: name });
  const start = `Next: start ${word} ${scope === 'user' ? 'anywhere' : 'in this folder'} and type`;
  const flag = name === chosenNames().name ? '' : ` --host ${name}`;
  const head =
    plan.edits.length === 0
      ? `Da Capo is already installed ${where}. Nothing to do.`
      : `Da Capo ${dryRun ? 'would be' : 'is'} installed ${where}.`;
  return [
    ...planLines(head, plan, dryRun),
    '',
    ...findingLines(findings),
    '',
    ...layouts.flatMap(({ files, tool, command, why }) => [
      `Found ${files.join(' and ')} (${tool}). To continue with ` +
        `${files.length === 1 ? 'it' : 'them'}, type:  ${paint.bold(command)}`,
      ...(why === null ? [] : [paint.dim(`${why}, so the agent says when it is done.`)]),
      '',
    ]),
    ...(dryRun && plan.edits.length > 0
      ? ['Next: the same command without --dry-run installs it.']
      : [
          commands === null
            ? `Next: ${paint.bold(`dacapo ready${flag} "PROMPT" --check "npm test"`)} prepares a loop, ` +
              'and says what to type.'
            : `${start}  ${paint.bold(`${commands.start} PROMPT --check "npm test"`)}`,
          paint.dim(`dacapo doctor${flag} checks the installation; dacapo uninstall${flag} reverts it.`),
        ]),
  ];
}

const FOR_WHOM: Readonly<Record<Scope, string>> = {
  local: 'for you, in this project',
  project: 'for everyone, in this project',
  user: 'for you, in every project',
};

/** Folders that a loop makes in a project, each before those in it. */
const OUR_FOLDERS = [
  STATE_FOLDER,
  OWN_FOLDER,
  ...[PENDING, APPROVED, REJECTED].map((one) => join(OWN_FOLDER, one)),
];

export async function runUninstall(
  { host, scope, dryRun, json }: Pick<InitOptions, 'host' | 'scope' | 'dryRun' | 'json'>,
  { runtime }: CommandCall,
): Promise<number> {
  const plan = hostOf({ host }).settings.planUninstall(orderHere({ scope }));
  if (!plan.ok) return fail(plan.message, plan.next);
  if (!dryRun) plan.apply();
  const loops = findLoops(true, runtime);
  const open = loops.filter((loop) => !hasEnded(loop));
  const traces = await findTraces([here()], open);
  if (!dryRun) {
    removeTraces(traces);
    removeEmptyFolders(OUR_FOLDERS.map((folder) => join(here(), folder)));
  }
  const home = runtime.store.place();
  const openHere = open.filter(({ project }) => project === here()).map(({ id }) => id);
  const branches = await branchesOfRuns(here());
  const { edits, settings } = plan;
  const head =
    edits.length === 0
      ? `There is nothing of Da Capo's in ${shownPath(settings)}.`
      : `Da Capo ${dryRun ? 'would be' : 'is'} removed from ${shownPath(settings)}.`;
  return reply(
    json,
    {
      host,
      scope,
      dry_run: dryRun,
      ...planReport(plan),
      repositories: traces,
      stays: { home, loops: loops.length, open: openHere, branches },
    },
    ...planLines(head, plan, dryRun),
    ...sayTraces(traces, dryRun),
    ...sayStaying(home, loops.length, openHere, branches),
  );
}

/** `open`: the loops of this project that have not ended: their files stay in it. */
function sayStaying(
  home: string,
  loops: number,
  open: readonly string[],
  branches: readonly string[],
): string[] {
  return [
    ...linesWhen(
      existsSync(home),
      '',
      loops === 0
        ? `Stays: ${home}, with its log. Delete the folder to remove it.`
        : `Stays: ${home}, with ${plural(loops, 'loop')}. dacapo prune --all --older-than 0s removes ` +
            'those that are finished; delete the folder to remove all.',
    ),
    ...linesWhen(
      open.length > 0,
      `Still open in this project: ${sayNames(open)}. dacapo cancel ends a loop and removes its file ` +
        'from here.',
    ),
    ...linesWhen(
      branches.length > 0,
      `Stays: what runs committed in work trees of their own, in your branches: ${sayNames(branches)}.`,
    ),
  ];
}
