/** Before each start of a host: what an agent or a check wrote for it, and nobody agreed to, must not run. */
import { sayPlanted } from '#law/words/phrases.ts';
import { recordPlanted } from '../trust/brought.ts';
import { showViews } from '#evidence/views/views.ts';
import type { Drive } from './options.ts';

/** The loop then needs a person. False: the pass may begin. */
export function stopIfPlanted({ open, run, runtime }: Drive): boolean {
  const planted = recordPlanted(open, run.host, runtime);
  if (planted === null) return false;
  showViews(open, runtime);
  open.keep();
  run.tell({ is: 'warning', text: sayPlanted(planted) });
  return true;
}
