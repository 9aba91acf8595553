export type InstallableHost = 'codex' | 'copilot' | 'droid' | 'qwen' | 'gemini' | 'opencode' | 'pi';

export const HOSTS: Readonly<Record<InstallableHost, { package: string; version: string; program: string }>>;

/** The path of its program, or why there is none. */
export function installedHost(
  name: InstallableHost,
): { program: string; missing?: never } | { program?: never; missing: string };
