/** What each view beside the markdown one owes, and what it is told. */
import type { Loop, OtherView } from '../core/loop.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { World } from '../store/runtime.ts';

/** Where a view is to stand, as far as someone said so. */
export interface Places {
  readonly vault: string | null;
  /** Seed 000's RALPH_LOOP_DIR. */
  readonly loopFolder: string | null;
  /** Files that are there already, and become views as they are. */
  readonly files?: Partial<Record<OtherView['kind'], string>>;
  /** The run in the stack's topic that this loop goes on with. */
  readonly stackRun?: string | null;
}

export interface Seen {
  readonly loop: Loop;
  /** Someone is writing it right now: it is read, and replaced, at the next stop. */
  readonly unsettled?: boolean;
}

export interface Keeper {
  /** Gives the loop this view, and shows it there. Returns its file, as seen from the project. */
  readonly make: (open: OpenLoop, places: Places, world: World) => string;
  /** Takes over, as events, what others did to it. */
  readonly look: (open: OpenLoop, file: string, world: World) => Seen;
  /** Shows the loop as it is now, after a look. */
  readonly show: (open: OpenLoop, file: string, world: World) => void;
  /** After a reopening: what an ending took away comes back. */
  readonly restore: (open: OpenLoop, file: string, world: World) => void;
}
