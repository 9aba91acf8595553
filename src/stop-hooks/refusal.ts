/** Refuses hooks and configs that a person wrote: says where they are wrong, what is wrong there, and what to do now. */
import { Misfit } from '../flags/schema/misfit.ts';
import { misfitOf, type Schema } from '../flags/schema/schema.ts';

export class HookSpecError extends Misfit {
  override readonly name = 'HookSpecError';
  readonly code = 'hook-spec';
}

export function assertFits<T>(schema: Schema<T>, value: unknown, path: string): asserts value is T {
  const misfit = misfitOf(schema, value, path);
  if (misfit !== null) throw new HookSpecError(misfit.path, misfit.problem, misfit.next);
}
