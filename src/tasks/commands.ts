/**
 * Commands that an agent names. Checks and rules run outside of the host, which asks nobody before each of them. So an agent
 * can't bring a command of its own: only what a person wrote down is run, in the project's trusted config or in the user's own.
 */
import { refuse, type Refusal } from '../core/refusal.ts';
import { readOwnRules } from '../operations/rules/own-rules.ts';
import type { ValidationRule } from '../flags/validation-rules.ts';
import { configuredFor } from '../proofs/stop-hooks/configured-for.ts';
import type { Runtime } from '../store/runtime.ts';
import { dropTrees } from '../store/tree-store.ts';

/** Returns null if every command and every rule of the user's that is named may be run. */
export async function refuseCommands(
  rules: readonly ValidationRule[],
  project: string,
  world: Runtime,
): Promise<Refusal | null> {
  if (!rules.some(({ type }) => type === 'command' || type === 'custom')) return null;
  const own = readOwnRules(world.store);
  if (!own.ok) return { ...own, next: `Ask a person to fix it. ${own.next}` };
  const custom = rules.find((rule) => rule.type === 'custom' && !own.custom.has(rule.rule));
  if (custom?.type === 'custom')
    return refuse(
      'unknown-rule',
      `No rule ${JSON.stringify(custom.rule)} is in rules.custom of the user's config.`,
      'Leave it out, or ask a person to write it there.',
    );
  const named = rules.flatMap((rule) => (rule.type === 'command' ? rule.command : []));
  return refuseUnknown(
    named.filter((command) => !own.commands.includes(command)),
    project,
    world,
    ', or to rules.commands of their own config',
  );
}

/** `checks`: names of checks in the trusted config, or their commands. `or`: where else a person may write them. */
export async function refuseUnknown(
  checks: readonly string[],
  project: string,
  world: Runtime,
  or = '',
): Promise<Refusal | null> {
  if (checks.length === 0) return null;
  const configured = await configuredFor({ project, config: null }, world);
  if (configured?.ok === false) return configured;
  if (configured?.marks) dropTrees(configured.marks);
  const known = configured?.found.checks ?? [];
  const unknown = checks.find(
    (check) => !known.some(({ name, command }) => name === check || command === check),
  );
  if (unknown === undefined) return null;
  const has = known.length === 0 ? '' : `, which has ${known.map(({ name }) => name).join(', ')}`;
  return refuse(
    'unknown-check',
    `${JSON.stringify(unknown)} is no check of this project's trusted config${has}.`,
    `A person adds it to dacapo.config.json and runs dacapo trust${or}. Or start without it.`,
  );
}
