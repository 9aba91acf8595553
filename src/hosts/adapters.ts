/** The hosts as the command line knows them, and which of them a loop belongs to. The hook has its own table (registry.ts). */
import type { Loop } from '../core/loop.ts';
import { claudeCodeAdapter } from './claude-code/adapter.ts';
import type { Environment } from './arrival.ts';
import type { HostAdapter } from './command-line.ts';
import { chosenNames } from './names.ts';

export const ADAPTERS: readonly HostAdapter[] = [claudeCodeAdapter];

/** The host of a loop. One that only calls our hook by a protocol has no program of its own: the chosen host stands in. */
export function hostOf({ host }: Pick<Loop, 'host'>): HostAdapter {
  return ADAPTERS.find(({ name }) => name === host) ?? chosenHost();
}

export function sessionOf(env: Environment): string | null {
  return ADAPTERS.map(({ program }) => program.sessionOf(env)).find((session) => session !== null) ?? null;
}

/** The host of a loop that no session begins. */
export function chosenHost(): HostAdapter {
  const { name } = chosenNames();
  const found = ADAPTERS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`the host ${name} has no adapter`);
  return found;
}
