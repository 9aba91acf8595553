/** Turns the input of loop_start into a request, by the parser of the command line, so that both refuse the same. */
import { resolve } from 'node:path';
import { refuse, type Refusal } from '../core/refusal.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { isIn, realPath } from '../files/paths.ts';
import { parseStartWords, type StartRequest } from '../flags/arguments.ts';
import { wordsOf } from '../flags/arguments.ts';
import { refuseUnknown } from '../operations/trust/trust.ts';
import type { ToolContext } from './tool-context.ts';

export interface LoopAsked {
  readonly prompt: string;
  readonly completionPromise?: string;
  readonly checks?: readonly string[];
  readonly features?: string;
  readonly maxIterations?: number;
  readonly minIterations?: number;
  readonly confirm?: number;
  readonly name?: string;
  readonly nest?: boolean;
}

export async function requestFor(asked: LoopAsked, context: ToolContext): Promise<StartRequest | Refusal> {
  const refusal =
    refuseOutside(asked.features, context.project) ??
    (await refuseUnknown(asked.checks ?? [], context.project, context.runtime));
  if (refusal !== null) return refusal;
  // The checks are those of the trusted config, which is read anyway.
  const { prompt, completionPromise: promise, checks: _, ...fields } = asked;
  return parseStartWords(wordsOf(prompt, { ...fields, promise }));
}

/** The text of a list goes to the agent, which may have no right to read files elsewhere. */
function refuseOutside(list: string | undefined, project: string): Refusal | null {
  if (list === undefined || isIn(realPath(resolve(project, list)), realPath(project))) return null;
  return refuse(
    'outside',
    `${JSON.stringify(oneLine(list, 80))} is not in the project.`,
    'Name a list in the project.',
  );
}
