/**
 * A table of flags parses them, documents them, and says what they default to. Here: the type, and the table of the
 * start command. A flag whose effect is not built is not in it, so it is refused instead of stored in silence.
 */
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
  readName,
  readPath,
  readPromise,
  readPolicy,
  readRequire,
  readRule,
  readTokens,
  readViews,
  type Reading,
} from './values.ts';
import { readNotify } from './notify-target.ts';
import type { StartOptions } from './options.ts';

/** What the parser has to know about a flag, whatever it sets. */
export interface FlagShape {
  readonly flag: string;
  /** The word that stands for the value in a usage line; null: it takes none. */
  readonly value: string | null;
  readonly help: string;
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
    help: string,
  ): Flag<T> {
    const into = (texts: readonly string[], options: T) =>
      mapReading(read(texts), (value) => ({ ...options, [field]: value }));
    return { ...named(usage), help, repeatable: true, read: into };
  }
  return {
    /** May be given several times. All values together become a field. */
    many,
    /** Takes one value, which becomes a field. */
    one: <K extends keyof T>(
      usage: string,
      field: K,
      read: (text: string) => Reading<T[K]>,
      help: string,
    ): Flag<T> => ({ ...many(usage, field, ([text = '']) => read(text), help), repeatable: false }),
    /** Takes no value. */
    alone: (usage: string, into: (options: T) => Partial<T>, help: string): Flag<T> => ({
      ...named(usage),
      help,
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
  one(
    '--max-iterations N|unlimited',
    'maxIterations',
    readMaxIterations,
    'end after N iterations (default 50)',
  ),
  one(
    '--completion-promise TEXT',
    'promise',
    readPromise,
    'done when the agent says <promise>TEXT</promise> (default COMPLETE, if there is no other gate)',
  ),
  many(
    '--check CMD',
    'checks',
    readEach(readCheck),
    'done only when this command passes; may be given several times',
  ),
  one(
    '--check-timeout DURATION',
    'checkTimeoutMs',
    readDuration,
    'how long one check may take (default 300s)',
  ),
  one(
    '--checks-timeout DURATION',
    'checksTimeoutMs',
    readDuration,
    'time limit for all checks of a stop (default 540s; in a session also the maximum)',
  ),
  one('--parallel N', 'parallel', readCount, 'run up to N checks at once (default 1)'),
  one(
    '--config FILE|none',
    'config',
    readConfig,
    'checks and stop hooks from this file (default dacapo.config.js, .mjs, .ts or .json), or none',
  ),
  one(
    '--features FILE',
    'features',
    readPath,
    'done only when every item of this list passes (JSON or a checklist; FILE#Section: a part of it)',
  ),
  one('--watch-file FILE', 'watchFile', readPath, 'done only when this file has arrived in the done folder'),
  one('--done-folder DIR', 'doneFolder', readPath, 'where the watched file is expected'),
  one(
    '--require all|any',
    'require',
    readRequire,
    'whether all gates have to hold, or any one of them (default all)',
  ),
  one('--min-iterations N', 'minIterations', readCount, 'not done before N iterations'),
  many(
    '--protect GLOB',
    'protect',
    readEach(readGlob),
    'files that stay as they are, such as "tests/**"; may be given several times, with ! to take back',
  ),
  many(
    '--approve RULE',
    'approve',
    readEach(readRule),
    'ask you before such calls: "shell(git push *)", "write(deploy/**)", starter; repeatable',
  ),
  alone('--approve-done', () => ({ approveDone: true }), 'done only when a person confirms it'),
  one(
    '--approval-timeout DURATION',
    'approvalTimeoutMs',
    readDuration,
    'end the loop if nobody answers for this long (default 24h)',
  ),
  one(
    '--approval-policy file|person',
    'approvalPolicy',
    readPolicy,
    'whether moving its file answers a request, or only a command does (default file)',
  ),
  one(
    '--approvals DIR',
    'approvals',
    readPath,
    'keep the folders with requests and answers in DIR (default the vault, else .dacapo)',
  ),
  one(
    '--items FILE',
    'items',
    readPath,
    'work off these items one by one: JSON, JSON lines, a Markdown checklist or plain lines',
  ),
  one(
    '--items-from CMD',
    'itemsFrom',
    readCheck,
    'the same, for the items that this command prints as JSON lines or a JSON array',
  ),
  one('--max-items N', 'maxItems', readMaxItems, 'end after N items (default 100)'),
  one(
    '--as loop|issue|grind',
    'mode',
    readAs,
    'which signals of the agent count (default loop; grind, where items are given)',
  ),
  alone('--nest', () => ({ nest: true }), 'inside the running loop, which continues when this task is done'),
  one(
    '--timeout DURATION',
    'timeoutMs',
    readDuration,
    'end after this much working time, such as 90s, 15m or 1h30m',
  ),
  one(
    '--stale-after DURATION',
    'staleAfterMs',
    readDuration,
    'never revive a loop that was idle for longer (default 2h)',
  ),
  one(
    '--max-cost USD',
    'maxCostUsd',
    readCost,
    'end when this much money is used, such as 5 or 2.50 (in a session: estimated from tokens)',
  ),
  one('--max-tokens N', 'maxTokens', readTokens, 'end when this many tokens are used, such as 500k or 2m'),
  one('--max-stalls N|off', 'maxStalls', readMaxStalls, 'end after N stops without progress (default 10)'),
  one(
    '--mode hook|fresh',
    'driver',
    readDriver,
    'continue in the same session, or with a new agent process each time (default hook)',
  ),
  many(
    '--view VIEW',
    'views',
    (texts) => mapReading(readEach(readViews)(texts), (views) => views.flat()),
    'show it as markdown (default), progress, vault, stack or none; may be given several times',
  ),
  one('--vault DIR', 'vault', readPath, 'with the vault view in this folder (default AI_Employee_Vault)'),
  many(
    '--notify URL|desktop',
    'notify',
    readEach(readNotify),
    'tell this one when the loop ends or needs you; may be given several times',
  ),
  one('--name NAME', 'name', readName, 'a name for people'),
];

function readConfig(text: string): Reading<StartOptions['config']> {
  return mapReading(readPath(text), (file) => (file === 'none' ? { is: 'none' } : { is: 'file', file }));
}
