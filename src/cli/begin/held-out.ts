/** `--held-out` where a loop begins in a terminal: the person sees the checks named, and the agent sees nothing of them. */
import type { StartRequest } from '../../flags/arguments.ts';
import type { Runtime } from '../../store/runtime.ts';
import { heldOutLines } from '../look/held-out.ts';
import { note } from '../terminal/terminal.ts';

export function noteHeldOut(loop: string, runtime: Runtime): void {
  const lines = heldOutLines(loop, runtime);
  if (lines.length > 0) note(['Da Capo: held out from the agent:', ...lines].join('\n  '));
}

/** This process lives beside its agent, which may list processes with their arguments. The title takes the place of those. */
export function hideHeldOut({ heldOut }: Pick<StartRequest, 'heldOut'>, title: string): void {
  if (heldOut.length > 0) process.title = title;
}
