/** Turns the input of loop_start into a request, by the parser of the command line, so that both refuse the same. */
import type { Refusal } from '../core/refusal.ts';
import { parseStartWords, type StartRequest } from '../flags/arguments.ts';
import { refuseUnknown } from '../operations/trust/known-commands.ts';
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
  const unknown = await refuseUnknown(asked.checks ?? [], desk.project, desk.world);
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
