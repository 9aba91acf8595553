/** `dacapo prune`: removes ended loops with their evidence, and what crashes left behind. What has not ended stays. */
import { rmSync } from 'node:fs';
import { hasEnded } from '../core/loop.ts';
import { plural } from '../core/say.ts';
import { sayStatus } from '../core/words-of-status.ts';
import { title } from '../core/words-to-person.ts';
import { removeLoop } from '../journal/store.ts';
import { EXIT } from './exit-codes.ts';
import { findLeftovers } from './leftovers.ts';
import { findLoops, shown, withLoop } from './loops.ts';
import { fail, paint, say, sayJson } from './terminal.ts';
import { ago, readAge } from './time.ts';
import { cliWorld } from './world.ts';

export interface PruneOptions {
  readonly olderThan: string;
  readonly dryRun: boolean;
  readonly json: boolean;
}

export async function runPrune({ olderThan, dryRun, json }: PruneOptions): Promise<number> {
  const age = readAge(olderThan);
  if (age === null)
    return fail(
      `--older-than takes an age, not ${JSON.stringify(olderThan)}.`,
      'write it like 30d, 12h or 90m.',
      EXIT.usage,
    );
  const world = cliWorld();
  const now = world.now();
  const oldest = Date.parse(now) - age;
  const loops = findLoops(true, world).filter(
    (loop) => hasEnded(loop) && Date.parse(loop.updatedAt) <= oldest,
  );
  if (!dryRun)
    for (const { id } of loops)
      if (withLoop(id, world, (open) => hasEnded(shown(open)))) removeLoop(world.home, id);
  const gone = new Set(loops.map(({ id }) => id));
  const leftovers = findLeftovers(gone, world);
  if (!dryRun) for (const path of leftovers) rmSync(path, { recursive: true, force: true });
  if (json) {
    sayJson({ dry_run: dryRun, loops: [...gone], leftovers });
    return EXIT.ok;
  }
  const lines = loops.map((loop) => `  ${title(loop)} ${sayStatus(loop)}, ${ago(loop.updatedAt, now)}`);
  const count = `${plural(loops.length, 'ended loop')} and ${plural(leftovers.length, 'leftover file')}`;
  say(
    loops.length + leftovers.length === 0
      ? `Nothing to prune: no loop ended more than ${olderThan} ago.`
      : `${dryRun ? 'Would remove' : 'Removed'} ${count}${lines.length === 0 ? '.' : ':'}`,
    ...lines.map((line) => paint.dim(line)),
  );
  return EXIT.ok;
}
