/** Registered hooks as data that can be written to a file and read back, in this process or in another. */
import { HookSpecError } from './check-spec.ts';
import { fromSpec } from './from-spec.ts';
import { isRecord, named } from './result.ts';
import type { HookSpec } from './spec.ts';
import type { StopHook } from './types.ts';

export interface SavedHook {
  readonly id: string;
  readonly taskId: string;
  readonly enabled: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: HookSpec;
}

export interface RestoredHook extends Omit<SavedHook, 'spec'> {
  readonly hook: StopHook;
}

/** Throws a `HookSpecError` at the first entry that can't be what was saved. */
export function readSaved(data: unknown): RestoredHook[] {
  if (!Array.isArray(data)) throw wrong('hooks', 'a list of saved hooks', data);
  return data.map((entry: unknown, index) => {
    const path = `hooks[${index}]`;
    if (!isRecord(entry)) throw wrong(path, 'a saved hook', entry);
    const { id, taskId, enabled, metadata, spec } = entry;
    if (typeof id !== 'string' || id === '') throw wrong(`${path}.id`, 'a text', id);
    if (typeof taskId !== 'string') throw wrong(`${path}.taskId`, 'a text', taskId);
    if (typeof enabled !== 'boolean') throw wrong(`${path}.enabled`, 'true or false', enabled);
    if (!isRecord(metadata)) throw wrong(`${path}.metadata`, 'an object', metadata);
    return { id, taskId, enabled, metadata, hook: fromSpec(spec, `${path}.spec`) };
  });
}

function wrong(path: string, wanted: string, value: unknown): HookSpecError {
  return new HookSpecError(path, `is ${named(value)}`, `It must be ${wanted}.`);
}
