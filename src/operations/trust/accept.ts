/** `--accept-changes`: a person takes the protected files, the lists of items and the environment as they are now. */
import type { Loop } from '../../core/loop.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { acceptChanges } from '../../guard/changed.ts';
import { listsOf } from '../../guard/lists.ts';
import { acceptLists } from '../../guard/removed-items.ts';
import { forgetEnvironment, readDifferences } from './environment.ts';
import type { ProtectedChange } from '../../proofs/changes.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { title } from '../../text/to-person.ts';

export interface Accepted {
  readonly ok: true;
  readonly changes: readonly ProtectedChange[] | null;
  readonly lists: readonly string[];
  readonly gone: number;
}

export function nothingToAccept({ blobs }: OpenLoop, loop: Loop): Refusal | null {
  if (loop.protection.baseline !== null || listsOf(loop).length > 0 || readDifferences(blobs).length > 0)
    return null;
  return refuse('nothing-protected', `Loop ${title(loop)} protects no files.`, 'Leave --accept-changes out.');
}

export function accept(open: OpenLoop, runtime: Runtime): Accepted | Refusal {
  const changes = open.loop().protection.baseline === null ? null : acceptChanges(open, runtime);
  if (changes !== null && 'ok' in changes) return changes;
  const lists = listsOf(open.loop());
  const gone = lists.length === 0 ? 0 : acceptLists(open, runtime);
  forgetEnvironment(open.blobs);
  open.keep();
  return { ok: true, changes, lists, gone };
}
