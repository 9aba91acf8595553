/** What a new loop takes from its project and its user; `configure.ts` finds it out. */
import type { TreeMark } from '../../core/record/mark.ts';
import type { ConfigDescription } from './process.ts';

/** A hook only judges what was seen; a command that takes minutes should be a check. */
export const HOOK_MS = 60_000;
export const HOOKS_MS = 120_000;

export interface Configured {
  readonly ok: true;
  /** Null if the hooks are the user's own and the project has no config. */
  readonly config: { readonly file: string; readonly digest: string } | null;
  readonly found: ConfigDescription;
  /** The present work tree, if there are hooks to report changes to. */
  readonly mark: TreeMark | null;
  /** The folder with the trees of that mark; the loop takes it over. */
  readonly marks: string | null;
}
