/**
 * The port to a host: what it tells us, in our words, and how an answer is put into its own.
 * `Host` hears a host that runs by itself; `HeadlessHost` is one that a driver starts, one process a pass.
 */
import type { Context, Used } from '../core/events.ts';
import type { Loop } from '../core/loop.ts';
import type { BackgroundTask } from '../core/stop.ts';
import type { Commands } from '../text/to-person.ts';
import type { Denial, FatalKind, Seen, Told } from './stream.ts';

export type { Denial, FatalKind, Fault, RateLimit, Result, Seen, Spent, Told, Tokens } from './stream.ts';

export interface Host {
  readonly name: string;
  /** Null: nothing that concerns a loop (a subagent, an event we do not know). */
  hear(payload: unknown, env: Environment): Arrival | null;
  encode(answer: Answer, arrival: Arrival): string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Who speaks: one session in one process of the host, in one project. */
export interface Sender {
  /** The name of the host. */
  readonly host: string;
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
  /** Who else is here, for a state file that names no session. */
  readonly surroundings: () => Surroundings;
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
}

/** The agent, or a subagent of its, is about to use a tool. */
export interface ToolArrival {
  readonly is: 'tool';
  readonly from: Sender;
  /** As the host tells it: `hosts/<host>/tools.ts` reads it, where a loop might mind. */
  readonly use: Readonly<Record<string, unknown>>;
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
  | { readonly is: 'shell'; readonly line: string; readonly cwd: string };

export interface TextEdit {
  readonly from: string;
  readonly to: string;
  /** Wherever it stands, not only where it stands first. */
  readonly all: boolean;
}

export interface Surroundings {
  /** When the session began, in ms since the epoch; null where it can't be known. */
  readonly sessionBegan: number | null;
  /** Other sessions of the host that are alive in this project. */
  readonly othersLive: number;
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
  | { readonly is: 'continue'; readonly toAgent: string; readonly toPerson: string }
  | { readonly is: 'brief'; readonly toAgent: string; readonly toPerson: string | null }
  /** The tool is not used. */
  | { readonly is: 'deny'; readonly toAgent: string; readonly toPerson: string | null }
  | { readonly is: 'tell'; readonly toPerson: string }
  /** The command ends here: the model is not called. */
  | { readonly is: 'close'; readonly toPerson: string };

export const SILENCE: Answer = { is: 'silence' };

/** A host without a screen. Only the last two look at the world: at the host's settings, and at its program. */
export interface HeadlessHost {
  readonly name: string;
  readonly can: HeadlessAbilities;
  /** The signal on which the host ends by itself, tells its account and ends what it started. */
  readonly gentle: 'SIGINT' | 'SIGTERM';
  /** Those that a person may name; any other is a slip. Empty: it knows none by name, and takes any. */
  readonly permissionModes: readonly string[];
  command(pass: Pass): Command;
  /** One line of the stream. Never throws: what is not understood is `other` or `noise`. */
  read(line: string): Seen[];
  /** How a pass ended that nobody cut short: by structure, never by prose. */
  classify(end: PassEnd): Fate;
  /** The permission mode for passes where the person named none; null: the one in the host's own settings. */
  unattendedMode(where: PreflightPlace): string | null;
  /** What would go wrong unattended, before anything is spent. */
  preflight(asked: PreflightRequest): Finding[];
}

export interface HeadlessAbilities {
  /** A later pass can go on in an earlier session. */
  readonly resume: boolean;
  readonly compact: boolean;
  /** It can be told what a pass may cost. */
  readonly budget: boolean;
  readonly fallbackModel: boolean;
}

/** One pass as a driver asks for it. Null and empty: as the host does by itself. */
export interface Pass {
  /** The id that a new session gets. Ids are used once. */
  readonly session: string;
  /** An earlier session to go on in, instead of a new one. */
  readonly resume: string | null;
  readonly prompt: string;
  /** Only shorten the context of the resumed session; `prompt` says what must be kept. */
  readonly compact: boolean;
  readonly model: string | null;
  readonly fallbackModel: string | null;
  readonly permissionMode: string | null;
  readonly allowedTools: readonly string[];
  /** What is left of the loop's budget. */
  readonly budgetUsd: number | null;
  /** What the person passes on to the host, behind `--`. It comes last, and so wins. */
  readonly extra: readonly string[];
}

export interface Command {
  readonly args: readonly string[];
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
}

/** How the process ended, and what it had told. */
export interface PassEnd {
  readonly exit: number | null;
  readonly signal: string | null;
  /** Set where the program could not even be started. */
  readonly unstartable: string | null;
  /** The end of its complaints. */
  readonly stderr: string;
  readonly told: Told;
}

/** How a pass ended, by the host's account. */
export type Fate =
  | {
      readonly is: 'stopped';
      readonly message: string;
      readonly toolUsed: boolean;
      readonly denied: readonly Denial[];
    }
  /** Worth another try soon. */
  | { readonly is: 'transient'; readonly why: string; readonly status: number | null }
  /** The account's usage limit: worth another try at the reset. */
  | { readonly is: 'limit'; readonly resetsAt: string | null; readonly why: string }
  /** Another try would end the same way: a person is needed. */
  | {
      readonly is: 'fatal';
      readonly kind: FatalKind;
      readonly why: string;
    }
  /** The host ended it because the budget of the pass was used up. */
  | { readonly is: 'budget'; readonly why: string }
  | {
      readonly is: 'crashed';
      readonly exit: number | null;
      readonly signal: string | null;
      readonly why: string;
    };

export type Outcome =
  | Fate
  /** We ended it: it took longer than a pass may. */
  | { readonly is: 'timed-out'; readonly afterMs: number }
  /** We ended it: not a byte for too long. */
  | { readonly is: 'silent'; readonly afterMs: number }
  /** A person or a signal ended it through us. */
  | { readonly is: 'broken-off' };

export interface PreflightPlace {
  readonly project: string;
  readonly env: Environment;
  readonly platform: string;
}

export interface PreflightRequest extends PreflightPlace {
  readonly program: string;
  /** The user's number; null where there is none. */
  readonly uid: number | null;
  readonly pass: Pick<Pass, 'permissionMode' | 'allowedTools' | 'extra'>;
}

export interface Finding {
  /** Stable: programs may rely on it. */
  readonly id: string;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly says: string;
  readonly remedy: string | null;
}
