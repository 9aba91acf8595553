/** Hosts that run Claude Code's hooks and have no adapter here, by the signs that they leave. */
import type { Environment } from './arrival.ts';

/** Variables that each sets for its hooks. Qwen Code sets Gemini's as well, so it comes first. */
const IN_ENVIRONMENT: readonly (readonly [variable: string, name: string])[] = [
  ['QWEN_PROJECT_DIR', 'Qwen Code'],
  ['GEMINI_PROJECT_DIR', 'Gemini CLI'],
  ['COPILOT_PROJECT_DIR', 'Copilot CLI'],
  ['DROID_PROJECT_DIR', 'droid'],
  ['GROK_HOOK_EVENT', 'Grok'],
];

/** Fields that each has in its payloads, and Claude Code has not. */
const IN_PAYLOAD: readonly (readonly [field: string, name: string])[] = [
  ['turn_id', 'Codex'],
  ['cursor_version', 'Cursor'],
];

/** Null: nothing speaks against Claude Code. */
export function foreignHost(payload: Readonly<Record<string, unknown>>, env: Environment): string | null {
  const sign =
    IN_ENVIRONMENT.find(([variable]) => env[variable]) ?? IN_PAYLOAD.find(([field]) => field in payload);
  return sign?.[1] ?? null;
}
