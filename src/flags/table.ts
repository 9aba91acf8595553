/**
 * The flags of the start command: one table that parses them, documents them, and says what they default to.
 * A flag whose effect is not built does not stand here, so it is refused instead of stored in silence.
 */
import {
  readAs,
  readCheck,
  readCost,
  readCount,
  readDriver,
  readDuration,
  readGlob,
  readMaxItems,
  readMaxIterations,
  readMaxStalls,
  readName,
  readPath,
  readPromise,
  readRequire,
  readTokens,
  readViews,
  type Reading,
} from './values.ts';
import { nearest } from './did-you-mean.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { completed, contradiction, DEFAULTS, type StartOptions } from './options.ts';

export interface Flag {
  readonly flag: `--${string}`;
  /** The word that stands for the value in a usage line; null: it takes none. */
  readonly value: string | null;
  readonly help: string;
  readonly repeatable: boolean;
  readonly read: (value: string, options: StartOptions) => Reading<StartOptions>;
}

/** A flag as it was given. */
export interface Given {
  readonly flag: Flag;
  readonly value: string;
}

export const FLAGS: readonly Flag[] = [
  {
    flag: '--max-iterations',
    value: 'N|unlimited',
    help: 'end after N iterations (default 50)',
    repeatable: false,
    read: (text, options) =>
      setting(readMaxIterations(text), (maxIterations) => ({ ...options, maxIterations })),
  },
  {
    flag: '--completion-promise',
    value: 'TEXT',
    help: 'done when the agent says <promise>TEXT</promise> (default COMPLETE, if there is no other gate)',
    repeatable: false,
    read: (text, options) => setting(readPromise(text), (promise) => ({ ...options, promise })),
  },
  {
    flag: '--check',
    value: 'CMD',
    help: 'done only when this command passes; may be given several times',
    repeatable: true,
    read: (text, options) =>
      setting(readCheck(text), (check) => ({ ...options, checks: [...options.checks, check] })),
  },
  {
    flag: '--check-timeout',
    value: 'DURATION',
    help: 'how long one check may take (default 300s)',
    repeatable: false,
    read: (text, options) =>
      setting(readDuration(text), (checkTimeoutMs) => ({ ...options, checkTimeoutMs })),
  },
  {
    flag: '--checks-timeout',
    value: 'DURATION',
    help: 'how long all checks of one stop may take (default and, in a session, at most 540s)',
    repeatable: false,
    read: (text, options) =>
      setting(readDuration(text), (checksTimeoutMs) => ({ ...options, checksTimeoutMs })),
  },
  {
    flag: '--parallel',
    value: 'N',
    help: 'run up to N checks at once (default 1)',
    repeatable: false,
    read: (text, options) => setting(readCount(text), (parallel) => ({ ...options, parallel })),
  },
  {
    flag: '--config',
    value: 'FILE|none',
    help: 'checks and stop hooks from this file (default dacapo.config.js, .mjs, .ts or .json), or none',
    repeatable: false,
    read: (text, options) =>
      setting(readPath(text), (file) => ({
        ...options,
        config: file === 'none' ? { is: 'none' as const } : { is: 'file' as const, file },
      })),
  },
  {
    flag: '--features',
    value: 'FILE',
    help: 'done only when every item of this list passes: feature_list.json, a PRD or a Markdown checklist',
    repeatable: false,
    read: (text, options) => setting(readPath(text), (features) => ({ ...options, features })),
  },
  {
    flag: '--watch-file',
    value: 'FILE',
    help: 'done only when this file has arrived in the done folder',
    repeatable: false,
    read: (text, options) => setting(readPath(text), (watchFile) => ({ ...options, watchFile })),
  },
  {
    flag: '--done-folder',
    value: 'DIR',
    help: 'where the watched file is expected',
    repeatable: false,
    read: (text, options) => setting(readPath(text), (doneFolder) => ({ ...options, doneFolder })),
  },
  {
    flag: '--require',
    value: 'all|any',
    help: 'whether all gates have to hold, or any one of them (default all)',
    repeatable: false,
    read: (text, options) => setting(readRequire(text), (require) => ({ ...options, require })),
  },
  {
    flag: '--min-iterations',
    value: 'N',
    help: 'not done before N iterations',
    repeatable: false,
    read: (text, options) => setting(readCount(text), (minIterations) => ({ ...options, minIterations })),
  },
  {
    flag: '--protect',
    value: 'GLOB',
    help: 'files that stay as they are, such as "tests/**"; may be given several times, with ! to take back',
    repeatable: true,
    read: (text, options) =>
      setting(readGlob(text), (glob) => ({ ...options, protect: [...options.protect, glob] })),
  },
  {
    flag: '--items',
    value: 'FILE',
    help: 'work off these items one by one: JSON, JSON lines, a Markdown checklist or plain lines',
    repeatable: false,
    read: (text, options) => setting(readPath(text), (items) => ({ ...options, items })),
  },
  {
    flag: '--items-from',
    value: 'CMD',
    help: 'the same, for the items that this command prints as JSON lines',
    repeatable: false,
    read: (text, options) => setting(readCheck(text), (itemsFrom) => ({ ...options, itemsFrom })),
  },
  {
    flag: '--max-items',
    value: 'N',
    help: 'end after N items (default 100)',
    repeatable: false,
    read: (text, options) => setting(readMaxItems(text), (maxItems) => ({ ...options, maxItems })),
  },
  {
    flag: '--as',
    value: 'loop|issue|grind',
    help: 'which signals of the agent count (default loop; grind, where items are given)',
    repeatable: false,
    read: (text, options) => setting(readAs(text), (mode) => ({ ...options, mode })),
  },
  {
    flag: '--nest',
    value: null,
    help: 'inside the loop of this session: it goes on when this task is done',
    repeatable: false,
    read: (_, options) => ({ ok: true, value: { ...options, nest: true } }),
  },
  {
    flag: '--timeout',
    value: 'DURATION',
    help: 'end after this much working time, such as 90s, 15m or 1h30m',
    repeatable: false,
    read: (text, options) => setting(readDuration(text), (timeoutMs) => ({ ...options, timeoutMs })),
  },
  {
    flag: '--stale-after',
    value: 'DURATION',
    help: 'never revive a loop that was idle for longer (default 2h)',
    repeatable: false,
    read: (text, options) => setting(readDuration(text), (staleAfterMs) => ({ ...options, staleAfterMs })),
  },
  {
    flag: '--max-cost',
    value: 'USD',
    help: 'end when this much money is used, such as 5 or 2.50 (in a session: estimated from tokens)',
    repeatable: false,
    read: (text, options) => setting(readCost(text), (maxCostUsd) => ({ ...options, maxCostUsd })),
  },
  {
    flag: '--max-tokens',
    value: 'N',
    help: 'end when this many tokens are used, such as 500k or 2m',
    repeatable: false,
    read: (text, options) => setting(readTokens(text), (maxTokens) => ({ ...options, maxTokens })),
  },
  {
    flag: '--max-stalls',
    value: 'N|off',
    help: 'end after N stops in a row that show the same and change nothing (default 10)',
    repeatable: false,
    read: (text, options) => setting(readMaxStalls(text), (maxStalls) => ({ ...options, maxStalls })),
  },
  {
    flag: '--mode',
    value: 'hook|fresh',
    help: 'go on in the same session, or with a new agent process each time (default hook)',
    repeatable: false,
    read: (text, options) => setting(readDriver(text), (driver) => ({ ...options, driver })),
  },
  {
    flag: '--view',
    value: 'VIEW',
    help: 'show it as markdown (default), progress, vault, stack or none; may be given several times',
    repeatable: true,
    read: (text, options) =>
      setting(readViews(text), (views) => ({ ...options, views: [...(options.views ?? []), ...views] })),
  },
  {
    flag: '--vault',
    value: 'DIR',
    help: 'with the vault view in this folder (default AI_Employee_Vault)',
    repeatable: false,
    read: (text, options) => setting(readPath(text), (vault) => ({ ...options, vault })),
  },
  {
    flag: '--name',
    value: 'NAME',
    help: 'a name for people',
    repeatable: false,
    read: (text, options) => setting(readName(text), (name) => ({ ...options, name })),
  },
];

