/** A fatal error asks for a person (seed 003): a request that lies beside the approvals, with all that is known. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { title } from '../text/to-person.ts';
import type { Fate } from '../hosts/headless.ts';
import type { World } from '../store/runtime.ts';
import type { OpenLoop } from '../store/open-loop.ts';

export function askForReview(
  open: OpenLoop,
  { kind, why }: Extract<Fate, { is: 'fatal' }>,
  evidence: string,
  world: World,
): string {
  const loop = open.loop();
  const at = world.now();
  const folder = join(open.dir, 'requests');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `review-${loop.events}.json`);
  const request = {
    kind: 'review',
    loop_id: loop.id,
    title: title(loop),
    project: loop.project,
    at,
    error: { class: kind, message: why, evidence },
    next: `dacapo resume ${loop.id}`,
  };
  writeFileSync(path, `${JSON.stringify(request, null, 2)}\n`, { mode: 0o600 });
  return path;
}
