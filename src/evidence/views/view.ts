/**
 * The port of the views. A view shows a loop in a format that people or other tools know, and records what
 * they change in it. Its adapters are `markdown`, `progress`, `vault` and `stack`; `registry.ts` lists them.
 */
import type { ViewKind } from '#law/record/definition.ts';
import type { Refusal } from '#base/refusal.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import type { Imported, ImportPlaces } from './imported.ts';

export interface View {
  readonly kind: ViewKind;
  /** Gives the loop this view, and shows it there. Returns its file, as seen from the project. */
  readonly make: (open: OpenLoop, places: Partial<ImportPlaces>, runtime: Runtime) => string;
  /** Records, as events, what others did to the file. */
  readonly read: (open: OpenLoop, file: string, runtime: Runtime) => Settled;
  /** Shows the loop as it is now. The caller has just read the view. */
  readonly render: (open: OpenLoop, file: string, runtime: Runtime) => void;
  /**
   * Restores the view of a reopened loop. Returns the file that was made; null: the old one is still there.
   */
  readonly restore: (open: OpenLoop, file: string, runtime: Runtime) => string | null;
  /** A file of this view that is as we wrote it, although the record names none. */
  readonly find?: (open: OpenLoop) => string | null;
  /** Removes a view that was just made, and that the record could not take. */
  readonly discard?: (open: OpenLoop, file: string) => void;
  readonly import: {
    readonly place: string;
    readonly knows: (named: Named) => boolean;
    /**
     * `here`: the folder that the person is in. Writes nothing, and takes over no command that the file may
     * name.
     */
    readonly from: (path: string, here: string, runtime: Runtime) => Imported | Refusal;
  };
}

export type ViewChange =
  | { readonly is: 'untouched' | 'cancelled' }
  /** The file belongs to another loop now, or names none. */
  | { readonly is: 'foreign' }
  /** `aborted`: it says so. `garbage`: it can't be trusted. */
  | { readonly is: 'aborted' | 'garbage'; readonly why: string }
  | ({ readonly is: 'edited'; readonly prompt: string | null } & LimitRead)
  /** An edit of a frame that is not the current one. */
  | { readonly is: 'past' };

/** Null: the file names no limit, or the same as before. */
export interface LimitRead {
  readonly iterations: number | 'unlimited' | null;
}

/** `unsettled`: another process is writing the file right now, so we read and replace it at the next stop. */
export type Settled = 'settled' | 'unsettled';

export interface Named {
  readonly path: string;
  readonly is: 'file' | 'folder' | 'nothing';
}
