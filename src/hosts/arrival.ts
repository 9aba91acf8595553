/**
 * What a host tells us, in our words, and what we answer. An adapter turns its host's payloads into an `Arrival`, and an
 * `Answer` into what its host reads.
 */
import type { Context, Used } from '../core/events.ts';
import type { Loop } from '../core/loop.ts';
import type { BackgroundTask } from '../core/stop.ts';
import type { Commands } from '../text/to-person.ts';
import type { HostLimits } from './limits.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Who speaks: one session in one process of the host, in one project. */
export interface Sender {
  /** The host's name. */
  readonly host: string;
  readonly limits: HostLimits;
  readonly session: string;
  readonly process: number | null;
  readonly project: string;
  /** The prompt that the session is working on, where the host tells it. */
  readonly prompt: string | null;
  /** What our commands are called in this session. */
  readonly commands: Commands;
}

export type Arrival =
  | StopArrival
  | { readonly is: 'fault'; readonly from: Sender; readonly error: string; readonly detail: string }
  | { readonly is: 'session-start'; readonly from: Sender; readonly source: 'resume' | 'clear' | 'compact' }
  | { readonly is: 'session-end'; readonly from: Sender; readonly reason: string }
  /** `person`: false for a notice that the host sends to itself. */
  | ToolArrival
  | { readonly is: 'prompt'; readonly from: Sender; readonly text: string; readonly person: boolean }
  | CommandArrival;

export interface StopArrival {
  readonly is: 'stop';
  readonly from: Sender;
  readonly message: string;
  readonly background: readonly BackgroundTask[];
  readonly cap: number | null;
  readonly attended: boolean;
  /** The host's own "a stop hook continued this turn": logged, and decides nothing (it is a latch). */
  readonly latch: boolean;
  /** What happened in the session since the transcript was last looked at, and since its owner took the loop. */
  readonly look: (since: Look['queue'], notBefore: string) => Look;
  /** Counts what the session has used, for a loop with a budget. The count goes on in the ledger. */
  readonly count?: (loop: Loop, ledger: LedgerBlob) => Promise<Count>;
}

/** What a host keeps of its count from stop to stop, in words of its own. */
export interface LedgerBlob {
  readonly read: () => string | null;
  readonly write: (content: string) => void;
}

export interface Count {
  readonly used: Used | null;
  /** What the person should know of how it was counted, once. */
  readonly note: string | null;
  /** Why it can't be counted, in words (rule 8): a budget must not seem unspent. */
  readonly trouble?: string | null;
}

/** The agent, or a subagent of its, is about to use a tool. */
export interface ToolArrival {
  readonly is: 'tool';
  readonly from: Sender;
  /** What the tool would do; null: nothing that a loop minds, as far as it shows. Read on demand: most sessions have no loop. */
  readonly act: () => ToolAct | null;
  /** What decides how the host runs our hooks, and what it records of the session: files, and folders with all in them. */
  readonly ground: () => readonly string[];
}

/** What a tool would write, as far as it shows. */
export type ToolAct =
  | {
      readonly is: 'write';
      readonly path: string;
      /** The whole of the file as it would be, where the tool tells; null: what it tells are edits, if anything. */
      readonly content: string | null;
      readonly edits: readonly TextEdit[];
      readonly cwd: string;
    }
  | {
      readonly is: 'shell';
      readonly line: string;
      readonly cwd: string;
      /** Variables that the host sets in this shell, as far as they lead somewhere. */
      readonly env: Environment;
    };

export interface TextEdit {
  readonly from: string;
  readonly to: string;
  /** Wherever it stands, not only where it stands first. */
  readonly all: boolean;
}

export interface Look {
  readonly queue: { readonly offset: number; readonly waiting: number };
  /** Something was taken out of the queue. */
  readonly taken: boolean;
  readonly toolUsed: boolean;
  /** As of the last message that could be read. */
  readonly context?: Context | null;
  /** Where the host tells with the stop what its pass has used: nothing has to be counted. */
  readonly used?: Used | null;
}

export interface CommandArrival {
  readonly is: 'command';
  readonly from: Sender;
  readonly command: 'start' | 'cancel' | 'resume' | 'status';
  /** Verbatim, with no shell in between. */
  readonly args: string;
  readonly cap: number | null;
  /** Set where the person has asked for the host's cap to be lifted: does it, writes that down in Da Capo's home, and tells whether it worked. */
  readonly liftCap: ((home: string) => boolean) | null;
}

export type Answer =
  | { readonly is: 'silence' }
  | {
      readonly is: 'continue';
      readonly toAgent: string;
      readonly toPerson: string;
      readonly iteration: Iteration;
    }
  | { readonly is: 'brief'; readonly toAgent: string; readonly toPerson: string | null }
  /** The tool is not used. */
  | { readonly is: 'deny'; readonly toAgent: string; readonly toPerson: string | null }
  | { readonly is: 'tell'; readonly toPerson: string }
  /** The command ends here: the model is not called. */
  | { readonly is: 'close'; readonly toPerson: string };

/** The iteration that begins; `of` null: there is no limit. */
export interface Iteration {
  readonly n: number;
  readonly of: number | null;
}

export const SILENCE: Answer = { is: 'silence' };
