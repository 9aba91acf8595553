/**
 * What every function of the library works with, and what it checks first. Plain JavaScript can pass
 * anything.
 */
import { refuse, type Refusal } from '#base/refusal.ts';
import { isRecord, text as isText, errorMessage } from '#base/shape.ts';
import { refuseMisfit } from '#input/schema/misfit.ts';
import { object, optional, readWith, value } from '#input/schema/schema.ts';
import { RUNNER, SENDER } from '#base/process/package.ts';
import { processRuntime } from '#engine/process-runtime.ts';
import type { Runtime } from '#store/runtime.ts';

export interface InEnvironment {
  /** Where to look up `DACAPO_HOME`; by default the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

type GivenEnvironment = NonNullable<InEnvironment['env']>;

export const text = value('a text', null, isText);
export const optionalText = optional(text);
export const env = optional(value('an object', null, (given): given is GivenEnvironment => isRecord(given)));
export const signal = optional(
  value('an AbortSignal', null, (given): given is AbortSignal => given instanceof AbortSignal),
);

/** What it is called with is ours to know. */
export function callback<T>() {
  return optional(value('a function', null, (given): given is T => typeof given === 'function'));
}

/** What fails (a full disk, say) is a refusal, too: a program that forgot to catch must not end by it. */
export async function withRuntime<T extends InEnvironment, R>(
  request: T,
  fields: Parameters<typeof object<T>>[1],
  act: (runtime: Runtime) => Promise<R | Refusal> | R | Refusal,
): Promise<R | Refusal> {
  // A misspelt gate must not be dropped silently.
  const read = readWith(object<T>('this request', fields), request, '');
  if (!read.ok) return refuseMisfit('bad-request', read.misfit, 'The request');
  try {
    // A copy: the environment of a program that uses the library is not ours to change.
    const env = { ...(request.env ?? process.env) };
    return await act(processRuntime({ env, runner: RUNNER, sender: SENDER }));
  } catch (error) {
    return refuse('failed', errorMessage(error), 'dacapo doctor finds the cause.');
  }
}
