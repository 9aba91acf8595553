/** What happens in a run, one event at a time. `--json` prints these, and the screen knows nothing else. */
import { oneLine } from '#base/words/sanitize.ts';
import type { RequestKind } from '#law/record/events.ts';
import type { Verdict } from '#law/record/verdict.ts';
import type { AdvisedCommand } from '#telling/advice.ts';
import type { GateStatus } from '#telling/gate-status.ts';
import type { StatusWord, WaitFor } from '#law/loop.ts';
import type { StreamEvent } from '#hosts/port/stream.ts';

export type GateSeen = Omit<GateStatus, 'name'>;

interface RunEventFields {
  /** `text`: the gates and the limits of the loop, as lines. */
  begins: { loop: string; text: string };
  /** `item`: of a list that the loop works through item by item: which one, of how many, and its title. */
  'iteration-begins': {
    iteration: number;
    iterations: number | null;
    model: string | null;
    session: string;
    feature: string | null;
    item: string | null;
  };
  says: { text: string };
  tool: { id: string; name: string; summary: string };
  /** `text`: the beginning and the end of its output; `lines`: the number of lines of the whole. */
  'tool-ended': { id: string; failed: boolean; text: string; lines: number };
  subagent: { name: string; what: string };
  /** The host itself retries its model. This is not a fault and spends no iteration. */
  'host-retry': { attempt: number; why: string; inMs: number };
  'checks-begin': { commands: readonly string[] };
  /**
   * `passed`: null for a check that says "not yet", and for a number that was `measured`. `tail`: the end of
   * its output and how it ended, unless it passed; of a measure, its number.
   */
  'check-ended': { command: string; passed: boolean | null; measured?: true; ms: number; tail: string };
  judged: {
    verdict: Verdict['is'];
    words: string;
    gates: readonly GateSeen[];
    missing: readonly string[];
  };
  waits: {
    for: WaitFor;
    until: string | null;
    why: string;
    request?: { readonly id: string; readonly kind: RequestKind };
  };
  /** `why`: what ended the wait, if that is worth a word: "ask-abc-1 was approved from a terminal". */
  'goes-on': { why?: string };
  /**
   * Cost and tokens of the whole loop so far; the context of the session at work. `isReckoned`: true while a
   * pass is running: computed from its messages at list prices. Otherwise it is the host's own figure, or our
   * estimate from tokens where the host tells no price (`isEstimate`).
   */
  usage: {
    costUsd: number | null;
    tokens: number;
    contextTokens: number | null;
    contextWindow: number | null;
    isReckoned: boolean;
    isEstimate?: true;
  };
  warning: { text: string };
  committed: { sha: string; files: number };
  fault: { class: string; why: string };
  ends: {
    status: StatusWord;
    reason: string;
    iterations: number;
    workedMs: number;
    next: string | null;
    /** Those that `next` words, for programs. */
    commands: readonly AdvisedCommand[];
  };
}

export type RunEventBody = {
  [K in keyof RunEventFields]: { readonly is: K } & Readonly<RunEventFields[K]>;
}[keyof RunEventFields];

export type RunEvent = RunEventBody & { readonly at: string };

export interface Show {
  /** False: the reader is behind. A caller whose source can wait should wait for `drained`. */
  readonly tell: (event: RunEvent) => boolean;
  readonly drained: () => Promise<void>;
  /** Restores the terminal. Call it on every exit path. */
  readonly close: () => void;
}

const SUMMARY_CHARS = 120;

/**
 * The host's stream as events of a run. What only the driver needs gives none. `project`: paths in it are
 * shown short.
 */
export function runEventsOf(event: StreamEvent, project: string): RunEventBody[] {
  const short = (summary: string) => oneLine(summary.replaceAll(`${project}/`, ''), SUMMARY_CHARS);
  switch (event.is) {
    case 'text':
      return event.text.trim() === '' ? [] : [{ is: 'says', text: event.text }];
    case 'tool':
      return [{ is: 'tool', id: event.id, name: event.name, summary: short(event.summary) }];
    case 'tool-outcome':
      return [{ is: 'tool-ended', id: event.id, failed: event.failed, text: event.text, lines: event.lines }];
    case 'subagent': {
      // Only what a subagent does. Its text is for the agent that started it.
      const { event: its } = event;
      return its.is === 'tool' ? [{ is: 'subagent', name: its.name, what: short(its.summary) }] : [];
    }
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
    case 'asks': {
      const { request: id, until, text: why } = event;
      return [{ is: 'waits', for: 'approval', until, why, request: { id, kind: 'approval' } }];
    }
    case 'answered':
      return [{ is: 'goes-on', why: event.why }];
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
