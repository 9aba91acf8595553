/** How flags are read, and the table of the start command. `help.ts` says what they mean. */
import {
  mapReading,
  readAs,
  readCheck,
  readCost,
  readCount,
  readDriver,
  readDuration,
  readEach,
  readGlob,
  readMaxItems,
  readMaxIterations,
  readMaxStalls,
  readMeasure,
  readName,
  readPath,
  readPromise,
  readPolicy,
  readRequire,
  readReviewer,
  readRule,
  readTarget,
  readTokens,
  readViews,
  type Reading,
} from './values.ts';
import { readNotify } from './notify-target.ts';
import type { StartOptions } from './options.ts';

export interface FlagShape {
  readonly flag: string;
  /** The word that stands for the value in a usage line; null: it takes none. */
  readonly value: string | null;
  readonly repeatable: boolean;
  /** What to do about a missing value, if there is more to say than to write it or leave the flag out. */
  readonly ifMissing?: string;
}

export interface Flag<T> extends FlagShape {
  /** Gets every given value, in order. A flag without a value gets an empty text. */
  readonly read: (values: readonly string[], options: T) => Reading<T>;
}

/** How the flags of one table are written. A usage is the flag and the word for its value: `--timeout DURATION`. */
export function flagsOf<T>() {
  function many<K extends keyof T>(
    usage: string,
    field: K,
    read: (texts: readonly string[]) => Reading<T[K]>,
  ): Flag<T> {
    const into = (texts: readonly string[], options: T) =>
      mapReading(read(texts), (value) => ({ ...options, [field]: value }));
    return { ...named(usage), repeatable: true, read: into };
  }
  return {
    many,
    one: <K extends keyof T>(usage: string, field: K, read: (text: string) => Reading<T[K]>): Flag<T> => ({
      ...many(usage, field, ([text = '']) => read(text)),
      repeatable: false,
    }),
    alone: (usage: string, into: (options: T) => Partial<T>): Flag<T> => ({
      ...named(usage),
      repeatable: false,
      read: (_none, options) => ({ ok: true, value: { ...options, ...into(options) } }),
    }),
  };
}

function named(usage: string): Pick<FlagShape, 'flag' | 'value'> {
  const [flag = usage, value = null] = usage.split(' ');
  return { flag, value };
}

export function usageOf({ flag, value }: Pick<FlagShape, 'flag' | 'value'>): string {
  return value === null ? flag : `${flag} ${value}`;
}

const { one, many, alone } = flagsOf<StartOptions>();

export const FLAGS: readonly Flag<StartOptions>[] = [
  one('--max-iterations N|unlimited', 'maxIterations', readMaxIterations),
  one('--completion-promise TEXT', 'promise', readPromise),
  many('--check CMD', 'checks', readEach(readCheck)),
  many('--held-out CMD', 'heldOut', readEach(readCheck)),
  one('--check-timeout DURATION', 'checkTimeoutMs', readDuration),
  one('--checks-timeout DURATION', 'checksTimeoutMs', readDuration),
  alone('--check-later', () => ({ checkLater: true })),
  one('--recheck DURATION', 'recheckMs', readDuration),
  one('--parallel N', 'parallel', readCount),
  one('--config FILE|none', 'config', readConfig),
  one('--features FILE', 'features', readPath),
  one('--watch-file FILE', 'watchFile', readPath),
  one('--done-folder DIR', 'doneFolder', readPath),
  one('--require all|any', 'require', readRequire),
  one('--min-iterations N', 'minIterations', readCount),
  one('--confirm N', 'confirm', readCount),
  many('--measure NAME=CMD', 'measures', readEach(readMeasure)),
  many('--keep NAME', 'keep', readEach(readName)),
  many('--target NAME<=NUMBER', 'targets', readEach(readTarget)),
  many('--review HOST[:MODEL]', 'reviewers', readEach(readReviewer)),
  one('--rubric FILE', 'rubric', readPath),
  one('--max-reviews N', 'maxReviews', readCount),
  many('--protect GLOB', 'protect', readEach(readGlob)),
  many('--ground GLOB', 'ground', readEach(readGlob)),
  alone('--tests-may-change', () => ({ testsMayChange: true })),
  alone('--red-first', () => ({ redFirst: true })),
  alone('--clean', () => ({ clean: true })),
  one('--setup CMD', 'setup', readCheck),
  many('--approve RULE', 'approve', readEach(readRule)),
  alone('--approve-done', () => ({ approveDone: true })),
  one('--approval-timeout DURATION', 'approvalTimeoutMs', readDuration),
  one('--approval-policy file|person', 'approvalPolicy', readPolicy),
  one('--approvals DIR', 'approvals', readPath),
  one('--items FILE', 'items', readPath),
  one('--items-from CMD', 'itemsFrom', readCheck),
  one('--max-items N', 'maxItems', readMaxItems),
  one('--as loop|issue|grind', 'mode', readAs),
  alone('--nest', () => ({ nest: true })),
  one('--timeout DURATION', 'timeoutMs', readDuration),
  one('--stale-after DURATION', 'staleAfterMs', readDuration),
  one('--max-cost USD', 'maxCostUsd', readCost),
  one('--max-tokens N', 'maxTokens', readTokens),
  one('--max-stalls N|off', 'maxStalls', readMaxStalls),
  one('--mode hook|fresh', 'driver', readDriver),
  many('--view VIEW', 'views', (texts) => mapReading(readEach(readViews)(texts), (views) => views.flat())),
  one('--vault DIR', 'vault', readPath),
  many('--notify URL|desktop', 'notify', readEach(readNotify)),
  one('--name NAME', 'name', readName),
];

function readConfig(text: string): Reading<StartOptions['config']> {
  return mapReading(readPath(text), (file) => (file === 'none' ? { is: 'none' } : { is: 'file', file }));
}
