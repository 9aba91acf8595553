/**
 * The hosts that call our hook: which one is calling, and which one a loop belongs to. Several hosts read the settings and
 * plugins of Claude Code and run the hooks in them. A host without an adapter gets no answer: an answer in another host's
 * format would end its turn, or be ignored.
 */
import { isRecord } from '../core/shape.ts';
import type { Environment, Sender, Host } from './arrival.ts';
import { claudeCode } from './claude-code/hook/host.ts';
import { exitCode } from './exit-code/host.ts';

/** In the order in which they are asked. */
export const HOSTS: readonly Host[] = [claudeCode];

/**
 * Variables that Qwen Code, Gemini CLI, Copilot CLI, droid and Grok set for their hooks, and fields in the payloads of Codex
 * and Cursor, which set no variable of their own.
 */
const STRANGERS = [
  'QWEN_PROJECT_DIR',
  'GEMINI_PROJECT_DIR',
  'COPILOT_PROJECT_DIR',
  'DROID_PROJECT_DIR',
  'GROK_HOOK_EVENT',
  'turn_id',
  'cursor_version',
];

/** A string names the variable or field that shows a host without an adapter. Without any sign it is an old Claude Code. */
export function callerOf(payload: unknown, env: Environment): Host | string {
  const fields = isRecord(payload) ? payload : {};
  return (
    HOSTS.find((host) => host.recognises(fields, env)) ??
    STRANGERS.find((name) => env[name] || name in fields) ??
    claudeCode
  );
}

/** Null: no host names a session, so the server answers any client. */
export function sessionOfServer(env: Environment, parent: number): Sender | null {
  return HOSTS.map((host) => host.serverSession(env, parent)).find((session) => session !== null) ?? null;
}

/** For `dacapo hook --protocol NAME`: the payloads of these hosts do not show who is calling. */
export const PROTOCOLS: readonly Host[] = [exitCode];
