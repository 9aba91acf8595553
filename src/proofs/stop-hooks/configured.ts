/** What a loop takes from its project and its user when it is made; `hooks.ts` finds it out. */
import type { TreeMark } from '../../core/record/mark.ts';
import type { ConfigDescription } from './process.ts';

/** A hook judges what was seen; commands that take minutes are checks. */
export const HOOK_MS = 60_000;
export const HOOKS_MS = 120_000;

export interface Configured {
  readonly ok: true;
  /** Null: the hooks are the user's own, and the project has no config. */
  readonly config: { readonly file: string; readonly digest: string } | null;
  readonly found: ConfigDescription;
  /** The work tree as it is now, if there are hooks to tell. */
  readonly mark: TreeMark | null;
  /** The folder with the trees of that mark; the loop takes it over. */
  readonly marks: string | null;
}
