/** Asks hooks that are data in this process. They are our own code, so nothing has to be able to end them. */
import type { HookEvaluation } from '../core/stop-hooks.ts';
import { bounded } from './bounded.ts';
import { createRegistry } from './registry.ts';
import type { LoopContext } from './types.ts';

/** Throws a `HookSpecError` if the hooks can't have been written by a registry. */
export async function askData(
  hooks: readonly object[],
  context: LoopContext,
  timeoutMs: number,
): Promise<HookEvaluation> {
  const { taskId } = context;
  const registry = createRegistry({ timeoutMs });
  registry.restore(hooks.map((hook) => ({ ...hook, taskId })));
  return bounded(await registry.evaluate(context));
}
