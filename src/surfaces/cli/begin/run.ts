/**
 * `dacapo run`: drives a new loop, or one that was left, in this terminal, with a new agent for each pass.
 */
import { DEFAULT_PLAN } from '#law/record/plan.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { openWatchdog } from '#base/process/watchdog.ts';
import { beginRun, continueRun } from '#engine/begin/run.ts';
import type { RunBegun, RunHost, RunProgress } from '#engine/begin/run.ts';
import { loopToRun } from '#engine/begin/continue-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { fitByName } from '#engine/driver/fallback.ts';
import { hostOf } from '#hosts/tables/adapters.ts';
import { splitAtDashes } from '#input/words.ts';
import { findProgram } from '#hosts/port/program.ts';
import type { CommandCall } from '../command.ts';
import { refuseNewCommands } from './agent-commands.ts';
import { hideHeldOut, noteHeldOut } from './held-out.ts';
import { driveHere } from './drive.ts';
import { dryRun, failToRun } from './dry-run.ts';
import { EXIT, printable, failFor, printNote, paint } from '../terminal/terminal.ts';
import { listenForStops } from '../terminal/interrupts.ts';
import { notes } from '../terminal/output.ts';
import {
  waitForRelease,
  here,
  choiceOf,
  openViewErrors,
  actor,
  sayingChecks,
  noteRedChecks,
} from '../context.ts';
import { runSet } from '../sets/run-set.ts';
import { readRunLine, type RunLine } from './run-line.ts';
import { sayWhere } from './worktree.ts';

export async function runRun({ words, ...call }: Pick<CommandCall, 'words' | 'runtime'>): Promise<number> {
  const viewErrors = openViewErrors();
  const runtime = { ...call.runtime, onViewError: viewErrors.hear };
  const line = readRunLine(words, DEFAULT_PLAN, (chosen, going) => {
    const loop = going && loopToRun(choiceOf(going.loop ?? undefined), runtime);
    return hostOf({ host: chosen ?? loop?.host ?? '' });
  });
  if (!line.ok) return failFor(line, EXIT.usage);
  const { what, host } = line.value;
  if (what.is === 'run') hideHeldOut(what.request, 'dacapo run');
  const refused = await refuseNewCommands(splitAtDashes(words).ours, [], runtime);
  if (refused !== null) return failFor(refused);
  const found = findProgram(host, process.env);
  if (!found.ok) return failFor(found);
  const on = { host: host.headless, program: found.program };
  if (line.value.isDry && what.is === 'run') return dryRun({ ...line.value, what }, on, runtime);
  const costUsd = what.is === 'run' ? what.request.maxCostUsd : null;
  for (const name of line.value.fallbackHosts) {
    const fit = fitByName(name, { project: here(), plan: DEFAULT_PLAN, costUsd }, runtime);
    if (!fit.ok) return failToRun(fit);
  }
  const { loops } = line.value;
  if (loops !== null && what.is === 'run')
    return runSet({ ...line.value, what, loops }, on, viewErrors, runtime);
  // Opened before we query the host, so that the watchdog starts up meanwhile.
  const watchdog = openWatchdog(process.env);
  try {
    const begun = await beginOrContinue(line.value, on, runtime);
    if (!begun.ok) return failToRun(begun);
    const { open, proofs } = begun;
    noteRedChecks(proofs, open.loop().project);
    noteHeldOut(open.loop().id, runtime);
    try {
      const code = await driveHere(begun, { on, as: line.value.as, watchdog, viewErrors }, runtime);
      for (const words of await sayWhere(open.look(), runtime)) printNote(words);
      return code;
    } finally {
      open.close();
    }
  } finally {
    watchdog.close();
  }
}

async function beginOrContinue(
  { what, worktree, planned }: RunLine,
  on: RunHost,
  runtime: Runtime,
): Promise<RunBegun> {
  if (what.is === 'go-on') {
    const order = { choice: choiceOf(what.loop ?? undefined), planned, by: actor(), on };
    return waitForRelease(() => continueRun(order, runtime));
  }
  // Until there is a loop, Ctrl-C leaves nothing behind.
  const stops = listenForStops(() => undefined);
  try {
    const order = { ...what, project: here(), worktree, by: actor(), on, tell: showProgress };
    return await beginRun(order, { ...sayingChecks(runtime), stopped: stops.soon });
  } finally {
    stops.end();
  }
}

const MAX_COMMAND_CHARS = 120;

function showProgress(progress: RunProgress): void {
  switch (progress.is) {
    case 'note':
      return printNote(`Da Capo: ${progress.text}`);
    case 'sets-up':
      return printNote(`Da Capo: prepares the work tree: ${oneLine(progress.command, MAX_COMMAND_CHARS)}`);
    case 'output':
      // Scripts of the project write it.
      notes.write(printable(progress.text.replaceAll('\r', '\n'), paint.isOn));
  }
}
