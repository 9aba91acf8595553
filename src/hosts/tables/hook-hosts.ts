/**
 * The hosts beside Claude Code that call our hook. Not in the hook program: no session of Claude Code needs
 * them.
 */
import type { Environment, HookPayload, Host } from '../port/arrival.ts';
import { codex } from '../codex/hook.ts';
import { copilot } from '../copilot/hook.ts';
import { droid } from '../droid/hook.ts';
import { gemini } from '../gemini/hook.ts';
import { qwen } from '../qwen/hook.ts';

/** In the order in which they are asked: one that also shows the signs of another comes before it. */
export const OTHER_HOOK_HOSTS: readonly Host[] = [codex, copilot, droid, qwen, gemini];

const STRANGERS = ['GROK_HOOK_EVENT', 'cursor_version'];

/**
 * A string names the variable or field that shows a host without an adapter. Null: there is no sign of
 * another host. A host in the shell of another inherits that one's variables, so signs in the payload come
 * first.
 */
export function otherCaller(payload: HookPayload, env: Environment): Host | string | null {
  return (
    OTHER_HOOK_HOSTS.find((host) => host.recognises(payload, {})) ??
    OTHER_HOOK_HOSTS.find((host) => host.recognises(payload, env)) ??
    STRANGERS.find((name) => env[name] || name in payload) ??
    null
  );
}
