/** The contents of `dacapo.config.{js,mjs,ts,json}`. */
import type { HookSpec } from '../spec.ts';
import type { StopHook } from '../types.ts';
import type { StopJs } from '../stop-js.ts';

/** Seconds, or a text such as `90s`, `15m`, `1h30m`. */
export type Duration = number | string;

export interface DacapoConfig {
  /** For editors; Da Capo does not read it. */
  readonly $schema?: string;
  /** Commands that prove the task done, each under a name that stop hooks know as a rule. */
  readonly checks?: Readonly<Record<string, string | CheckConfig>>;
  /** Numbers that commands print, each under a name. With `keep` or `target` a measure is a gate. */
  readonly measures?: Readonly<Record<string, string | MeasureConfig>>;
  /** Run the checks in parallel: all of them, or this many at once. */
  readonly parallel?: boolean | number;
  /** How long one check may take. Default: 300 s. */
  readonly checkTimeout?: Duration;
  /** How long all checks of one stop may take. Default: 540 s; in a session that is also the most. */
  readonly checksTimeout?: Duration;
  /** How long to wait after a check that exits with 75, "not yet". Default: 60 s; later waits get longer. */
  readonly recheck?: Duration;
  /** Calls that a person has to approve: rules such as `shell(git push *)`, or `starter`. */
  readonly approve?: readonly string[];
  /** A person confirms the completion. */
  readonly approveDone?: boolean;
  /** How long a request waits for an answer. Default: 24 h. */
  readonly approvalTimeout?: Duration;
  /** Whether a moved file is an answer (`file`, the default), or only what a person says (`person`). */
  readonly approvalPolicy?: 'file' | 'person';
  /** Another agent that has to approve the work when all else holds: `codex`, `claude-code:opus`. */
  readonly review?: string;
  /** How often it may object in a row. Default: 3. */
  readonly maxReviews?: number;
  /** Asked in this order at every stop. */
  readonly hooks?: readonly HookEntry[];
  /** How long one hook may take. Default: 60 s. */
  readonly hookTimeout?: Duration;
  /** How long all hooks of one stop may take. Default: 120 s. */
  readonly hooksTimeout?: Duration;
}

export interface CheckConfig {
  readonly command: string;
  readonly timeout?: Duration;
}

export interface MeasureConfig extends CheckConfig {
  /** It may not fall below its value at the start. */
  readonly keep?: boolean;
  /** What it has to reach, such as `<=0` or `>=80`. */
  readonly target?: string;
}

export type HookEntry = BareHook | NamedHook;

/** A hook as data, a function, a module that exports one, or a `stop.js` file. Paths are relative to the config. */
export type BareHook = HookSpec | StopHook | string | { readonly stopJs: string | StopJs };

export interface NamedHook {
  /** Used in accounts, metrics and messages. */
  readonly name?: string;
  /** Default: true. */
  readonly enabled?: boolean;
  readonly hook: BareHook;
}

/** Returns the config unchanged. It gives editors the type. */
export function defineConfig(config: DacapoConfig): DacapoConfig {
  return config;
}
