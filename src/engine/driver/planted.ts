/** Before each start of a host: what an agent or a check wrote for it, and nobody agreed to, must not run. */
import { sayPlanted } from '#law/words/phrases.ts';
import { plantedFor } from '../trust/brought.ts';
import { showViews } from '#evidence/views/views.ts';
import type { Drive } from './options.ts';

/** The loop then needs a person. False: the pass may begin. */
export function stopIfPlanted({ open, run, runtime }: Drive): boolean {
  const files = plantedFor(open, run.host, runtime);
  if (files.length === 0) return false;
  const planted = { host: run.host.name, files };
  open.write({ type: 'planted', at: runtime.now(), ...planted });
  showViews(open, runtime);
  open.keep();
  run.tell({ is: 'warning', text: sayPlanted(planted) });
  return true;
}
