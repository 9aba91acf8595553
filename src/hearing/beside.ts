/**
 * A session without an entry, in a project with a state file. The file may still name a loop of this session: an entry is
 * derived data, and the journal says whose loop it is.
 */
import { join } from 'node:path';
import type { Sender } from '../hosts/arrival.ts';
import type { Store } from '../store/store.ts';
import { readRegular } from '../files/read.ts';
import { namedIn } from '../views/markdown/format.ts';
import { STATE_FILE } from '../views/markdown/names.ts';

/**
 * False for nearly every session: there is no file, or the loop that it names is another session's. The entry of that
 * session says so too, so this needs no journal.
 */
export function mayBeBeside({ project, session }: Sender, { sessions }: Pick<Store, 'sessions'>): boolean {
  const found = readRegular(join(project, STATE_FILE));
  if (found.is !== 'content') return found.is === 'unreadable';
  const { loop, session: named } = namedIn(found.content);
  return loop === null || named === null || named === session || sessions.find(named)?.loop !== loop;
}
