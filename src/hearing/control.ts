/** A person's hand on a loop, from a session or a terminal: cancel, pause, resume. */
import type { By } from '../core/events.ts';
import { hasEnded, type Loop } from '../core/loop.ts';
import type { OpenLoop } from '../journal/store.ts';
import { renderView } from './view.ts';
import type { World } from './world.ts';

/** Null: it had ended before. Of two cancels the first in file order stands. */
export function cancelLoop(open: OpenLoop, by: By, prompt: string | null, world: World): Loop | null {
  if (hasEnded(open.look())) return null;
  open.write({ type: 'cancelled', at: world.now(), by, prompt });
  return settle(open, world);
}

export function pauseLoop(
  open: OpenLoop,
  by: By,
  why: 'command' | 'prompt' | 'clear',
  world: World,
): Loop | null {
  const loop = open.look();
  if (hasEnded(loop) || loop.status.is === 'paused') return null;
  open.write({ type: 'paused', at: world.now(), by, why });
  return settle(open, world);
}

export interface Resumption {
  readonly by: By;
  /** The session that goes on, where it is known now; else the one that had it. */
  readonly session: string | null;
  readonly process: number | null;
  readonly prompt: string | null;
  /** A new limit, for a loop that has used up its own. */
  readonly iterations: number | null;
}

export function resumeLoop(open: OpenLoop, resumption: Resumption, world: World): Loop {
  open.write({ type: 'resumed', at: world.now(), ...resumption });
  return settle(open, world);
}

function settle(open: OpenLoop, world: World): Loop {
  const loop = renderView(open, world);
  open.keep();
  return loop;
}
