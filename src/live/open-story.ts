/** Reads the story of a loop page by page. A second look reads only what was appended since the first. */
import { readPromptText } from '../store/prompts.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { foldStory } from './fold-story.ts';
import { pageOf, type PageOrder, type StoryEntry, type StoryPage } from './story.ts';

export interface OpenStory {
  readonly page: (order?: PageOrder) => StoryPage;
  readonly entry: (seq: number) => StoryEntry | null;
  /** Every entry, for a report or a count. */
  readonly all: () => readonly StoryEntry[];
  /** The prompt of the outermost frame: what was asked. Empty if it can't be read. */
  readonly asked: () => string;
}

/** `open` stays the caller's: close it when the story is no longer needed. */
export function openStory(open: OpenLoop): OpenStory {
  const story = foldStory();
  let from = 0;
  const look = (): void => {
    if (open.journal.end() === from) return;
    const { events, upTo } = open.journal.read(from);
    from = upTo;
    for (const event of events) story.add(event);
  };
  return {
    page: (order = {}) => {
      look();
      const { entries } = story;
      return {
        id: open.loop().id,
        status: open.look().status.is,
        entries: pageOf(entries, order),
        total: entries.length,
      };
    },
    entry: (seq) => {
      look();
      return story.entries[seq] ?? null;
    },
    all: () => {
      look();
      return story.entries;
    },
    asked: () => {
      try {
        return readPromptText(open.blobs, open.loop().frames[0].prompt);
      } catch {
        return '';
      }
    },
  };
}
