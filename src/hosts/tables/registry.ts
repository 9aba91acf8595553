/**
 * The hosts that call our hook: which one is calling, and which one a loop belongs to. Several hosts read the
 * settings and plugins of Claude Code and run the hooks in them. A host without an adapter gets no answer: an
 * answer in another host's format would end its turn, or be ignored.
 */
import { isRecord } from '#base/shape.ts';
import type { Environment, Host } from '../port/arrival.ts';
import { claudeCode } from '../claude-code/hook/host.ts';
import { otherCaller } from './hook-hosts.ts';

/**
 * A string names the variable or field that shows a host without an adapter. Without any sign it is an old
 * Claude Code.
 */
export function callerOf(payload: unknown, env: Environment): Host | string {
  const fields = isRecord(payload) ? payload : {};
  return claudeCode.recognises(fields, env) ? claudeCode : (otherCaller(fields, env) ?? claudeCode);
}

/** Null: no host names a session, so the server answers any client. */
export { serverSession as sessionOfServer } from '../claude-code/hook/sessions.ts';
