/**
 * The port of the views. A view shows a loop in a format that people or other tools know, and records what they change in
 * it. Its adapters are `markdown`, `progress`, `vault` and `stack`; `registry.ts` lists them.
 */
import type { ViewKind } from '../core/record/definition.ts';
import type { Refusal } from '../core/refusal.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import type { Imported, ImportPlaces } from './imported.ts';

export interface View {
  readonly kind: ViewKind;
  readonly files: readonly ProjectFile[];
  /** Gives the loop this view, and shows it there. Returns its file, as seen from the project. */
  readonly make: (open: OpenLoop, places: ImportPlaces, runtime: Runtime) => string;
  /** Records, as events, what others did to the file. */
  readonly read: (open: OpenLoop, file: string, runtime: Runtime) => Settled;
  /** Shows the loop as it is now. The caller has just read the view. */
  readonly render: (open: OpenLoop, file: string, runtime: Runtime) => void;
  /** Restores the view of a reopened loop. Returns the file that was made; null: the old one is still there. */
  readonly restore: (open: OpenLoop, file: string, runtime: Runtime) => string | null;
  readonly import: Importer;
}

/** A row in the table of the files that Da Capo keeps in a project. Each view has its rows in `<format>/names.ts`. */
export interface ProjectFile {
  /**
   * - `state`: only Da Capo writes it. The agent may not, git does not show it, no mark of the work tree counts it.
   * - `shared`: the agent's own file, of which some lines are ours. Only those lines are not counted as work.
   * - `aside`: a log or notes. Git does not show it, no mark counts it, and the agent may write it.
   */
  readonly use: 'state' | 'shared' | 'aside';
  /** The name of its folder; null: the folder of the loop's own view, wherever the person put that. */
  readonly folder: string | null;
  /** `*` stands for what differs between loops. */
  readonly name: string;
  /** Which lines of a shared file are ours. */
  readonly ownLines?: RegExp;
}

/** The temporary name under which a file is written before its rename. Takes a path or a name, and the writing process. */
export function temporaryOf(path: string, writer: number | '*' = process.pid): string {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  return `${path.slice(0, at)}.${path.slice(at)}.${writer}.tmp`;
}

/** `unsettled`: another process is writing the file right now, so we read and replace it at the next stop. */
export type Settled = 'settled' | 'unsettled';

/** Reads loops that another tool, or a person, began in this format. */
export interface Importer {
  /** Where a project usually has one. */
  readonly place: string;
  /** Is this file, folder or topic of this format? */
  readonly knows: (named: Named) => boolean;
  /** `here`: the folder that the person is in. Writes nothing, and takes over no command that the file may name. */
  readonly from: (path: string, here: string, runtime: Runtime) => Imported | Refusal;
}

/** What a person named. */
export interface Named {
  readonly path: string;
  readonly is: 'file' | 'folder' | 'nothing';
}
