/**
 * What `dacapo watch` shows, and what a person is doing there. Plain values: keys and news change them,
 * `view` draws them.
 */
import type { CardRequest, LoopCard } from '#telling/story/card.ts';
import type { ToldEvent } from '#telling/event.ts';
import type { StoryCheck, StoryEntry } from '#telling/story/story.ts';
import type { EntryMark, ScrollbackEntry } from '../entry.ts';

export interface WatchState {
  /** Null until the loops are read. */
  readonly cards: readonly LoopCard[] | null;
  readonly unread: number;
  /** The folder whose loops are shown; null: all of this machine, or of a fleet. */
  readonly root: string | null;
  readonly isFleet: boolean;
  readonly chosen: string | null;
  readonly find: string;
  readonly open: OpenedLoop | null;
  readonly asking: Asking | null;
  readonly notice: WatchNotice | null;
}

export type WatchTab = 'story' | 'journal' | 'agent' | 'proof';
export const TABS: readonly WatchTab[] = ['story', 'journal', 'agent', 'proof'];

export interface OpenedLoop {
  readonly id: string;
  readonly tab: WatchTab;
  /** How many lines are below the window; 0: it follows the end. */
  readonly up: number;
  readonly depth: number;
  readonly entries: readonly StoryEntry[];
  readonly total: number;
  readonly journal: readonly ToldEvent[];
  readonly agent: readonly ScrollbackEntry[];
  /** The checks of the last stop that ran any, with what they printed. */
  readonly proofs: readonly ProofText[];
}

export interface ProofText {
  readonly stop: number;
  readonly check: StoryCheck;
  readonly output: string;
}

export type Asking =
  | { readonly is: 'help' }
  | { readonly is: 'confirm'; readonly words: string; readonly act: KeyAct }
  | { readonly is: 'text'; readonly about: TextAbout; readonly text: string; readonly cursor: number };

export type TextAbout =
  | { readonly is: 'steer'; readonly id: string }
  | { readonly is: 'answer' | 'reject'; readonly request: CardRequest }
  | { readonly is: 'find' };

export type KeyAct =
  | { readonly is: 'quit' | 'suspend' | 'redraw' | 'scope' | 'close' | 'older' }
  | { readonly is: 'open'; readonly id: string }
  | { readonly is: 'pause' | 'resume' | 'cancel'; readonly id: string }
  | { readonly is: 'steer'; readonly id: string; readonly words: string }
  | { readonly is: 'approve'; readonly request: string }
  | { readonly is: 'reject' | 'answer'; readonly request: string; readonly words: string };

export interface KeyResult {
  readonly state: WatchState;
  readonly acts: readonly KeyAct[];
}

export interface WatchNotice {
  readonly mark: EntryMark;
  readonly text: string;
}

export const STORY_DEPTH_ENTRIES = 300;

export function beginWatch(root: string | null, isFleet = false): WatchState {
  return {
    cards: null,
    unread: 0,
    root,
    isFleet,
    chosen: null,
    find: '',
    open: null,
    asking: null,
    notice: null,
  };
}

export function listed({ cards, find }: Pick<WatchState, 'cards' | 'find'>): readonly LoopCard[] {
  if (cards === null || find === '') return cards ?? [];
  const wanted = find.toLowerCase();
  return cards.filter(({ task, id, status, project }) =>
    `${task}\n${id}\n${status}\n${project}`.toLowerCase().includes(wanted),
  );
}

export function currentCard(state: WatchState): LoopCard | null {
  const id = state.open?.id ?? state.chosen;
  return state.cards?.find((card) => card.id === id) ?? null;
}

/** New cards. The choice stays with its loop; if that is gone, it moves to the first. */
export function withCards(state: WatchState, cards: readonly LoopCard[], unread: number): WatchState {
  const sorted = cards.toSorted((a, b) => ORDER.indexOf(a.group) - ORDER.indexOf(b.group));
  const next = { ...state, cards: sorted, unread };
  const shown = listed(next);
  const chosen = shown.some(({ id }) => id === state.chosen) ? state.chosen : (shown[0]?.id ?? null);
  return { ...next, chosen };
}

/** As on the page. */
const ORDER: readonly LoopCard['group'][] = ['needs-you', 'working', 'resting', 'ended'];
