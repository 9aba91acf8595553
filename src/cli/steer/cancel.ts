/** `dacapo cancel`: works from any terminal, asks no model, and takes the view away. */
import { hasEnded, type Loop } from '../../core/loop.ts';
import { report } from '../../text/report.ts';
import { sayStatus } from '../../text/status.ts';
import { sayEnded, title } from '../../text/to-person.ts';
import { cancelLoop } from '../../operations/control.ts';
import type { World } from '../../store/runtime.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { findLoops, pickLoop, withLoop } from '../loops.ts';
import { fail, say, sayJson } from '../terminal/terminal.ts';
import { cliWorld, hand } from '../runtime.ts';

export interface CancelOptions {
  readonly id: string | undefined;
  readonly all: boolean;
  readonly json: boolean;
}

export async function runCancel({ id, all, json }: CancelOptions): Promise<number> {
  const world = cliWorld();
  if (all && id !== undefined)
    return fail('an ID and --all contradict each other.', 'give one of the two.', EXIT.usage);
  const meant = all ? findLoops(false, world).filter(canBeCancelled) : pick(id, world);
  if (typeof meant === 'number') return meant;
  const cancelled = meant.flatMap((loop) => {
    const now = withLoop(loop.id, world, (open) => cancelLoop(open, hand(), null, world));
    return now === null ? [] : [now];
  });
  if (json) sayJson(cancelled.map((loop) => report(loop, world.now())));
  else if (cancelled.length > 0) say(...cancelled.map((loop) => sayEnded(loop)));
  else say(nothing(meant));
  return EXIT.ok;
}

function pick(id: string | undefined, world: World): readonly Loop[] | number {
  const picked = pickLoop(id, 'cancel', canBeCancelled, world);
  if (picked.is === 'refused') return picked.exit;
  return picked.is === 'none' ? [] : [picked.loop];
}

function canBeCancelled(loop: Loop): boolean {
  return !hasEnded(loop);
}

/** To cancel what is over is no error: what was asked for holds. */
function nothing([loop]: readonly Loop[]): string {
  return loop === undefined
    ? 'No active Ralph loop in this project.'
    : `Nothing to cancel: loop ${title(loop)} ${sayStatus(loop)}.`;
}
