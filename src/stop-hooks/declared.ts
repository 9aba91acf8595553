/** Hooks that know their data. */
import { assertFits } from './schema.ts';
import { hookSpec } from './spec-schema.ts';
import type { HookSpec } from './spec.ts';
import type { AgentContext, StopHook } from './types.ts';

export type DeclaredHook = StopHook & { readonly spec: HookSpec };

/**
 * The data is a property of the function, not an entry in a table of ours: see abstain.ts on two copies of this
 * library. It is checked here, so that `maxFiles(-1)` fails where it is written, in code as well as in a file.
 */
export function declared(spec: HookSpec, hook: StopHook): DeclaredHook {
  assertFits(hookSpec, spec, 'hook');
  return Object.assign((context: AgentContext) => hook(context), { spec });
}

/** Null for a hook with user code in it: a function can't be stored. */
export function toSpec(hook: StopHook): HookSpec | null {
  return isDeclared(hook) ? structuredClone(hook.spec) : null;
}

function isDeclared(hook: StopHook): hook is DeclaredHook {
  if (!('spec' in hook)) return false;
  try {
    assertFits(hookSpec, hook.spec, 'hook');
    return true;
  } catch {
    return false;
  }
}
