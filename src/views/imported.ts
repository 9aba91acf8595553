/** A loop that was begun elsewhere, in the words of a start: what it asks for, how far it has come, which files show it. */
import { isAbsolute, relative, sep } from 'node:path';
import type { FrameFields, Gate, Mode, ViewKind } from '../core/definition.ts';
import type { By } from '../core/events.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { keepPromptOf } from './task.ts';

export interface Imported {
  readonly ok: true;
  readonly project: string;
  readonly prompt: string;
  /** Flags of the start command. */
  readonly flags: readonly string[];
  readonly begun: Begun;
  /** The session that it is meant for, where it says so. */
  readonly session: string | null;
  /** A loop of ours that this may be already: the id it carries. */
  readonly known: string | null;
  /** Only Da Capo writes such an id; in other formats it may be another tool's. */
  readonly isOurs: boolean;
  /** What the person should hear. */
  readonly notes: readonly string[];
}

/** Where a view is to stand, as far as someone said so. */
export interface Places {
  readonly vault: string | null;
  /** `RALPH_LOOP_DIR`, where the progress file stands. */
  readonly loopFolder: string | null;
  /** Files that are there already, and become views as they are. */
  readonly files?: Partial<Record<ViewKind, string>>;
  /** The run in the stack's topic that this loop goes on with. */
  readonly stackRun?: string | null;
}

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

/** The innermost task is at work; each of the others goes on when the one inside it is over. */
export function pushBegun(open: OpenLoop, frames: readonly BegunFrame[], by: By, world: Runtime): void {
  for (const { mode, prompt, iterations, passes } of frames) {
    const frame: FrameFields = {
      mode,
      prompt: keepPromptOf(open, prompt),
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

/** Where the person stands, if the path lies below it; else what the layout of the path says. */
export function projectOf(path: string, here: string, layout: string | null): string {
  const below = path === here || path.startsWith(here.endsWith(sep) ? here : here + sep);
  return below ? here : (layout ?? here);
}

/** As a person would write it. */
export function seenFrom(project: string, path: string): string {
  const near = relative(project, path);
  return near.startsWith('..') || isAbsolute(near) ? path : near;
}
