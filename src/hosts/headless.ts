/** The port to a host that a driver starts: one process for each pass, without a screen. */
import type { Environment } from './arrival.ts';
import type { Finding } from './finding.ts';
import type { Denial, FatalKind, StreamEvent, PassRecord } from './stream.ts';

/** A host without a screen. Only the last two look at the world: at the host's settings, and at its program. */
export interface HeadlessHost {
  readonly name: string;
  readonly can: HeadlessAbilities;
  /** The signal on which the host ends by itself, tells its account and ends what it started. */
  readonly gentle: 'SIGINT' | 'SIGTERM';
  /** Those that a person may name; any other is a slip. Empty: it knows none by name, and takes any. */
  readonly permissionModes: readonly string[];
  /** Flags that choose the session or the output: a person can't pass them on. */
  readonly ownFlags: readonly string[];
  command(pass: Pass): Command;
  /** A reader for the stream of one pass, from its first line on. It may remember what came before. */
  openStream(): StreamReader;
  /** How a pass ended that nobody cut short: by structure, never by prose. */
  classify(end: PassEnd): Fate;
  /** The permission mode for passes where the person named none; null: the one in the host's own settings. */
  unattendedMode(where: PreflightPlace): string | null;
  /** What would go wrong unattended, before anything is spent. */
  preflight(asked: PreflightRequest): Finding[];
}

export interface StreamReader {
  /** One line of the stream. Never throws: what is not understood is `other` or `noise`. */
  read(line: string): StreamEvent[];
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
  readonly record: PassRecord;
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
