/** Claude Code's own list of its live processes, `sessions/<pid>.json` in its config folder (2.1.325). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAs, isRecord } from '../../../core/shape.ts';
import type { Environment, Sender, Wake } from '../../arrival.ts';
import { configFolder } from '../setup/places.ts';
import { namesIn } from '../../../files/paths.ts';
import { isGone } from '../../../process/descendants.ts';
import { PROJECT_VARIABLE, NAME, commandsIn, LIMITS } from '../names.ts';

interface RegisteredSession {
  readonly pid: number;
  readonly session: string;
  readonly idle: boolean;
}

/** This exit code of a hook with `asyncRewake` wakes the session, and the model reads stderr. */
const WAKE = 2;

export function wake(): Wake {
  return { isIdle, encode: (toAgent) => ({ stdout: '', stderr: toAgent, exit: WAKE }) };
}

function isIdle(from: Pick<Sender, 'session'>, env: Environment): boolean {
  return liveSessions(env).some(({ session, idle }) => session === from.session && idle);
}

/**
 * The process of the host that started a program of ours, with the session that it has now: `/clear` gives it a new one.
 * `parent` is the host itself, or a wrapper such as npx; then the session that it had tells. Null: the host does not tell.
 */
function registeredHost(parent: number, had: string, env: Environment): RegisteredSession | null {
  const all = liveSessions(env);
  return all.find(({ pid }) => pid === parent) ?? all.find(({ session }) => session === had) ?? null;
}

function liveSessions(env: Environment): RegisteredSession[] {
  const folder = join(configFolder(env), 'sessions');
  const files = namesIn(folder).filter((name) => /^\d+\.json$/.test(name));
  return files.flatMap((name) => {
    const file = readAs(isRecord, () => readFileSync(join(folder, name), 'utf8'));
    const { pid, sessionId: session, status } = file ?? {};
    if (typeof pid !== 'number' || typeof session !== 'string' || isGone(pid)) return [];
    return [{ pid, session, idle: status === 'idle' }];
  });
}

/**
 * What Claude Code tells the MCP servers that it starts: its session and project, in the environment. A server lives on when
 * `/clear` gives its host a new session, which the list of sessions then shows.
 */
export function serverSession(env: Environment, parent: number): Sender | null {
  const first = env['CLAUDE_CODE_SESSION_ID'];
  const project = env[PROJECT_VARIABLE];
  if (!first || !project) return null;
  const host = registeredHost(parent, first, env);
  return {
    host: NAME,
    limits: LIMITS,
    session: host?.session ?? first,
    project,
    process: host?.pid ?? null,
    prompt: null,
    commands: commandsIn(env),
  };
}
