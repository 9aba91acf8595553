/**
 * A loop that another tool began, in the terms of a start: what it asks for, how far it has come, which files
 * show it.
 */
import type { FrameRecord, Gate, Mode, ViewKind } from '#law/record/definition.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { isIn } from '#base/files/paths.ts';
import type { FileReading } from '#base/files/read.ts';
import type { Actor } from '#law/record/events.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { keepPrompt } from '#store/prompts.ts';

export interface Imported {
  readonly ok: true;
  readonly project: string;
  readonly files?: readonly string[];
  readonly prompt: string;
  readonly fields: ImportedFields;
  readonly imported: ImportedStart;
  readonly session: string | null;
  /** The id in it: it may be the id of a loop of ours. */
  readonly known: string | null;
  /** True where only Da Capo writes such an id; in other formats another tool may have written it. */
  readonly isOurs: boolean;
  readonly notes: readonly string[];
  /** Prompts that it takes from files outside the project, which a person has to name. */
  readonly outside?: readonly string[];
}

/** What it asks for, by the fields of a start (`readStartFields`). */
export interface ImportedFields {
  readonly maxIterations?: number | 'unlimited';
  readonly promise?: string;
  readonly features?: string;
  readonly require?: 'any';
  readonly watchFile?: string;
  readonly doneFolder?: string;
  readonly view?: ViewKind;
}

/** The state of another tool, which names no session. */
export const FOREIGN_STATE = { ok: true, session: null, known: null, isOurs: false, notes: [] } as const;

export const AGAIN = 'nothing was changed; correct it and try again.';
export const CORRECT_FILE = 'nothing was changed; correct the file and try again.';

export interface ImportPlaces {
  readonly vault: string | null;
  /** `RALPH_LOOP_DIR`, the folder of the progress file. */
  readonly loopFolder: string | null;
  readonly files?: Partial<Record<ViewKind, string>>;
  /** The run in the stack's topic that this loop continues. */
  readonly stackRun?: string | null;
}

export interface ImportedStart {
  /** Its own id, if we can use it. */
  readonly id?: string;
  /** The mode of the outermost frame of a stack. There the signal of the mode is the only gate. */
  readonly mode?: Mode;
  readonly passes: number;
  /** The frames inside that one, outermost first. */
  readonly inner?: readonly BegunFrame[];
  readonly places?: Partial<ImportPlaces>;
  readonly copies?: readonly { readonly name: string; readonly bytes: string | Uint8Array }[];
}

export interface BegunFrame {
  readonly mode: Mode;
  readonly prompt: string;
  readonly iterations: number | null;
  readonly passes: number;
}

const SIGNAL: readonly Gate[] = [{ kind: 'signal' }];

/** The mode of an imported stack overrides what a start would give its outermost frame. */
export function asBegun<T extends Pick<FrameRecord, 'mode' | 'gates'>>(
  frame: T,
  imported: ImportedStart | undefined,
): T {
  return imported?.mode === undefined ? frame : { ...frame, mode: imported.mode, gates: SIGNAL };
}

/**
 * Pushes the inner frames. The innermost is worked on now; each outer one resumes when the one inside it
 * ends.
 */
export function pushBegun(open: OpenLoop, frames: readonly BegunFrame[], by: Actor, runtime: Runtime): void {
  for (const { mode, prompt, iterations, passes } of frames) {
    const frame: FrameRecord = {
      mode,
      prompt: keepPrompt(open.blobs, prompt),
      gates: SIGNAL,
      require: 'all',
      atLeast: 0,
      iterations,
      items: null,
      item: null,
    };
    open.write({ type: 'pushed', at: runtime.now(), by, prompt: null, frame, passes });
  }
}

/**
 * The person's current folder, if the path lies below it; otherwise the project that the layout of the path
 * implies.
 */
export function projectOf(path: string, here: string, layout: string | null): string {
  return isIn(path, here) ? here : (layout ?? here);
}

export function refuseUnreadable(file: string, found: Exclude<FileReading, { is: 'content' }>): Refusal {
  const why = found.is === 'gone' ? 'gone' : found.why;
  return refuse('no-file', `${file} can't be read (${why}).`, CORRECT_FILE);
}

export function sayNoPrompt(found: FileReading): string {
  if (found.is === 'unreadable') return `can't be read (${found.why})`;
  return found.is === 'gone' ? 'is not there' : 'is empty';
}

export function refuseNoneLeft(name: string, iteration: number, limit: number, field: string): Refusal {
  return refuse(
    'used-up',
    `${name} is at iteration ${iteration} of ${limit}: none is left.`,
    `raise ${field} and try again.`,
  );
}
