/** What happens in a run, one thing at a time: what `--json` prints, and all that the screen knows. */
import type { Missing, Verdict } from '../core/verdict.ts';
import type { StatusWord } from '../core/loop.ts';

/** A gate as the last stop left it. */
export interface GateSeen {
  readonly gate: Missing['gate'];
  /** The command, the promise's text, the list's or the file's name. */
  readonly wanted: string;
  /** null: not tested yet. */
  readonly holds: boolean | null;
  readonly seen: string | null;
}

export type RunWait = 'pause' | 'retry' | 'limit' | 'circuit' | 'rate';

export type What =
  /** `text`: what it is done by, and what bounds it; lines. */
  | { readonly is: 'begins'; readonly loop: string; readonly text: string }
  | {
      readonly is: 'iteration-begins';
      readonly iteration: number;
      /** null: without limit. */
      readonly iterations: number | null;
      readonly model: string | null;
      readonly session: string;
      readonly feature: string | null;
      /** Of a list that is worked off item by item: which, of how many, and its title. */
      readonly item: string | null;
    }
  | { readonly is: 'says'; readonly text: string }
  | { readonly is: 'tool'; readonly id: string; readonly name: string; readonly summary: string }
  /** `text`: both ends of what it printed; `lines`: of how many lines all of it is. */
  | {
      readonly is: 'tool-ended';
      readonly id: string;
      readonly failed: boolean;
      readonly text: string;
      readonly lines: number;
    }
  | { readonly is: 'subagent'; readonly name: string; readonly what: string }
  /** The host tries its model again by itself: no fault, and no iteration is spent. */
  | { readonly is: 'host-retry'; readonly attempt: number; readonly why: string; readonly inMs: number }
  | { readonly is: 'checks-begin'; readonly commands: readonly string[] }
  | {
      readonly is: 'check-ended';
      readonly command: string;
      readonly passed: boolean;
      readonly ms: number;
      readonly tail: string;
    }
  | {
      readonly is: 'judged';
      readonly verdict: Verdict['is'];
      readonly words: string;
      readonly gates: readonly GateSeen[];
      readonly missing: readonly string[];
    }
  | {
      readonly is: 'waits';
      readonly for: RunWait;
      /** null: nobody knows. */
      readonly until: string | null;
      readonly why: string;
    }
  | { readonly is: 'goes-on' }
  /** Cost and tokens of the whole loop so far; the context of the session at work. */
  | {
      readonly is: 'usage';
      readonly costUsd: number | null;
      readonly tokens: number;
      readonly contextTokens: number | null;
      readonly contextWindow: number | null;
      /** While a pass is at work, from its messages at list prices; else the host's own figure. */
      readonly isReckoned: boolean;
    }
  | { readonly is: 'warning'; readonly text: string }
  | { readonly is: 'committed'; readonly sha: string; readonly files: number }
  | { readonly is: 'fault'; readonly class: string; readonly why: string }
  | {
      readonly is: 'ends';
      readonly status: StatusWord;
      readonly reason: string;
      /** Those that were judged, of the whole loop. */
      readonly iterations: number;
      readonly next: string | null;
    };

/** `at`: an ISO instant. */
export type Happening = What & { readonly at: string };

/** Where happenings go: a screen, lines, JSON. */
export interface Show {
  /** False: the reader is behind. Whoever has a source that can wait lets it wait for `drained`. */
  readonly tell: (happening: Happening) => boolean;
  readonly drained: () => Promise<void>;
  /** Leaves the terminal as it was found; to be called at every way out. */
  readonly close: () => void;
}