/** For usage lines and the plugin's argument hint. */
export const USAGE = [
  'PROMPT',
  ...FLAGS.map((flag) => `[${usageOf(flag)}]${flag.repeatable ? '…' : ''}`),
].join(' ');

export function usageOf({ flag, value }: Flag): string {
  return value === null ? flag : `${flag} ${value}`;
}

export function readOptions(given: readonly Given[]): { ok: true; options: StartOptions } | Refusal {
  let options = DEFAULTS;
  const seen = new Set<Flag>();
  for (const { flag, value } of given) {
    if (seen.has(flag) && !flag.repeatable) {
      return refuse('flag-twice', `${flag.flag} is given twice.`, 'Give it once.');
    }
    seen.add(flag);
    const read = flag.read(value, options);
    if (!read.ok) return { ...read, message: `${flag.flag} ${read.message}` };
    options = read.value;
  }
  return contradiction(options) ?? { ok: true, options: completed(options) };
}

export function flagNamed(name: string): Reading<Flag> {
  const known = FLAGS.find(({ flag }) => flag === name);
  if (known) return { ok: true, value: known };
  const names = FLAGS.map(({ flag }) => flag);
  const meant = nearest(name, names);
  const typed = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  return refuse(
    'unknown-flag',
    `${typed} is not a flag of this command${meant === null ? '' : `; the nearest one is ${meant}`}.`,
    `${meant === null ? '' : `Write ${meant} if you mean that. `}If ${typed} belongs to the prompt, put that part in quotes, or write -- before the prompt.`,
  );
}

function setting<T>(read: Reading<T>, into: (value: T) => StartOptions): Reading<StartOptions> {
  return read.ok ? { ok: true, value: into(read.value) } : read;
}
