/**
 * Makes hooks from data: from what a person wrote, or from what a registry saved in this process or another.
 */
import { isRecord } from '#base/shape.ts';
import { allOf, anyOf, when } from './chains.ts';
import * as templates from './templates.ts';
import { flag, list, object, value } from '#input/schema/schema.ts';
import { assertFits, hookSpec, nonEmptyText, type HookSpec } from './spec.ts';
import type { StopHook } from './types.ts';

/** Throws a `HookSpecError` that says where the data is wrong, and what would be right. */
export function fromSpec(data: unknown, path = 'hook'): StopHook {
  assertFits(hookSpec, data, path);
  // The caller may change the data later; the hook must not change with it.
  return build(structuredClone(data));
}

function build(spec: HookSpec): StopHook {
  switch (spec.type) {
    case 'default':
    case 'validation':
    case 'promise':
      return templates.PRESETS[spec.type];
    case 'tdd':
      return templates.tdd(spec);
    case 'security':
      return templates.security(spec);
    case 'checkpoint-every':
      return templates.checkpointEvery(spec.iterations, spec);
    case 'checkpoint-at':
      return templates.checkpointAt(spec.iteration, spec);
    case 'real-work':
      return templates.realWork(spec);
    case 'max-files':
      return templates.maxFiles(spec.files);
    case 'max-iterations':
      return templates.maxIterations(spec.iterations);
    case 'all-of':
      return allOf(...spec.hooks.map(build));
    case 'any-of':
      return anyOf(...spec.hooks.map(build));
    case 'when':
      return when(spec.condition, build(spec.hook));
  }
}

export interface SavedHook {
  readonly id: string;
  readonly taskId: string;
  readonly enabled: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: HookSpec;
}

export type RegisteredHook = Omit<SavedHook, 'spec'> & { readonly hook: StopHook };

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

/** Throws a `HookSpecError` at the first entry that `save` can't have written. */
export function readSaved(data: unknown): RegisteredHook[] {
  assertFits(savedHooks, data, 'hooks');
  return data.map(({ spec, ...rest }) => ({ ...rest, hook: fromSpec(spec) }));
}
