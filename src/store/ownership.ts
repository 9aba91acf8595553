/** Whose a loop is. A pid alone says nothing: in two containers the drivers often have the same one. */
import type { Owner } from '../core/loop.ts';
import type { Runtime } from './runtime.ts';

/** Whether the loop belongs to this process, or to `process` of this machine. */
export function isOurs(
  owner: Owner | null,
  runtime: Pick<Runtime, 'store' | 'process'>,
  process: number | null = runtime.process,
): boolean {
  return owner !== null && owner.process === process && isHere(owner, runtime);
}

export function isHere(
  { machine }: { readonly machine?: string },
  { store }: Pick<Runtime, 'store'>,
): boolean {
  return machine === undefined || machine === store.machine();
}
