/** The session that started a server of ours, as its host tells. */
import type { Environment, Sender } from './arrival.ts';
import { serverSession } from './claude-code/server-session.ts';

/** As of now. `parent`: the process that started the server. Null: no host names a session, so it serves whoever asks. */
export function sessionOfServer(env: Environment, parent: number): Sender | null {
  return serverSession(env, parent);
}
