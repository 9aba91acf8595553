/** Registered hooks as data that can be written to a file and read back, in this process or in another. */
import { isRecord } from '../core/shape.ts';
import { fromSpec } from './from-spec.ts';
import { assertFits, flag, list, object, value } from './schema.ts';
import { hookSpec, nonEmptyText } from './spec-schema.ts';
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

const savedHooks = list(
  object<SavedHook>('a saved hook', {
    id: nonEmptyText,
    taskId: value('a text', null, (given) => typeof given === 'string'),
    enabled: flag,
    metadata: value('an object', null, isRecord),
    spec: hookSpec,
  }),
  'a list of saved hooks',
);

/** Throws a `HookSpecError` at the first entry that can't be what was saved. */
export function readSaved(data: unknown): RestoredHook[] {
  assertFits(savedHooks, data, 'hooks');
  return data.map(({ spec, ...rest }) => ({ ...rest, hook: fromSpec(spec) }));
}
