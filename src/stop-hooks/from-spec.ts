import { allOf, anyOf } from './chains.ts';
import { defaultHook, promiseHook, validationHook } from './presets.ts';
import { assertFits } from './schema.ts';
import { hookSpec } from './spec-schema.ts';
import type { HookSpec } from './spec.ts';
import {
  checkpointAt,
  checkpointEvery,
  maxFiles,
  maxIterations,
  realWork,
  security,
  tdd,
} from './templates.ts';
import type { StopHook } from './types.ts';
import { when } from './when.ts';

/** The hook that this data stands for. Throws a `HookSpecError` that says where the data is wrong, and what would be right. */
export function fromSpec(data: unknown, path = 'hook'): StopHook {
  assertFits(hookSpec, data, path);
  // Whoever holds the data may change it later; the hook must not change with it.
  return build(structuredClone(data));
}

function build(spec: HookSpec): StopHook {
  switch (spec.type) {
    case 'default':
      return defaultHook;
    case 'validation':
      return validationHook;
    case 'promise':
      return promiseHook;
    case 'tdd': {
      const { type: _, ...options } = spec;
      return tdd(options);
    }
    case 'security': {
      const { type: _, ...options } = spec;
      return security(options);
    }
    case 'checkpoint-every': {
      const { type: _, iterations, ...options } = spec;
      return checkpointEvery(iterations, options);
    }
    case 'checkpoint-at': {
      const { type: _, iteration, ...options } = spec;
      return checkpointAt(iteration, options);
    }
    case 'real-work': {
      const { type: _, ...options } = spec;
      return realWork(options);
    }
    case 'max-files':
      return maxFiles(spec.files);
    case 'max-iterations':
      return maxIterations(spec.iterations);
    case 'all-of':
      return allOf(...spec.hooks.map(build));
    case 'any-of':
      return anyOf(...spec.hooks.map(build));
    case 'when':
      return when(spec.condition, build(spec.hook));
  }
}
