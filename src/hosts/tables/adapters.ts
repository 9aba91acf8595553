/**
 * The hosts as the command line knows them, and which of them a loop belongs to. The hook has its own table
 * (registry.ts).
 */
import type { Loop } from '#law/loop.ts';
import { acpAdapter } from '../acp/adapter.ts';
import { claudeCodeAdapter } from '../claude-code/adapter.ts';
import { CLAUDE_CODE } from '../claude-code/names.ts';
import { codexAdapter } from '../codex/adapter.ts';
import { copilotAdapter } from '../copilot/adapter.ts';
import { droidAdapter } from '../droid/adapter.ts';
import { geminiAdapter } from '../gemini/adapter.ts';
import { opencodeAdapter } from '../opencode/adapter.ts';
import { piAdapter } from '../pi/adapter.ts';
import { qwenAdapter } from '../qwen/adapter.ts';
import type { Environment } from '../port/arrival.ts';
import type { OfProject, SettingsPlace } from '../port/headless.ts';
import type { HostAdapter, RehearsedHost } from '../port/command-line.ts';
import { CODEX, COPILOT, DROID, GEMINI, OPENCODE, PI, QWEN } from './names.ts';

/** Functions: a command that asks for one host makes the adapter of that one, and runs no file of another. */
const ADAPTERS = new Map<string, () => HostAdapter>([
  [CLAUDE_CODE.name, () => claudeCodeAdapter],
  [CODEX.name, () => codexAdapter],
  [COPILOT.name, () => copilotAdapter],
  [DROID.name, () => droidAdapter],
  [QWEN.name, () => qwenAdapter],
  [GEMINI.name, () => geminiAdapter],
  [OPENCODE.name, () => opencodeAdapter],
  [PI.name, () => piAdapter],
]);

export function allAdapters(): HostAdapter[] {
  return [...ADAPTERS.values()].map((adapter) => adapter());
}

/**
 * The host of a loop. One that only calls our hook by a protocol has no program of its own: the chosen host
 * stands in.
 */
export function hostOf({ host }: Pick<Loop, 'host'>): HostAdapter {
  return adapterNamed(host) ?? chosenHost();
}

/** Null: there is no such host. One that is a command gets an adapter of its own. */
export function adapterNamed(host: string): HostAdapter | null {
  return ADAPTERS.get(host)?.() ?? acpAdapter(host, broughtForAny);
}

/** What a project brings along for any host. */
function broughtForAny(place: SettingsPlace): OfProject | null {
  const found = allAdapters().flatMap(({ headless }) => headless.brought?.(place) ?? []);
  const files = new Map(found.flatMap((one) => one.files.map((file) => [file.file, file])));
  const runs = new Set(found.flatMap((one) => one.runs));
  return files.size === 0 ? null : { files: [...files.values()], runs: [...runs] };
}

export function sessionOf(env: Environment): string | null {
  return (
    allAdapters()
      .map(({ program }) => program.sessionOf(env))
      .find((session) => session !== null) ?? null
  );
}

/** The host of a loop for which nobody chose one. */
export function chosenHost(): RehearsedHost {
  return claudeCodeAdapter;
}
