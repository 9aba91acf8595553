/** `dacapo uninstall`: removes what `init` added and removed loops left. Loops and branches stay, and it says where. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasEnded } from '../../core/loop.ts';
import { plural, sayNames } from '../../core/words/phrases.ts';
import { branchesOfRuns } from '../../git/worktree/branch.ts';
import { hostOf } from '../../hosts/adapters.ts';
import type { Scope } from '../../hosts/command-line.ts';
import { fail, reply, when } from '../terminal/terminal.ts';
import { planLines, planReport } from './edits.ts';
import { orderHere } from './init.ts';
import { findLoops } from '../loops.ts';
import { here, shownPath } from '../project.ts';
import { cliRuntime } from '../runtime.ts';
import { removeEmptyFolders } from '../../files/paths.ts';
import { APPROVED, OWN_FOLDER, PENDING, REJECTED } from '../../views/places.ts';
import { STATE_FOLDER } from '../../views/state-folder.ts';
import { findTraces, removeTraces, sayTraces } from './traces.ts';
import type { Given } from '../command.ts';

/** Folders that a loop makes in a project, each before those in it. */
const OUR_FOLDERS = [
  STATE_FOLDER,
  OWN_FOLDER,
  ...[PENDING, APPROVED, REJECTED].map((one) => join(OWN_FOLDER, one)),
];

export async function runUninstall({
  host,
  scope,
  dryRun,
  json,
}: Given<'dryRun' | 'json'> & { readonly scope: Scope; readonly host: string }): Promise<number> {
  const plan = hostOf({ host }).settings.planUninstall(orderHere({ scope }));
  if (!plan.ok) return fail(plan.message, plan.next);
  if (!dryRun) plan.apply();
  const runtime = cliRuntime();
  const loops = findLoops(true, runtime);
  const open = loops.filter((loop) => !hasEnded(loop));
  const traces = await findTraces([here()], open);
  if (!dryRun) {
    removeTraces(traces);
    removeEmptyFolders(OUR_FOLDERS.map((folder) => join(here(), folder)));
  }
  const stays = {
    home: runtime.store.place(),
    loops: loops.length,
    open: loops.filter((loop) => loop.project === here() && !hasEnded(loop)).map(({ id }) => id),
    branches: await branchesOfRuns(here()),
  };
  const { edits, settings } = plan;
  const head =
    edits.length === 0
      ? `There is nothing of Da Capo's in ${shownPath(settings)}.`
      : `Da Capo ${dryRun ? 'would be' : 'is'} removed from ${shownPath(settings)}.`;
  return reply(
    json,
    { host, scope, dry_run: dryRun, ...planReport(plan), repositories: traces, stays },
    ...planLines(head, plan, dryRun),
    ...sayTraces(traces, dryRun),
    ...sayStaying(stays),
  );
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
    ...when(
      existsSync(home),
      '',
      loops === 0
        ? `Stays: ${home}, with its log. Delete the folder to remove it.`
        : `Stays: ${home}, with ${plural(loops, 'loop')}. dacapo prune --older-than 0s removes those that have ended; delete the folder to remove all.`,
    ),
    ...when(
      open.length > 0,
      `Still open in this project: ${sayNames(open)}. dacapo cancel ends a loop and removes its file from here.`,
    ),
    ...when(
      branches.length > 0,
      `Stays: what runs committed in work trees of their own, in your branches: ${sayNames(branches)}.`,
    ),
  ];
}
