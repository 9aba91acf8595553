/** Commands that an agent may have run as checks: those that a person wrote into the trusted config. */
import { refuse, type Refusal } from '../../core/refusal.ts';
import { configFor } from '../../proofs/stop-hooks/configure.ts';
import type { Runtime } from '../../store/runtime.ts';
import { dropTrees } from '../../store/evidence.ts';

/** `checks`: names of checks in the trusted config, or their commands. `or`: where else a person may write them. */
export async function refuseUnknown(
  checks: readonly string[],
  project: string,
  runtime: Runtime,
  or = '',
): Promise<Refusal | null> {
  if (checks.length === 0) return null;
  const configured = await configFor({ project, config: null }, runtime);
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
    `${JSON.stringify(unknown)} is not a check of this project's trusted config${has}.`,
    `A person adds it to dacapo.config.json and runs dacapo trust${or}. Or start without it.`,
  );
}
