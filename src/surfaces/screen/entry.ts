/** The entries of the scrollback. Their texts are already cleaned and of bounded size. */
import type { RunEvent } from '#engine/run-event.ts';
import type { Folded } from './terminal/clean-text.ts';

export type EntryMark = 'ok' | 'failed' | 'open' | 'warning';

export interface MarkedText {
  readonly mark: EntryMark;
  readonly text: string;
}

export interface Closing extends Omit<Extract<RunEvent, { is: 'ends' }>, 'is' | 'at' | 'commands'> {
  /** In words; null: there is nothing to say about it. */
  readonly cost: string | null;
  readonly tokens: number;
  readonly open: readonly string[];
}

export type Entry =
  | { readonly kind: 'heading'; readonly parts: readonly string[] }
  | { readonly kind: 'begins' | 'says'; readonly text: Folded }
  | {
      readonly kind: 'work' | 'check';
      readonly mark: EntryMark;
      readonly name: string;
      readonly summary: string;
      readonly aside: string;
      readonly output: Folded;
    }
  | ({ readonly kind: 'judged'; readonly lines: readonly MarkedText[] } & MarkedText)
  | ({ readonly kind: 'note' } & MarkedText)
  | { readonly kind: 'ending'; readonly closing: Closing };

export interface ScrollbackEntry {
  readonly entry: Entry;
  /** An empty line stands above it. */
  readonly air: boolean;
}
