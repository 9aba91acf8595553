import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Loop } from '../core/loop.ts';
import { keepEvidence } from '../journal/evidence.ts';
import type { OpenLoop } from '../journal/store.ts';
import type { World } from './world.ts';

/** Rule 4: the record has a line that is no event. It is copied as it was found, and the loop ends. */
export function abortBroken(open: OpenLoop, world: World): Loop {
  const evidence = keepEvidence(
    open.dir,
    'broken-journal.jsonl',
    readFileSync(join(open.dir, 'journal.jsonl')),
  );
  const detail = `the journal has a line that is no event: ${open.broken() ?? ''}`;
  return open.write({ type: 'aborted', at: world.now(), why: 'journal', detail, evidence });
}
