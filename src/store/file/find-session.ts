/** `sessions/<id>`: which loop a session owns, in one small read. The hook asks at every event of the host. */
import { sep } from 'node:path';
import { parseAs, orNull, record, text, whole, type Shape, isId } from '../../core/shape.ts';
import type { SessionEntry } from '../store.ts';
import { readIfThere, type Home } from './home.ts';

const sessionEntry: Shape<SessionEntry> = record({ loop: isId, process: orNull(whole), project: text });

export function findSession({ sessions }: Home, session: string): SessionEntry | null {
  return isId(session) ? parseAs(sessionEntry, readIfThere(`${sessions}${sep}${session}`)) : null;
}
