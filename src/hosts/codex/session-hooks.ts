/**
 * Our hooks for one call of Codex (0.166.0), on its command line. Codex runs no hook that nobody has trusted, so the line
 * also trusts these, by the hash of what they run, and for this call only: nothing is written, and no other hook is meant.
 */
import { createHash } from 'node:crypto';
import { shellLine } from '../setup/registration.ts';
import { hookIn } from '../setup/hooks-settings.ts';

/** Our events. `id`: the name that Codex gives to its trust in a hook of this event. It cuts the time at a session's end. */
export const EVENTS: Readonly<Record<string, { readonly id: string; readonly timeout: number }>> = {
  Stop: { id: 'stop', timeout: 600 },
  UserPromptSubmit: { id: 'user_prompt_submit', timeout: 600 },
  PreToolUse: { id: 'pre_tool_use', timeout: 600 },
  SessionStart: { id: 'session_start', timeout: 600 },
  SessionEnd: { id: 'session_end', timeout: 3 },
};

/** The place that Codex gives to what comes from its command line. */
const FLAGS = '/<session-flags>/config.toml';

/** `as`: the argument of our hook program; empty: none. */
export function sessionHooks(plugin: string, events: readonly string[], as = ''): string[] {
  const command = `${shellLine(hookIn(plugin), process.platform)}${as && ` ${as}`}`;
  const hooks = events.map((event) => {
    const { timeout } = EVENTS[event] ?? {};
    return `hooks.${event}=[{hooks=[{type="command",command=${JSON.stringify(command)},timeout=${timeout}}]}]`;
  });
  const trusted = events.map((event) => {
    const hash = trustHash(event, { command, timeout: EVENTS[event]?.timeout });
    return `${JSON.stringify(trustKey(FLAGS, event, 0, 0))}={trusted_hash="${hash}"}`;
  });
  return [...hooks, `hooks.state={${trusted.join(',')}}`].flatMap((value) => ['-c', value]);
}

/** Under this name Codex keeps whether a person has trusted a hook. */
export function trustKey(file: string, event: string, group: number, handler: number): string {
  return `${file}:${EVENTS[event]?.id}:${group}:${handler}`;
}

/** What a person has trusted: the command and its time, not what the program holds. */
export function trustHash(
  event: string,
  handler: { readonly command: unknown; readonly timeout?: unknown },
): string {
  const { command, timeout } = handler;
  const trusted = {
    event_name: EVENTS[event]?.id,
    hooks: [{ async: false, command, timeout, type: 'command' }],
  };
  return `sha256:${createHash('sha256').update(JSON.stringify(trusted)).digest('hex')}`;
}
