/**
 * The flags of the start command: one table that parses them, documents them, and says what they default to.
 * A flag whose effect is not built does not stand here, so it is refused instead of stored in silence.
 */
import {
  readCheck,
  readCount,
  readDuration,
  readGlob,
  readMaxIterations,
  readMode,
  readName,
  readPath,
  readPromise,
  readRequire,
  type Reading,
} from './flag-values.ts';
import { nearest } from './nearest.ts';
import { refuse, type Refusal } from './refusal.ts';

export interface StartOptions {
  readonly name: string | null;
  readonly mode: 'hook' | 'fresh';
  /** Null: unlimited, asked for by name. */
  readonly maxIterations: number | null;
  readonly promise: string | null;
  readonly checks: readonly string[];
  readonly features: string | null;
  readonly watchFile: string | null;
  readonly doneFolder: string | null;
  readonly require: 'all' | 'any';
  readonly minIterations: number;
  /** Patterns of files that the agent may not change. */
  readonly protect: readonly string[];
  readonly timeoutMs: number | null;
  readonly staleAfterMs: number;
}

export interface Flag {
  readonly flag: `--${string}`;
  /** The word that stands for the value in a usage line. */
  readonly value: string;
  readonly help: string;
  readonly repeatable: boolean;
  readonly read: (value: string, options: StartOptions) => Reading<StartOptions>;
}

/** A flag as it was given. */
export interface Given {
  readonly flag: Flag;
  readonly value: string;
}

const DEFAULTS: StartOptions = {
  name: null,
  mode: 'hook',
  maxIterations: 50,
  promise: null,
  checks: [],
  features: null,
  watchFile: null,
  doneFolder: null,
  require: 'all',
  minIterations: 0,
  protect: [],
  timeoutMs: null,
  staleAfterMs: 2 * 3_600_000,
};

/** A loop without a gate can't exist. */
const PROMISE_WITHOUT_GATES = 'COMPLETE';

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
    flag: '--mode',
    value: 'hook|fresh',
    help: 'go on in the same session, or with a new agent process each time (default hook)',
    repeatable: false,
    read: (text, options) => setting(readMode(text), (mode) => ({ ...options, mode })),
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
  ...FLAGS.map(({ flag, value, repeatable }) => `[${flag} ${value}]${repeatable ? '…' : ''}`),
].join(' ');

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
  const fault = contradiction(options);
  if (fault !== null) return fault;
  return { ok: true, options: hasGate(options) ? options : { ...options, promise: PROMISE_WITHOUT_GATES } };
}

function hasGate({ promise, checks, features, watchFile }: StartOptions): boolean {
  return promise !== null || checks.length > 0 || features !== null || watchFile !== null;
}

/** Flags that are right by themselves, and wrong together. */
function contradiction({
  watchFile,
  doneFolder,
  minIterations,
  maxIterations,
}: StartOptions): Refusal | null {
  if ((watchFile === null) !== (doneFolder === null))
    return refuse(
      'half-a-move',
      `--${watchFile === null ? 'done-folder' : 'watch-file'} is given without --${watchFile === null ? 'watch-file' : 'done-folder'}.`,
      'Give both: --watch-file FILE --done-folder DIR.',
    );
  if (maxIterations !== null && minIterations > maxIterations)
    return refuse(
      'bad-number',
      `--min-iterations ${minIterations} is more than --max-iterations ${maxIterations}.`,
      'Lower the one or raise the other.',
    );
  return null;
}

export function flagNamed(name: string): Reading<Flag> {
  const known = FLAGS.find(({ flag }) => flag === name);
  if (known) return { ok: true, value: known };
  const names = FLAGS.map(({ flag }) => flag);
  const meant = nearest(name, names);
  const typed = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  return refuse(
    'unknown-flag',
    `${typed} is not a flag of this command; the nearest one is ${meant}.`,
    `Write ${meant} if you mean that. If ${typed} belongs to the prompt, put that part in quotes, or write -- before the prompt.`,
  );
}

function setting<T>(read: Reading<T>, into: (value: T) => StartOptions): Reading<StartOptions> {
  return read.ok ? { ok: true, value: into(read.value) } : read;
}
