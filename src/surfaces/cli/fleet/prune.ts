/** `dacapo fleet prune`: keeps the record of a fleet small. */
import { plural } from '#law/words/phrases.ts';
import { findOldLoops, pruneLoops } from '#fleet/prune.ts';
import { readAge } from '#telling/time.ts';
import type { GivenFlags } from '../command.ts';
import { EXIT, failUsage, reply } from '../terminal/terminal.ts';
import { withFleet, type FleetOptions } from './fleet.ts';

type FleetPruneOptions = FleetOptions & GivenFlags<'dryRun' | 'withWork'> & { readonly olderThan: string };

export async function runFleetPrune(options: FleetPruneOptions): Promise<number> {
  const { olderThan, withWork, dryRun, json } = options;
  const olderThanMs = readAge(olderThan);
  if (olderThanMs === null)
    return failUsage(
      `--older-than takes an age, not ${JSON.stringify(olderThan)}.`,
      'write it like 30d, 12h or 90m.',
    );
  return withFleet(options, async (database) => {
    const old = await findOldLoops(database, { olderThanMs, withWork });
    if (dryRun) {
      const ids = old.map(({ id }) => id);
      return reply(
        json,
        { removed: ids, kept: [] },
        `${plural(old.length, 'loop')} would be removed.`,
        ...ids,
      );
    }
    const { removed, kept } = await pruneLoops(database, old);
    const lines = kept.map(({ id, why }) => `Loop ${id} stays: ${why}.`);
    reply(json, { removed, kept }, `${plural(removed.length, 'loop')} removed.`, ...lines);
    return kept.length === 0 ? EXIT.ok : EXIT.failed;
  });
}
