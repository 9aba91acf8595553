/** What every function of the library works with, and what it checks first. Plain JavaScript can pass anything. */
import { nearest } from '../flags/did-you-mean.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { errorMessage } from '../core/thrown.ts';
import { flag, isRecord, text, type Shape } from '../core/shape.ts';
import { RUNNER, SENDER } from '../process/package.ts';
import { processRuntime } from '../sinks/process-runtime.ts';
import type { Runtime } from '../store/runtime.ts';

/** What every request may have. */
export interface InEnvironment {
  /** Where to look up `DACAPO_HOME`; by default the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export type Fields<T> = Readonly<Record<keyof T, Shape<unknown>>>;

export const signalShape: Shape<AbortSignal> = (value): value is AbortSignal => value instanceof AbortSignal;
export const callback: Shape<unknown> = (value): value is unknown => typeof value === 'function';
export const isEnvironment: Shape<Record<string, unknown>> = isRecord;

/**
 * Acts in a world of this process. Bad input is refused before anything is read, and what fails (a full disk, say) is a
 * refusal as well: a program that forgot to catch must not end because of us.
 */
export async function withWorld<T extends InEnvironment, R>(
  request: T,
  fields: Fields<T>,
  needs: readonly (keyof T & string)[],
  act: (world: Runtime) => Promise<R | Refusal> | R | Refusal,
): Promise<R | Refusal> {
  const misfit = misfitIn(request, fields, needs);
  if (misfit !== null) return misfit;
  try {
    return await act(worldOf(request.env ?? process.env));
  } catch (error) {
    const message = errorMessage(error);
    return refuse('failed', message, 'dacapo doctor finds the cause.');
  }
}

function worldOf(env: Runtime['env']): Runtime {
  // A copy: the environment of a program that uses the library is not ours to change.
  return processRuntime({ env: { ...env }, runner: RUNNER, sender: SENDER });
}

/** A misspelt gate must not be dropped silently. */
function misfitIn<T>(request: unknown, fields: Fields<T>, needs: readonly string[]): Refusal | null {
  const known = Object.keys(fields);
  const all = `It has: ${known.join(', ')}.`;
  if (!isRecord(request)) return refuse('bad-request', 'The request is no object.', all);
  const shapes = new Map<string, Shape<unknown>>(Object.entries(fields));
  for (const [key, value] of Object.entries(request)) {
    const shape = shapes.get(key);
    if (shape === undefined)
      return refuse(
        'bad-request',
        `${JSON.stringify(key)} is no field of this request.`,
        suggestion(key, known) + all,
      );
    if (value !== undefined && !shape(value))
      return refuse('bad-request', `The field ${key} is of the wrong kind.`, `Give ${wanted(shape)}.`);
  }
  const missing = needs.find((key) => request[key] === undefined);
  return missing === undefined ? null : refuse('bad-request', `The field ${missing} is missing.`, 'Give it.');
}

function wanted(shape: Shape<unknown>): string {
  if (shape === text) return 'a text';
  if (shape === flag) return 'true or false';
  if (shape === signalShape) return 'an AbortSignal';
  if (shape === callback) return 'a function';
  return shape === isEnvironment
    ? 'an object'
    : 'a text, a number where it counts something, or a list of texts';
}

function suggestion(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  return near === null ? '' : `Did you mean ${near}? `;
}
