/** The first run of the checks, before a run has a loop: Ctrl-C ends it and leaves nothing behind. */
import type { StartRequest } from '../../flags/arguments.ts';
import { takeBaseline } from '../../operations/begin/baseline.ts';
import type { Baseline } from '../../operations/begin/prepare.ts';
import type { Configured } from '../../proofs/stop-hooks/configured.ts';
import type { Runtime } from '../../store/runtime.ts';
import { sayingChecks } from '../runtime.ts';
import { listenForStops } from '../terminal/interrupts.ts';
import { shellWord } from '../../core/words/shell-quote.ts';
import { fail } from '../terminal/terminal.ts';
import type { OwnWorktree } from './git.ts';

/** Null: the person pressed Ctrl-C. */
export async function baselineUnlessStopped(
  request: StartRequest,
  project: string,
  configured: Configured | null,
  world: Runtime,
): Promise<Baseline | null> {
  const stops = listenForStops(() => undefined);
  try {
    const saying = { ...sayingChecks(world), stopped: stops.soon };
    const baseline = await takeBaseline(request, project, configured, 'full', saying);
    return stops.soon.aborted ? null : baseline;
  } finally {
    stops.end();
  }
}

export async function stoppedBefore(worktree: OwnWorktree | null): Promise<number> {
  const stays = worktree !== null && !(await worktree.discardUnchanged());
  return fail(
    `the run was stopped before its first iteration.${worktree === null || stays ? '' : ' The work tree was removed again.'}`,
    stays
      ? `the checks have changed files in the work tree, so it stays: git worktree remove --force ${shellWord(worktree.path)} removes it.`
      : 'no loop was made: type the command again to start it.',
  );
}
