/**
 * Our hooks for one call of Codex (0.166.0), on its command line. Codex runs no hook that nobody has trusted, so the line
 * also trusts these, by the hash of what they run, and for this call only: nothing is written, and no other hook is meant.
 */
import { createHash } from 'node:crypto';
import { shellLine } from '../setup/registration.ts';
import { hookIn } from '../setup/hooks-settings.ts';

/** Codex has two names for each event: one in hooks, one for its trust in them. */
export const EVENT_IDS: Readonly<Record<string, string>> = {
  Stop: 'stop',
  UserPromptSubmit: 'user_prompt_submit',
  PreToolUse: 'pre_tool_use',
  SessionStart: 'session_start',
  SessionEnd: 'session_end',
};

/** The place that Codex gives to what comes from its command line. */
const FLAGS = '/<session-flags>/config.toml';
const TIMEOUT = 600;

/** `as`: the argument of our hook program; empty: none. */
export function sessionHooks(plugin: string, events: readonly string[], as = ''): string[] {
  const command = `${shellLine(hookIn(plugin), process.platform)}${as && ` ${as}`}`;
  const handler = { command, timeout: TIMEOUT };
  const hooks = events.map(
    (event) =>
      `hooks.${event}=[{hooks=[{type="command",command=${JSON.stringify(command)},timeout=${TIMEOUT}}]}]`,
  );
  const trusted = events.map(
    (event) =>
      `${JSON.stringify(trustKey(FLAGS, event, 0, 0))}={trusted_hash="${trustHash(event, handler)}"}`,
  );
  return [...hooks, `hooks.state={${trusted.join(',')}}`].flatMap((value) => ['-c', value]);
}

/** Under this name Codex keeps whether a person has trusted a hook. */
export function trustKey(file: string, event: string, group: number, handler: number): string {
  return `${file}:${EVENT_IDS[event]}:${group}:${handler}`;
}

/** What a person has trusted: the command and its time, not what the program holds. */
export function trustHash(
  event: string,
  handler: { readonly command: unknown; readonly timeout?: unknown },
): string {
  const { command, timeout = TIMEOUT } = handler;
  const trusted = {
    event_name: EVENT_IDS[event],
    hooks: [{ async: false, command, timeout, type: 'command' }],
  };
  return `sha256:${createHash('sha256').update(JSON.stringify(trusted)).digest('hex')}`;
}
