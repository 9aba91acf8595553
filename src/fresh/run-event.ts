/** What happens in a run, one event at a time. `--json` prints these, and the screen knows nothing else. */
import type { RequestKind } from '../core/record/events.ts';
import type { Verdict } from '../core/record/verdict.ts';
import type { GateReport } from '../text/report.ts';
import type { StatusWord, WaitFor } from '../core/loop.ts';
import type { StreamEvent } from '../hosts/stream.ts';

export type GateSeen = Omit<GateReport, 'name'>;

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
  /** `passed`: null for a check that says "not yet". */
  | {
      readonly is: 'check-ended';
      readonly command: string;
      readonly passed: boolean | null;
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
      readonly iterations: number;
      readonly workedMs: number;
      readonly next: string | null;
    };

export type RunEvent = RunEventBody & { readonly at: string };

/** Where the events go: a screen, lines, JSON. */
export interface Show {
  /** False: the reader is behind. A caller whose source can wait should wait for `drained`. */
  readonly tell: (event: RunEvent) => boolean;
  readonly drained: () => Promise<void>;
  /** Restores the terminal. Call it on every exit path. */
  readonly close: () => void;
}

/** The host's stream as events of a run. What only the driver needs gives none. */
export function runEventsOf(event: StreamEvent): RunEventBody[] {
  switch (event.is) {
    case 'text':
      return event.text.trim() === '' ? [] : [{ is: 'says', text: event.text }];
    case 'tool':
      return [{ is: 'tool', id: event.id, name: event.name, summary: event.summary }];
    case 'tool-outcome':
      return [{ is: 'tool-ended', id: event.id, failed: event.failed, text: event.text, lines: event.lines }];
    case 'subagent':
      return subagentsWork(event.event);
    case 'retry':
      return [
        { is: 'host-retry', attempt: event.attempt, why: event.why ?? 'unknown', inMs: event.delayMs ?? 0 },
      ];
    case 'fallback':
      return [{ is: 'warning', text: `the host works on with ${event.model ?? 'another model'}` }];
    case 'rate-limit':
      return event.status === 'warning' ? [limitIsNear(event.resetsAt)] : [];
    case 'compacted':
      return [{ is: 'warning', text: 'the host has compacted the context' }];
    // Reported once, when the pass is over.
    case 'denied':
    // The result of the tool says this.
    case 'refused':
    case 'init':
    case 'context':
    case 'usage':
    case 'fault':
    case 'result':
    case 'noise':
    case 'other':
      return [];
  }
}

function limitIsNear(resetsAt: string | null): RunEventBody {
  const until = resetsAt === null ? '' : `; it resets at ${resetsAt}`;
  return { is: 'warning', text: `a usage limit of the host is near${until}` };
}

/** Only what a subagent does. Its text is for the agent that started it. */
function subagentsWork(event: StreamEvent): RunEventBody[] {
  return event.is === 'tool' ? [{ is: 'subagent', name: event.name, what: event.summary }] : [];
}
