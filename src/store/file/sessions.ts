/** `sessions/<id>`: entries are made, replaced and dropped. */
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isId } from '../id.ts';
import type { Sessions } from '../store.ts';
import { replaceFile } from './atomic.ts';
import { findSession } from './find-session.ts';
import { ifThere, namesIn, type Home } from './home.ts';

export function fileSessions(home: Home): Omit<Sessions, 'find'> {
  const { sessions } = home;
  return {
    keep: (session, entry) => {
      if (!isId(session)) throw new Error(`session id ${JSON.stringify(session)} can't be a file name`);
      replaceFile(join(sessions, session), JSON.stringify(entry), { durable: false });
    },
    drop: (session) => {
      if (!isId(session)) return false;
      return ifThere(() => (unlinkSync(join(sessions, session)), true), false);
    },
    all: () =>
      namesIn(sessions).flatMap((session) => {
        const entry = findSession(home, session);
        return entry === null ? [] : [{ session, entry }];
      }),
  };
}
