/** Claude Code's own list of its live processes, `sessions/<pid>.json` in its config folder (2.1.325). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAs, isRecord } from '#base/shape.ts';
import type { Environment, Sender, Wake } from '#hosts/port/arrival.ts';
import { configFolder } from '../setup/places.ts';
import { namesIn } from '#base/files/paths.ts';
import { isGone } from '#base/process/descendants.ts';
import { PROJECT_VARIABLE, CLAUDE_CODE_NAME, commandNamesIn, LIMITS } from '../names.ts';

/** This exit code of a hook with `asyncRewake` wakes the session, and the model reads stderr. */
const WAKE_EXIT_CODE = 2;

export function wake(): Wake {
  return {
    isIdle: (from, env) => liveSessions(env).some((one) => one.session === from.session && one.idle),
    encode: (toAgent) => ({ stdout: '', stderr: toAgent, exit: WAKE_EXIT_CODE }),
  };
}

function liveSessions(env: Environment) {
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
 * What Claude Code tells the MCP servers that it starts: its session and project, in the environment. A
 * server lives on when `/clear` gives its host a new session, which the list of sessions then shows.
 * `parent`: the process that started the server, which is the host itself or a wrapper such as npx.
 */
export function serverSession(env: Environment, parent: number): Sender | null {
  const first = env['CLAUDE_CODE_SESSION_ID'];
  const project = env[PROJECT_VARIABLE];
  if (!first || !project) return null;
  const all = liveSessions(env);
  const host = all.find(({ pid }) => pid === parent) ?? all.find(({ session }) => session === first);
  return {
    host: CLAUDE_CODE_NAME,
    limits: LIMITS,
    session: host?.session ?? first,
    project,
    process: host?.pid ?? null,
    prompt: null,
    commands: commandNamesIn(env),
  };
}
