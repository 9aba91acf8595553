/** What happens in a run, one event at a time. `--json` prints these, and the screen knows nothing else. */
import type { RequestKind } from '../core/record/events.ts';
import type { Verdict } from '../core/record/verdict.ts';
import type { GateReport } from '../text/report.ts';
import type { StatusWord, WaitFor } from '../core/loop.ts';

/** A gate as the last stop left it. */
export interface GateSeen {
  readonly gate: GateReport['gate'];
  /** The command, the promise's text, the list's or the file's name. */
  readonly wanted: string;
  readonly holds: boolean | null;
  readonly seen: string | null;
}

export type RunEventBody =
  /** `text`: the gates and the limits of the loop, as lines. */
  | { readonly is: 'begins'; readonly loop: string; readonly text: string }
  | {
      readonly is: 'iteration-begins';
      readonly iteration: number;
      readonly iterations: number | null;
      readonly model: string | null;
      readonly session: string;
      readonly feature: string | null;
      /** For a list that the loop works through item by item: which item, of how many, and its title. */
      readonly item: string | null;
    }
  | { readonly is: 'says'; readonly text: string }
  | { readonly is: 'tool'; readonly id: string; readonly name: string; readonly summary: string }
  /** `text`: the beginning and the end of its output; `lines`: the number of lines of the whole. */
  | {
      readonly is: 'tool-ended';
      readonly id: string;
      readonly failed: boolean;
      readonly text: string;
      readonly lines: number;
    }
  | { readonly is: 'subagent'; readonly name: string; readonly what: string }
  /** The host itself retries its model. This is not a fault and spends no iteration. */
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
      readonly for: WaitFor;
      readonly until: string | null;
      readonly why: string;
      /** What a person is asked, if that is what it waits for. */
      readonly request?: { readonly id: string; readonly kind: RequestKind };
    }
  /** `why`: what ended the wait, if that is worth a word: "ask-abc-1 was approved from a terminal". */
  | { readonly is: 'goes-on'; readonly why?: string }
  /** Cost and tokens of the whole loop so far; the context of the session at work. */
  | {
      readonly is: 'usage';
      readonly costUsd: number | null;
      readonly tokens: number;
      readonly contextTokens: number | null;
      readonly contextWindow: number | null;
      /** True while a pass is running: computed from its messages at list prices. Otherwise it is the host's own figure. */
      readonly isReckoned: boolean;
    }
  | { readonly is: 'warning'; readonly text: string }
  | { readonly is: 'committed'; readonly sha: string; readonly files: number }
  | { readonly is: 'fault'; readonly class: string; readonly why: string }
  | {
      readonly is: 'ends';
      readonly status: StatusWord;
      readonly reason: string;
      /** The judged iterations of the whole loop. */
      readonly iterations: number;
      /** The working time of the whole loop, as its record has it. */
      readonly workedMs: number;
      readonly next: string | null;
    };

/** `at`: an ISO instant. */
export type RunEvent = RunEventBody & { readonly at: string };

/** Where the events go: a screen, lines, JSON. */
export interface Show {
  /** False: the reader is behind. A caller whose source can wait should wait for `drained`. */
  readonly tell: (event: RunEvent) => boolean;
  readonly drained: () => Promise<void>;
  /** Restores the terminal. Call it on every exit path. */
  readonly close: () => void;
}
