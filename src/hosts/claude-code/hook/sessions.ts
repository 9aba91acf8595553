/** Claude Code's own list of its live processes, `sessions/<pid>.json` in its config folder (2.1.325). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAs, isRecord } from '../../../core/shape.ts';
import type { Environment, Sender, Wake } from '../../arrival.ts';
import { configFolder } from '../setup/places.ts';
import { namesIn } from '../../../files/paths.ts';
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
  return registered(env).some(({ session, idle, pid }) => session === from.session && idle && lives(pid));
}

/**
 * The process of the host that started a program of ours, with the session that it has now: `/clear` gives it a new one.
 * `parent` is the host itself, or a wrapper such as npx; then the session that it had tells. Null: the host does not tell.
 */
function registeredHost(parent: number, had: string, env: Environment): RegisteredSession | null {
  const all = registered(env).filter(({ pid }) => lives(pid));
  return all.find(({ pid }) => pid === parent) ?? all.find(({ session }) => session === had) ?? null;
}

function registered(env: Environment): RegisteredSession[] {
  const folder = join(configFolder(env), 'sessions');
  return namesIn(folder)
    .filter((name) => /^\d+\.json$/.test(name))
    .flatMap((name) => readOne(join(folder, name)));
}

function readOne(path: string): RegisteredSession[] {
  const { pid, sessionId, status } = readAs(isRecord, () => readFileSync(path, 'utf8')) ?? {};
  if (typeof pid !== 'number' || typeof sessionId !== 'string') return [];
  return [{ pid, session: sessionId, idle: status === 'idle' }];
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
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
