/**
 * All loops of a project or of the machine, as cards. A second look opens only the loops whose records have grown, so
 * that a thousand loops can be watched.
 */
import { projectsOf } from '../store/store.ts';
import type { Loop } from '../core/loop.ts';
import { asKnown, byUrgency, liesIn, readPrompt, remembered } from '../operations/look/loops.ts';
import { provingNow } from '../operations/look/status.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { cleanLine } from './clean.ts';
import { openGlance, type AgentGlance, type AgentSeen } from './agent-feed.ts';
import { cardOf, type LoopCard } from './card.ts';
import { errorMessage } from '../core/thrown.ts';

const TASK = 200;
/** For so many loops the files of their agents are looked at. More do not fit on any screen. */
const GLANCES = 60;

export interface Listing {
  /** By urgency. */
  readonly cards: readonly LoopCard[];
  /** Loops that can't be read now, or only by a later version of Da Capo. */
  readonly unread: readonly { readonly id: string; readonly why: string }[];
}

export interface LoopIndex {
  readonly look: () => Listing;
  /** One loop; null: there is none, or it can't be read. */
  readonly card: (id: string) => LoopCard | null;
}

type Entry =
  | { readonly stamp: string; readonly loop: Loop; readonly broken: string | null; readonly task: string }
  | { readonly stamp: string; readonly loop: null; readonly why: string };
type ReadEntry = Extract<Entry, { task: string }>;

/** `root`: a folder, for its loops and those below it; null: every loop of this machine. */
export function openIndex(root: string | null, runtime: Runtime): LoopIndex {
  const { store } = runtime;
  const entries = new Map<string, Entry>();
  const glance = openGlance(runtime.env);
  const over = new Map<string, { readonly stamp: string; readonly card: LoopCard }>();
  const lies = remembered((folder) => root === null || liesIn(root, folder));

  const refresh = (): void => {
    const stamps = new Map(store.stamps().map(({ id, stamp }) => [id, stamp]));
    for (const id of entries.keys())
      if (!stamps.has(id)) {
        entries.delete(id);
        over.delete(id);
      }
    for (const [id, stamp] of stamps) {
      if (entries.get(id)?.stamp === stamp) continue;
      const entry = readEntry(id, stamp, runtime);
      if (entry !== null) entries.set(id, entry);
    }
  };

  /** The card of a loop that has ended does not change any more. */
  const ended = (entry: ReadEntry): LoopCard => {
    const { id } = entry.loop;
    const kept = over.get(id);
    if (kept?.stamp === entry.stamp) return kept.card;
    const card = show(entry, null, runtime);
    if (card.hasEnded) over.set(id, { stamp: entry.stamp, card });
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
          .map((entry, place) => (place < GLANCES ? show(entry, glance, runtime) : ended(entry))),
        unread: [...entries].flatMap(([id, entry]) => (entry.loop === null ? [{ id, why: entry.why }] : [])),
      };
    },
    card: (id) => {
      const entry = readEntry(id, '', runtime);
      return entry === null || entry.loop === null ? null : show(entry, glance, runtime);
    },
  };
}

/** One loop that is open already. */
export function cardFor(open: OpenLoop, runtime: Runtime): LoopCard {
  const entry = { stamp: '', loop: open.loop(), broken: open.broken(), task: taskOf(open) };
  return show(entry, openGlance(runtime.env), runtime);
}

const UNSEEN: AgentSeen = { words: null, model: null };

function show({ loop, broken, task }: ReadEntry, glance: AgentGlance | null, runtime: Runtime): LoopCard {
  const known = asKnown(loop, broken, runtime);
  const seen = glance?.at(loop, runtime.store.place(loop.id)) ?? UNSEEN;
  return cardOf(known, { task, seen, proving: provingNow(known, runtime)?.what ?? [] }, runtime.now());
}

function readEntry(id: string, stamp: string, { store }: Runtime): Entry | null {
  try {
    const open = store.open(id);
    if (open === null) return null;
    try {
      return { stamp, loop: open.loop(), broken: open.broken(), task: taskOf(open) };
    } finally {
      open.close();
    }
  } catch (error) {
    return { stamp, loop: null, why: errorMessage(error) };
  }
}

/** Its name, or else the beginning of its prompt. */
function taskOf(open: OpenLoop): string {
  const { name } = open.loop();
  return cleanLine(name ?? readPrompt(open).slice(0, 4 * TASK), TASK);
}
