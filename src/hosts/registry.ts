/**
 * The hosts: which one is calling, and what else differs between them. Several hosts read the settings and plugins of
 * Claude Code and run the hooks in them. A host without an adapter gets no answer: an answer in another host's format
 * would end its turn, or be ignored.
 */
import { isRecord } from '../core/shape.ts';
import type { Environment, Sender } from './arrival.ts';
import { claudeCode, claudeCodeWake } from './claude-code/hook/host.ts';
import type { Host, Wake } from './host.ts';
import { DEFAULT_NAME } from './names.ts';
import { serverSession } from './claude-code/server-session.ts';

/** Variables that Qwen Code, Gemini CLI, Copilot CLI, droid and Grok set for their hooks. */
const VARIABLES = [
  'QWEN_PROJECT_DIR',
  'GEMINI_PROJECT_DIR',
  'COPILOT_PROJECT_DIR',
  'DROID_PROJECT_DIR',
  'GROK_HOOK_EVENT',
];
/** Fields in the payloads of Codex and Cursor, which set no variable of their own. */
const FIELDS = ['turn_id', 'cursor_version'];

/** A string names the variable or field that shows a host without an adapter. */
export function callerOf(payload: unknown, env: Environment): Host | string {
  const fields = isRecord(payload) ? payload : {};
  // A host that runs in the shell of another inherits its variables. A matching session id can't be inherited.
  if (fields['session_id'] === env['CLAUDE_CODE_SESSION_ID']) return claudeCode;
  return VARIABLES.find((name) => env[name]) ?? FIELDS.find((name) => name in fields) ?? claudeCode;
}

/** Null: a session of this host that has stopped can't be woken. */
export function wakeOf({ name }: Pick<Host, 'name'>): Wake | null {
  return name === DEFAULT_NAME ? claudeCodeWake : null;
}

/**
 * The session that started a server of ours, as of now. `parent`: the process that started the server. Null: no host names a
 * session, so the server answers any client.
 */
export function sessionOfServer(env: Environment, parent: number): Sender | null {
  return serverSession(env, parent);
}

/** What the permission rules of the host are about. There is one host with such rules so far. */
export { ruleFamily } from './claude-code/hook/tools.ts';
