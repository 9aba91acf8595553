/** The port to a host that a driver starts: one process for each pass, without a screen. */
import type { UsageWindow } from '#law/record/usage-window.ts';
import type { Environment } from './arrival.ts';
import type { Denial, FatalKind, Spent, StreamEvent, PassRecord } from './stream.ts';

/**
 * A headless host. Only the last three functions do I/O: they read the host's settings and ask its program.
 */
export interface HeadlessHost {
  readonly name: string;
  /**
   * What not every host can. `chooseSession`: a new session gets our id; otherwise the host's stream tells
   * its own. `cost`: it tells what a pass cost, in money. `tools`: it takes a list of allowed ones.
   * `windows`: it tells how much of the windows of a subscription is used.
   */
  readonly can: {
    readonly [
      Ability in 'compact' | 'fallbackModel' | 'chooseSession' | 'cost' | 'tools' | 'windows'
    ]?: boolean;
  };
  /** How a person gets a valid account there, as part of a sentence. */
  readonly login: string;
  /** The signal on which the host ends by itself, reports its result and ends what it started. */
  readonly gentle: 'SIGINT' | 'SIGTERM';
  /** The modes that a person may name; any other is an error. Empty: it has none. */
  readonly permissionModes: readonly string[];
  /**
   * What a pass is asked with that may change nothing and takes its settings from the person only: a review.
   * Its folder has no file that a host obeys, so it may be trusted. Absent: the host has no way to hold it to
   * that.
   */
  readonly readOnly?: Partial<Pick<Pass, 'permissionMode' | 'extra'>> & Partial<Pick<PassCommand, 'env'>>;
  /** Flags that choose the session or the output. A person can't pass them on. */
  readonly ownFlags: readonly string[];
  command(pass: Pass, place: PassPlace): PassCommand;
  /**
   * A reader for the stream of one pass, from its first line on. It may have state. `env`: of that pass, if
   * it is known.
   */
  openStream(env?: Environment): StreamReader;
  /** How a pass ended that we did not cut short. Judged by structure, never by prose. */
  classify(end: PassEnd): PassOutcome;
  /** What a session has used since then. Absent: the result tells it. */
  spentSince?(session: string, since: string, env: Environment): Spent;
  /** Which model a session has used, as its record tells. Absent: the stream tells it. */
  modelOf?(session: string, env: Environment): string | null;
  /** The windows of the account, as the record of a session last told them. Absent: the stream tells them. */
  windowsOf?(session: string, env: Environment): readonly UsageWindow[];
  /** The permission mode for passes where the person named none; null: the one in the host's own settings. */
  unattendedMode(where: SettingsPlace): string | null;
  /** What this project brings along for it: files that run code, send elsewhere or change permissions. */
  brought?(where: SettingsPlace): OfProject | null;
  /**
   * The same, as long as the person has not agreed in the host's own way. Absent: the host itself leaves out
   * what nobody agreed to.
   */
  untrusted?(where: SettingsPlace): OfProject | null;
  /** What would go wrong unattended, before anything is spent. */
  preflight(asked: PreflightRequest): Finding[];
}

export interface StreamReader {
  /** Reads one line of the stream. Never throws: an unknown line is `other` or `noise`. */
  read(line: string): StreamEvent[];
}

/** One pass as a driver asks for it. Null and empty values mean the host's default. */
export interface Pass {
  /** The id that a new session gets. Ids are used once. */
  readonly session: string;
  readonly resume: string | null;
  readonly prompt: string;
  /** Only compact the context of the resumed session; `prompt` says what must be kept. */
  readonly compact: boolean;
  readonly model: string | null;
  readonly fallbackModel: string | null;
  readonly permissionMode: string | null;
  readonly allowedTools: readonly string[];
  readonly budgetUsd: number | null;
  /** What the person passes on to the host after `--`. It comes last, so it wins. */
  readonly extra: readonly string[];
}

/** Where a pass runs. */
export interface PassPlace {
  readonly cwd: string;
  readonly env: Environment;
}

export interface PassCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
}

export function flagWith(name: string, value: string | null): string[] {
  return value === null ? [] : [name, value];
}

/**
 * A project's list may name the model of an item. In one word with its flag, a name can't become a flag of
 * its own.
 */
export function modelFlag(name: string, model: string | null): string[] {
  return model === null ? [] : [`${name}=${model}`];
}

export interface PassEnd {
  readonly exit: number | null;
  readonly signal: string | null;
  /** Set where the program could not even be started. */
  readonly unstartable: string | null;
  /** The end of stderr. */
  readonly stderr: string;
  readonly record: PassRecord;
}

export type PassOutcome =
  | {
      readonly is: 'stopped';
      readonly message: string;
      readonly toolUsed: boolean;
      readonly denied: readonly Denial[];
    }
  /** A retry soon may succeed. */
  | { readonly is: 'transient'; readonly why: string; readonly status: number | null }
  /** The account's usage limit: a retry after the reset may succeed. */
  | { readonly is: 'limit'; readonly resetsAt: string | null; readonly why: string }
  /** A retry would fail the same way: a person is needed. */
  | { readonly is: 'fatal'; readonly kind: FatalKind; readonly why: string }
  /** The host ended it because the budget of the pass was used up. */
  | { readonly is: 'budget'; readonly why: string }
  | {
      readonly is: 'crashed';
      readonly exit: number | null;
      readonly signal: string | null;
      readonly why: string;
    };

export type Outcome =
  | PassOutcome
  /** We ended it: it took longer than a pass may. */
  | { readonly is: 'timed-out'; readonly afterMs: number }
  /** We ended it: not a byte for too long. */
  | { readonly is: 'silent'; readonly afterMs: number }
  /** We ended it because of a person or a signal. */
  | { readonly is: 'broken-off' };

/** What a project brings along for a host, and what is foreign in it, in words. */
export interface OfProject {
  /** `digest`: of the whole file, our part included. Null: it can't be read, so nobody can agree to it. */
  readonly files: readonly { readonly file: string; readonly digest: string | null }[];
  readonly runs: readonly string[];
}

/** Whose settings of a host count: those of this person, in this project, on this system. */
export interface SettingsPlace {
  readonly project: string;
  readonly env: Environment;
  readonly platform: string;
}

export interface PreflightRequest extends SettingsPlace {
  readonly program: string;
  /** The user's id; null where there is none. */
  readonly uid: number | null;
  readonly pass: Pick<Pass, 'permissionMode' | 'allowedTools' | 'extra'>;
}

/** A finding about a host and its settings, with its fix. */
export interface Finding {
  /** Stable: programs may rely on it. */
  readonly id: string;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly says: string;
  readonly remedy: string | null;
}

export function ok(id: string, says: string): Finding {
  return { id, level: 'ok', says, remedy: null };
}

export function warning(id: string, says: string, remedy: string): Finding {
  return { id, level: 'warning', says, remedy };
}

export function problem(id: string, says: string, remedy: string): Finding {
  return { id, level: 'problem', says, remedy };
}
