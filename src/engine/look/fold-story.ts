/**
 * Folds events into the entries of a story, one event at a time. It holds one small entry per stop, however
 * long the outputs were.
 */
import { fold } from '#law/fold/index.ts';
import { outermostOf, type Loop } from '#law/loop.ts';
import type { Event } from '#law/record/events.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { readPrompt } from './loops.ts';
import { iterationOf, momentOf, pageOf } from '#telling/story/story.ts';
import type { OpenPass, PageOrder, StopSoFar, StoryEntry } from '#telling/story/story.ts';

export function foldStory() {
  const entries: StoryEntry[] = [];
  let loop: Loop | null = null;
  let pass: OpenPass | null = null;
  /** The last few stops: of the others, nothing more is told. */
  let stops = new Map<number, StopSoFar>();

  const tell = (stop: StopSoFar): void => {
    stops.set(stop.stop.n, stop);
    entries[stop.seq] = iterationOf(stop);
  };
  const more = (n: number, told: Partial<StopSoFar>): void => {
    const stop = stops.get(n);
    if (stop !== undefined) tell({ ...stop, ...told });
  };

  const add = (event: Event): void => {
    const after = fold(loop, event);
    const before = loop ?? after;
    loop = after;
    if (before === null || after === null) return;
    if (event.type === 'stop') {
      // A second delivery of the same stop changes nothing.
      if (after.stops === before.stops) return;
      stops = new Map([...stops].slice(-2));
      tell({ seq: entries.length, stop: event, pass, frame: before.frame });
    } else if (event.type === 'verdict') {
      more(event.n, { judged: { event, before, after } });
      pass = { beganAt: event.at, model: pass?.model ?? null };
    } else if (event.type === 'asked') more(event.n, { asked: event });
    else if (event.type === 'recorded') more(Math.max(...stops.keys()), { recorded: event });
    else {
      const moment = momentOf(entries.length, event);
      if (moment !== null) entries.push(moment);
      pass = passAfter(pass, event);
    }
  };
  return { add, entries: entries as readonly StoryEntry[] };
}

function passAfter(pass: OpenPass | null, event: Event): OpenPass | null {
  const { type, at } = event;
  if (type === 'taken') return { beganAt: at, model: event.model };
  const begins = type === 'bound' || type === 'resumed' || type === 'prompted';
  return begins ? { beganAt: at, model: pass?.model ?? null } : pass;
}

export type OpenStory = ReturnType<typeof openStory>;
export type StoryPage = Readonly<ReturnType<OpenStory['page']>>;

/**
 * A second look reads only what was appended since. `open` stays the caller's: close it when the story is no
 * longer needed.
 */
export function openStory(open: OpenLoop) {
  const story = foldStory();
  let from = 0;
  const look = (): void => {
    if (open.journal.end() === from) return;
    const { events, upTo } = open.journal.read(from);
    from = upTo;
    for (const event of events) story.add(event);
  };
  return {
    page: (order: PageOrder = {}) => {
      look();
      return { entries: pageOf(story.entries, order), total: story.entries.length };
    },
    all: (): readonly StoryEntry[] => {
      look();
      return story.entries;
    },
    /** The prompt of the outermost frame. Empty if it can't be read. */
    asked: () => readPrompt(open, outermostOf(open.loop())),
  };
}
