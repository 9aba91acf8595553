/** Turns the input of loop_start into a request, by the parser of the command line, so that both refuse the same. */
import { refuse, type Refusal } from '../core/refusal.ts';
import { parseStartWords, type StartRequest } from '../flags/arguments.ts';
import { configuredFor } from '../proofs/stop-hooks/configured-for.ts';
import { dropTrees } from '../store/tree-store.ts';
import type { Desk } from './desk.ts';

export interface LoopAsked {
  readonly prompt: string;
  readonly completionPromise?: string;
  readonly checks?: readonly string[];
  readonly features?: string;
  readonly maxIterations?: number;
  readonly minIterations?: number;
  readonly name?: string;
  readonly nest?: boolean;
}

export async function requestFor(asked: LoopAsked, desk: Desk): Promise<StartRequest | Refusal> {
  const unknown = await refuseCommands(asked.checks ?? [], desk);
  if (unknown !== null) return unknown;
  const flags = {
    '--completion-promise': asked.completionPromise,
    '--features': asked.features,
    '--max-iterations': asked.maxIterations,
    '--min-iterations': asked.minIterations,
    '--name': asked.name,
  };
  return parseStartWords([
    ...Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [`${flag}=${value}`])),
    ...(asked.nest === true ? ['--nest'] : []),
    '--',
    asked.prompt,
  ]);
}

/**
 * Checks run outside of the host, which asks nobody before each of them. So an agent can't bring a command of its own: only
 * what a person has trusted in the project's config is run.
 */
async function refuseCommands(checks: readonly string[], { project, world }: Desk): Promise<Refusal | null> {
  if (checks.length === 0) return null;
  const configured = await configuredFor({ project, config: null }, world);
  if (configured?.ok === false) return configured;
  if (configured?.marks) dropTrees(configured.marks);
  const known = configured?.found.checks ?? [];
  const unknown = checks.find(
    (check) => !known.some(({ name, command }) => name === check || command === check),
  );
  if (unknown === undefined) return null;
  return refuse(
    'unknown-check',
    `${JSON.stringify(unknown)} is no check of this project's trusted config${known.length === 0 ? '' : `, which has ${known.map(({ name }) => name).join(', ')}`}.`,
    'A person adds it to dacapo.config.json and runs dacapo trust. Or start without it.',
  );
}
