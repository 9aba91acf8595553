/** `dacapo resume --accept-changes`: what an unknown hand did to protected files and lists of items was the person's own, or is to stand. */
import { few } from '../../core/abbreviate.ts';
import type { Loop } from '../../core/loop.ts';
import { sayChange } from '../../proofs/changes.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { plural } from '../../core/phrases.ts';
import { title } from '../../text/to-person.ts';
import { listsOf } from '../../guard/lists.ts';
import { acceptLists } from '../../guard/removed-items.ts';
import { acceptChanges } from '../../guard/changed.ts';
import type { World } from '../../store/runtime.ts';
import type { OpenLoop } from '../../store/open-loop.ts';

const FILES_NAMED = 10;

export function nothingToAccept(loop: Loop): Refusal | null {
  if (loop.baseline !== null || listsOf(loop).length > 0) return null;
  return refuse('nothing-protected', `loop ${title(loop)} protects no files.`, 'leave --accept-changes out.');
}

/** As lines for the person. */
export function accept(open: OpenLoop, world: World): string[] | Refusal {
  const files = acceptedFiles(open, world);
  if ('ok' in files) return files;
  const lists = acceptedLists(open, world);
  open.keep();
  return [...files, ...lists];
}

function acceptedFiles(open: OpenLoop, world: World): string[] | Refusal {
  if (open.loop().baseline === null) return [];
  const changes = acceptChanges(open, world);
  if ('ok' in changes) return changes;
  const files = few(changes, sayChange, FILES_NAMED).join(', ');
  return [`Da Capo: the protected files are accepted as they are now${files && `: ${files}`}.`];
}

function acceptedLists(open: OpenLoop, world: World): string[] {
  const lists = listsOf(open.loop());
  if (lists.length === 0) return [];
  const gone = acceptLists(open, world);
  const without = gone === 0 ? '' : `, without ${plural(gone, 'item')} that had no turn`;
  return [`Da Capo: ${lists.join(', ')} is accepted as it is now${without}.`];
}
