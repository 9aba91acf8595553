/**
 * The hosts as the command line knows them, and which of them a loop belongs to. The hook has its own table
 * (registry.ts).
 */
import type { Loop } from '#law/loop.ts';
import { claudeCodeAdapter } from '../claude-code/adapter.ts';
import { codexAdapter } from '../codex/adapter.ts';
import { copilotAdapter } from '../copilot/adapter.ts';
import { droidAdapter } from '../droid/adapter.ts';
import { geminiAdapter } from '../gemini/adapter.ts';
import { opencodeAdapter } from '../opencode/adapter.ts';
import { piAdapter } from '../pi/adapter.ts';
import { qwenAdapter } from '../qwen/adapter.ts';
import type { Environment } from '../port/arrival.ts';
import type { HostAdapter, RehearsedHost } from '../port/command-line.ts';

export const ADAPTERS: readonly HostAdapter[] = [
  claudeCodeAdapter,
  codexAdapter,
  copilotAdapter,
  droidAdapter,
  qwenAdapter,
  geminiAdapter,
  opencodeAdapter,
  piAdapter,
];

/**
 * The host of a loop. One that only calls our hook by a protocol has no program of its own: the chosen host
 * stands in.
 */
export function hostOf({ host }: Pick<Loop, 'host'>): HostAdapter {
  return ADAPTERS.find(({ name }) => name === host) ?? chosenHost();
}

export function sessionOf(env: Environment): string | null {
  return ADAPTERS.map(({ program }) => program.sessionOf(env)).find((session) => session !== null) ?? null;
}

/** The host of a loop for which nobody chose one. */
export function chosenHost(): RehearsedHost {
  return claudeCodeAdapter;
}
