/**
 * `--held-out` where a loop begins in a terminal: the checks are named to the person, and not to the agent.
 */
import type { StartRequest } from '#input/arguments.ts';
import type { Runtime } from '#store/runtime.ts';
import { heldOutLines } from '../look/held-out.ts';
import { printNote } from '../terminal/terminal.ts';

export function noteHeldOut(loop: string, runtime: Runtime): void {
  const lines = heldOutLines(loop, runtime);
  if (lines.length > 0) printNote(['Da Capo: held out from the agent:', ...lines].join('\n  '));
}

/**
 * This process runs beside its agent, which may list processes. The title takes the place of the arguments.
 */
export function hideHeldOut({ heldOut }: Pick<StartRequest, 'heldOut'>, title: string): void {
  if (heldOut.length > 0) process.title = title;
}
