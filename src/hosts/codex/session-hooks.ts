/**
 * Our hooks for one call of Codex (0.166.0), on its command line. Codex runs no hook that nobody has trusted,
 * so the line also trusts these, by the hash of what they run, and for this call only: nothing is written,
 * and no other hook is meant.
 */
import { sha256 } from '#base/files/sha256.ts';
import { shellLine } from '../setup/registration.ts';
import { hookIn, timeoutOf } from '../setup/hooks-settings.ts';

/** The place that Codex gives to what comes from its command line. */
const FLAGS = '/<session-flags>/config.toml';

/** `as`: the argument of our hook program; empty: none. */
export function sessionHooks(plugin: string, events: readonly string[], as = ''): string[] {
  const command = `${shellLine(hookIn(plugin), process.platform)}${as && ` ${as}`}`;
  const quoted = JSON.stringify(command);
  const hooks = events.map(
    (event) => `hooks.${event}=[{hooks=[{type="command",command=${quoted},timeout=${timeoutOf(event)}}]}]`,
  );
  const trusted = events.map((event) => {
    const hash = trustHash(event, { command, timeout: timeoutOf(event) });
    return `${JSON.stringify(trustKey(FLAGS, event, 0, 0))}={trusted_hash="${hash}"}`;
  });
  return [...hooks, `hooks.state={${trusted.join(',')}}`].flatMap((value) => ['-c', value]);
}

/** The name that Codex gives to its trust in a hook of this event: `pre_tool_use`. */
function idOf(event: string): string {
  return event.replaceAll(/\B[A-Z]/g, '_$&').toLowerCase();
}

export function trustKey(file: string, event: string, group: number, handler: number): string {
  return `${file}:${idOf(event)}:${group}:${handler}`;
}

/** What a person has trusted: the command and its time, not what the program holds. */
export function trustHash(
  event: string,
  { command, timeout }: { readonly command: unknown; readonly timeout?: unknown },
): string {
  const trusted = { event_name: idOf(event), hooks: [{ async: false, command, timeout, type: 'command' }] };
  return `sha256:${sha256(JSON.stringify(trusted))}`;
}
