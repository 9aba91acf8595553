/**
 * Commands that an agent names. Checks and rules run outside of the host, which asks nobody before each of them. So an agent
 * can't bring a command of its own: only what a person wrote down is run, in the project's trusted config or in the user's own.
 */
import type { Refusal } from '../core/refusal.ts';
import { readOwnRules } from '../operations/rules/run.ts';
import type { ValidationRule } from '../flags/validation-rules.ts';
import { refuseUnknown } from '../operations/trust/trust.ts';
import type { Runtime } from '../store/runtime.ts';

/** Returns null if every command that is named may be run. */
export async function refuseCommands(
  rules: readonly ValidationRule[],
  project: string,
  runtime: Runtime,
): Promise<Refusal | null> {
  if (!rules.some(({ type }) => type === 'command')) return null;
  const own = readOwnRules(runtime.store);
  if (!own.ok) return { ...own, next: `Ask a person to fix it. ${own.next}` };
  const named = rules.flatMap((rule) => (rule.type === 'command' ? rule.command : []));
  return refuseUnknown(
    named.filter((command) => !own.commands.includes(command)),
    project,
    runtime,
    ', or to rules.commands of their own config',
  );
}
