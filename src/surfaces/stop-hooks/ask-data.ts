/** Asks hooks that are data in this process. They are our own code, so nothing has to be able to end them. */
import type { LoopContext } from '#law/proof/stop-hooks.ts';
import { bounded, CLOCK, evaluate } from './evaluate.ts';
import { readSaved } from './from-spec.ts';

export async function askData(hooks: readonly object[], context: LoopContext, timeoutMs: number) {
  return bounded(await evaluate(readSaved(hooks), context, CLOCK, timeoutMs));
}
