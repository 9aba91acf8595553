/** Refuses hooks and configs that a person wrote: says where they are wrong, what is wrong there, and what to do now. */
import { ConfigError } from '../flags/schema/misfit.ts';
import { readWith, type Schema } from '../flags/schema/schema.ts';

export class HookSpecError extends ConfigError {
  override readonly name = 'HookSpecError';
  readonly code = 'hook-spec';
}

export function assertFits<T>(schema: Schema<T>, value: unknown, path: string): asserts value is T {
  const read = readWith(schema, value, path);
  if (!read.ok) throw new HookSpecError(read.misfit.path, read.misfit.problem, read.misfit.next);
}
