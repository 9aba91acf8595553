/** What a loop brings along that was begun elsewhere: how far it has come, and the frames of a stack (seed 001). */
import type { FrameFields, Gate, Mode } from '../core/definition.ts';
import type { By } from '../core/events.ts';
import { keepPrompt } from '../store/file/prompts.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Places } from './view.ts';
import type { World } from '../store/runtime.ts';

export interface Begun {
  /** Its own id, where it has one that can be ours. */
  readonly id?: string;
  /** Of the outermost frame of a stack: there the signal of the mode is the gate, and nothing else. */
  readonly mode?: Mode;
  readonly passes: number;
  /** The frames inside that one, outermost first. */
  readonly inner?: readonly BegunFrame[];
  readonly places?: Partial<Places>;
  /** What was found, as it was found. */
  readonly copies?: readonly { readonly name: string; readonly bytes: string | Uint8Array }[];
}

export interface BegunFrame {
  readonly mode: Mode;
  readonly prompt: string;
  readonly iterations: number | null;
  readonly passes: number;
}

const SIGNAL: readonly Gate[] = [{ kind: 'signal' }];

/** What a state of a stack says of its outermost frame goes before what a start would give it. */
export function asBegun<T extends Pick<FrameFields, 'mode' | 'gates'>>(
  frame: T,
  begun: Begun | undefined,
): T {
  return begun?.mode === undefined ? frame : { ...frame, mode: begun.mode, gates: SIGNAL };
}

/** Whoever takes the loop up is given the innermost task; each of the others goes on when the one inside it is over. */
export function pushBegun(open: OpenLoop, frames: readonly BegunFrame[], by: By, world: World): void {
  for (const { mode, prompt, iterations, passes } of frames) {
    const frame: FrameFields = {
      mode,
      prompt: keepPrompt(open.dir, prompt),
      gates: SIGNAL,
      require: 'all',
      atLeast: 0,
      iterations,
      items: null,
      item: null,
    };
    open.write({ type: 'pushed', at: world.now(), by, prompt: null, frame, passes });
  }
}
