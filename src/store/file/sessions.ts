/** `sessions/<id>`: which loop a session owns, in one small read. Derived from the journal, and rebuilt from it. */
import { readFileSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { codeOf } from '../../core/error-code.ts';
import { orNull, record, text, whole, type Infer } from '../../core/shape.ts';
import { isId, makePrivateFolder, within, type Home } from './home.ts';

const entry = record({ loop: text, process: orNull(whole), project: text });
export type SessionEntry = Infer<typeof entry>;

export function sessionEntry(home: Home, session: string): SessionEntry | null {
  if (!isId(session)) return null;
  try {
    const value: unknown = JSON.parse(readFileSync(within(home.sessions, session), 'utf8'));
    return entry(value) && isId(value.loop) ? value : null;
  } catch {
    return null;
  }
}

export function keepSession(home: Home, session: string, value: SessionEntry): void {
  if (!isId(session)) throw new Error(`session id ${JSON.stringify(session)} can't be a file name`);
  makePrivateFolder(home.sessions);
  const path = within(home.sessions, session);
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, JSON.stringify(value), { mode: 0o600 });
  renameSync(temporary, path);
}

/** True: this call took it away. Of several at once, one is told so. */
export function dropSession(home: Home, session: string): boolean {
  if (!isId(session)) return false;
  try {
    unlinkSync(within(home.sessions, session));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

export function allSessions(home: Home): { session: string; entry: SessionEntry }[] {
  const found: { session: string; entry: SessionEntry }[] = [];
  for (const session of listing(home.sessions)) {
    const value = sessionEntry(home, session);
    if (value !== null) found.push({ session, entry: value });
  }
  return found;
}

function listing(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
