/** Keeps the work of each pass, where that was asked for: what git has to do with a run. */
import type { Loop } from '../core/loop.ts';
import type { OpenLoop } from '../journal/store.ts';

export interface Keeper {
  readonly begins: (loop: Loop) => Promise<void>;
  readonly ended: (open: OpenLoop, iteration: number) => Promise<void>;
}
