/**
 * All loops of a project or of the machine, as cards. A second look opens only the loops whose records have
 * grown, so that a thousand loops can be watched.
 */
import { projectsOf, type Loop } from '#law/loop.ts';
import { liesIn } from '#base/files/paths.ts';
import { errorMessage, parseAs, remembered } from '#base/shape.ts';
import { FLEET_COPY } from './find.ts';
import { asKnown, byUrgency, readPrompt, withLoop } from './loops.ts';
import { asSeen, provingNow } from './status.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { cleanLine } from '#telling/story/clean.ts';
import { NOTHING_SEEN, openGlance, type AgentGlance } from './agent-feed.ts';
import { cardOf, fleetFacts, type FleetFacts, type LoopCard } from '#telling/story/card.ts';

const MAX_TASK_CHARS = 200;
/** For how many loops we look at the files of their agents. More do not fit on any screen. */
const MAX_AGENTS_GLANCED_AT = 60;

export type LoopIndex = ReturnType<typeof openIndex>;

interface ReadEntry {
  readonly stamp: string;
  readonly loop: Loop;
  readonly broken: string | null;
  readonly task: string;
  readonly fleet: FleetFacts | null;
  /** The card of a loop that has ended does not change any more. */
  over?: LoopCard;
}
type IndexEntry = ReadEntry | { readonly stamp: string; readonly loop: null; readonly why: string };

/** `root`: a folder, for its loops and those below it; null: every loop of this machine. */
export function openIndex(root: string | null, runtime: Runtime) {
  const { store } = runtime;
  const entries = new Map<string, IndexEntry>();
  const glance = openGlance(runtime.env);
  const lies = remembered((folder) => root === null || liesIn(root, folder));

  const refresh = (): void => {
    const stamps = new Map(store.stamps().map(({ id, stamp }) => [id, stamp]));
    for (const id of entries.keys()) if (!stamps.has(id)) entries.delete(id);
    for (const [id, stamp] of stamps) {
      if (entries.get(id)?.stamp === stamp) continue;
      const entry = readEntry(id, stamp, runtime);
      if (entry !== null) entries.set(id, entry);
    }
  };

  const unseen = (entry: ReadEntry): LoopCard => {
    const card = entry.over ?? showCard(entry, null, runtime);
    if (card.hasEnded) entry.over = card;
    return card;
  };

  return {
    look: () => {
      refresh();
      const read = [...entries.values()].filter((entry) => entry.loop !== null);
      const own = read.filter(({ loop }) => projectsOf(loop).some(lies));
      return {
        cards: own
          .toSorted((a, b) => byUrgency(a.loop, b.loop))
          .map((entry, place) =>
            place < MAX_AGENTS_GLANCED_AT ? showCard(entry, glance, runtime) : unseen(entry),
          ),
        /** Loops that can't be read now, or only by a later version of Da Capo. */
        unread: [...entries].flatMap(([id, entry]) => (entry.loop === null ? [{ id, why: entry.why }] : [])),
      };
    },
    card: (id: string): LoopCard | null => {
      const entry = readEntry(id, '', runtime);
      return entry === null || entry.loop === null ? null : showCard(entry, glance, runtime);
    },
  };
}

export function cardFor(open: OpenLoop, runtime: Runtime): LoopCard {
  return showCard(readIndexEntry(open, ''), openGlance(runtime.env), runtime);
}

function showCard(entry: ReadEntry, glance: AgentGlance | null, runtime: Runtime): LoopCard {
  const { loop, broken, task, fleet } = entry;
  const known = asSeen(asKnown(loop, broken, runtime), runtime);
  const seen = glance?.(loop, runtime.store.place(loop.id)) ?? NOTHING_SEEN;
  const proving = provingNow(known, runtime)?.what ?? [];
  return cardOf(known, { task, seen, proving, fleet }, runtime.now());
}

function readEntry(id: string, stamp: string, runtime: Runtime): IndexEntry | null {
  try {
    return withLoop(id, runtime, (open) => readIndexEntry(open, stamp));
  } catch (error) {
    return { stamp, loop: null, why: errorMessage(error) };
  }
}

function readIndexEntry(open: OpenLoop, stamp: string): ReadEntry {
  const loop = open.loop();
  const task = cleanLine(loop.name ?? readPrompt(open).slice(0, 4 * MAX_TASK_CHARS), MAX_TASK_CHARS);
  // Only a copy that is kept up to date has them.
  const fleet = parseAs(fleetFacts, open.blobs.read(FLEET_COPY) ?? '');
  return { stamp, loop, broken: open.broken(), task, fleet };
}
