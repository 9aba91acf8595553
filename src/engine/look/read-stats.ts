/**
 * Reads the statistics of a project or of the machine. The tally of an ended loop is kept beside its journal,
 * so that the journals of a thousand loops are read once and not each time.
 */
import { projectsOf, hasEnded } from '#law/loop.ts';
import { liesIn } from '#base/files/paths.ts';
import { readAs, record, text, whole } from '#base/shape.ts';
import { knownLoop, withLoop } from './loops.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { openGlance, type AgentGlance } from './agent-feed.ts';
import { openStory } from './fold-story.ts';
import { statsOf, type Stats } from '#telling/story/stats.ts';
import { tally, tallyOf, type Tally } from '#telling/story/tally.ts';

const BLOB = 'tally.json';
/** Raised when a tally counts something else than before. */
const VERSION = '2';

/** `end`: the length of the record that was counted. */
const keptTally = record({ version: text, end: whole, tally });

/** `root`: a folder, for its loops and those below it; null: every loop of this machine. */
export function readStats(root: string | null, runtime: Runtime): Stats {
  const glance = openGlance(runtime.env);
  const tallyIn = (open: OpenLoop) => {
    const isMeant = root === null || projectsOf(open.loop()).some((project) => liesIn(root, project));
    return isMeant ? tallyFor(open, glance, runtime) : null;
  };
  const tallies = runtime.store.stamps().flatMap(({ id }) => {
    try {
      return withLoop(id, runtime, tallyIn) ?? [];
    } catch {
      // It can't be read now, or only by a later version of Da Capo.
      return [];
    }
  });
  return statsOf(tallies);
}

function tallyFor(open: OpenLoop, glance: AgentGlance, runtime: Runtime): Tally {
  const end = open.journal.end();
  const kept = readAs(keptTally, () => open.blobs.read(BLOB));
  if (kept?.version === VERSION && kept.end === end) return kept.tally;
  const loop = knownLoop(open, runtime);
  const counted = withModel(
    tallyOf(loop, openStory(open).all(), runtime.now()),
    () => glance(loop, runtime.store.place(loop.id)).model,
  );
  if (hasEnded(loop)) keepTally(open, { version: VERSION, end, tally: counted });
  return counted;
}

/** A person who chose no model wants to know which one worked. The files of the agent say so. */
function withModel(counted: Tally, seen: () => string | null): Tally {
  if (!counted.models.some(({ model }) => model === null)) return counted;
  const model = seen();
  return { ...counted, models: counted.models.map((one) => ({ ...one, model: one.model ?? model })) };
}

/** It only saves time: a disk that is full must not keep anybody from reading. */
function keepTally({ blobs }: OpenLoop, value: object): void {
  try {
    blobs.write(BLOB, JSON.stringify(value));
  } catch {}
}
