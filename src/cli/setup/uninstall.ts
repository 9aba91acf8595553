/**
 * `dacapo uninstall`: removes what `dacapo init` added and what removed loops left in the repository. It keeps loops
 * and branches, and says where they are.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasEnded } from '../../core/loop.ts';
import { plural, sayNames } from '../../core/words/phrases.ts';
import { branchesOfRuns } from '../../git/worktree/branch.ts';
import { chosenHost } from '../../hosts/adapters.ts';
import type { Scope, SettingsPlan } from '../../hosts/command-line.ts';
import { editLines, editReports } from './edits.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { orderHere } from './init.ts';
import { findLoops } from '../loops.ts';
import { here, shownPath } from '../project.ts';
import { cliRuntime } from '../runtime.ts';
import { fail, paint, say, sayJson } from '../terminal/terminal.ts';
import { removeEmptyFolders } from '../../files/paths.ts';
import { APPROVED, OWN_FOLDER, PENDING, REJECTED, STATE_FOLDER } from '../../views/places.ts';
import { findTraces, removeTraces, sayTraces } from './traces.ts';

/** Folders that a loop makes in a project, each before those in it. */
const OUR_FOLDERS = [
  STATE_FOLDER,
  OWN_FOLDER,
  ...[PENDING, APPROVED, REJECTED].map((one) => join(OWN_FOLDER, one)),
];

export interface UninstallOptions {
  readonly scope: Scope;
  readonly dryRun: boolean;
  readonly json: boolean;
}

export async function runUninstall(options: UninstallOptions): Promise<number> {
  const plan = chosenHost().settings.planUninstall(orderHere(options));
  if (!plan.ok) return fail(plan.message, plan.next);
  if (!options.dryRun) plan.apply();
  const runtime = cliRuntime();
  const loops = findLoops(true, runtime);
  const open = loops.filter((loop) => !hasEnded(loop));
  const traces = await findTraces([here()], open);
  if (!options.dryRun) {
    removeTraces(traces);
    removeEmptyFolders(OUR_FOLDERS.map((folder) => join(here(), folder)));
  }
  const stays = {
    home: runtime.store.place(),
    loops: loops.length,
    open: loops.filter((loop) => loop.project === here() && !hasEnded(loop)).map(({ id }) => id),
    branches: await branchesOfRuns(here()),
  };
  if (options.json) sayJson({ ...reportOf(options, plan), repositories: traces, stays });
  else say(...tell(options, plan), ...sayTraces(traces, options.dryRun), ...sayStaying(stays));
  return EXIT.ok;
}

function reportOf({ scope, dryRun }: UninstallOptions, { settings, edits, notes }: SettingsPlan): object {
  return { scope, dry_run: dryRun, settings, edits: editReports(edits), notes };
}

interface Staying {
  readonly home: string;
  readonly loops: number;
  /** The loops of this project that have not ended: their files stay in it. */
  readonly open: readonly string[];
  readonly branches: readonly string[];
}

function sayStaying({ home, loops, open, branches }: Staying): string[] {
  return [
    ...(existsSync(home)
      ? [
          '',
          loops === 0
            ? `Stays: ${home}, with its log. Delete the folder to remove it.`
            : `Stays: ${home}, with ${plural(loops, 'loop')}. dacapo prune --older-than 0s removes those that have ended; delete the folder to remove all.`,
        ]
      : []),
    ...(open.length === 0
      ? []
      : [
          `Still open in this project: ${sayNames(open)}. dacapo cancel ends a loop and removes its file from here.`,
        ]),
    ...(branches.length === 0
      ? []
      : [`Stays: what runs committed in work trees of their own, in your branches: ${sayNames(branches)}.`]),
  ];
}

function tell({ dryRun }: UninstallOptions, { settings, edits, notes }: SettingsPlan): string[] {
  const head =
    edits.length === 0
      ? `There is nothing of Da Capo's in ${shownPath(settings)}.`
      : `Da Capo ${dryRun ? 'would be' : 'is'} removed from ${shownPath(settings)}.`;
  return [
    paint.bold(head),
    ...(edits.length === 0 ? [] : ['', ...editLines(edits, dryRun)]),
    ...(dryRun ? [paint.bold('Nothing was changed.')] : []),
    ...notes.flatMap((note) => ['', `${paint.yellow('!')} ${note}`]),
  ];
}
