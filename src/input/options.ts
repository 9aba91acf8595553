/**
 * What a loop is started with: the defaults, what contradicts what, and what follows where nothing is said.
 */
import type { Gate, Goal, Measure, Mode, ViewKind } from '#law/record/definition.ts';
import { reviewerOf, USUAL_PROMISE } from '#law/gates.ts';
import { refuse, type Refusal } from '#base/refusal.ts';

const unset = <T>(): T | null => null;
const usually = <T>(value: T): T => value;

/** Every option of a start, as it is where nobody says otherwise. */
export const DEFAULTS = {
  name: unset<string>(),
  driver: usually<'hook' | 'fresh'>('hook'),
  /** An inner frame of the session's loop, instead of a loop of its own. */
  nest: false,
  mode: usually<Mode>('loop'),
  items: unset<string>(),
  itemsFrom: unset<string>(),
  maxItems: unset<number>(),
  /** Null: unlimited, asked for by name. Undefined: not given. */
  maxIterations: usually<number | null | undefined>(undefined),
  promise: unset<string>(),
  checks: usually<readonly string[]>([]),
  /** Checks that the agent never sees. */
  heldOut: usually<readonly string[]>([]),
  features: unset<string>(),
  watchFile: unset<string>(),
  doneFolder: unset<string>(),
  require: usually<'all' | 'any'>('all'),
  minIterations: 0,
  confirm: unset<number>(),
  measures: usually<readonly Pick<Measure, 'name' | 'command'>[]>([]),
  /** The measures that may not fall below their value at the start. */
  keep: usually<readonly string[]>([]),
  targets: usually<readonly MeasureTarget[]>([]),
  reviewers: usually<readonly Reviewer[]>([]),
  /** A file that says what the reviewers have to look for. */
  rubric: unset<string>(),
  /** How often each may object in a row; null: as the config says, or by default. */
  maxReviews: unset<number>(),
  protect: usually<readonly string[]>([]),
  /** Patterns of files that decide how the checks judge, beside those that are known; with `!` taken away. */
  ground: usually<readonly string[]>([]),
  testsMayChange: false,
  redFirst: false,
  /** Every judged check runs in a clean room. */
  clean: false,
  /** Makes the dependencies of a clean room; null: those of the project are linked. */
  setup: unset<string>(),
  /** Calls that a person has to approve: permission rules of the host, or `starter`. */
  approve: usually<readonly string[]>([]),
  approveDone: false,
  /** Null: the usual time. */
  approvalTimeoutMs: unset<number>(),
  approvalPolicy: usually<'file' | 'person'>('file'),
  /** The parent of the folders with the requests; null: the usual one. */
  approvals: unset<string>(),
  timeoutMs: unset<number>(),
  /** For each check that does not name its own time; null: as the config says, or by default. */
  checkTimeoutMs: unset<number>(),
  checksTimeoutMs: unset<number>(),
  /** Begin although a check can't be run yet. */
  checkLater: false,
  /** The wait after a check that exits with 75; null: the usual time. */
  recheckMs: unset<number>(),
  parallel: unset<number>(),
  /** The project's config: a file, none at all, or (null) the usual one where there is one. */
  config: unset<{ readonly is: 'file'; readonly file: string } | { readonly is: 'none' }>(),
  /** The promise is there only because no other gate was given here: the config's checks stand for it. */
  promiseByDefault: false,
  staleAfterMs: 2 * 3_600_000,
  maxCostUsd: unset<number>(),
  maxTokens: unset<number>(),
  /** Null: off. Undefined: not given, which is not the same as the default asked for by name. */
  maxStalls: usually<number | null | undefined>(undefined),
  /** Null: nobody said, which means the markdown view alone. */
  views: unset<readonly ViewKind[]>(),
  /** The vault's folder; null: the usual one, if there is a vault view. */
  vault: unset<string>(),
  notify: usually<readonly string[]>([]),
};

export type Reviewer = Pick<Extract<Gate, { kind: 'review' }>, 'host' | 'model'>;

export type MeasureTarget = Goal & Pick<Measure, 'name'>;

export type StartOptions = Readonly<typeof DEFAULTS>;

/** All checks of one stop together: a minute under the 600 s that a host lets a hook run at most. */
export const ALL_CHECKS_MS = 540_000;

/** Flags that are right by themselves, and wrong together. `given`: by flag. */
export function contradiction(options: StartOptions, given: ReadonlyMap<string, unknown>): Refusal | null {
  const { watchFile, doneFolder, minIterations, checksTimeoutMs, driver, views, vault } = options;
  const maxIterations = iterationsOf(options);
  if (driver === 'hook' && checksTimeoutMs !== null && checksTimeoutMs > ALL_CHECKS_MS)
    return refuse(
      'bad-duration',
      `--checks-timeout is more than ${ALL_CHECKS_MS / 1000}s: the agent ends a hook after ten minutes.`,
      'Give less, or use dacapo run, which has no such limit.',
    );
  if ((watchFile === null) !== (doneFolder === null))
    return refuse(
      'half-a-move',
      `--${watchFile === null ? 'done-folder' : 'watch-file'} is given without ` +
        `--${watchFile === null ? 'watch-file' : 'done-folder'}.`,
      'Give both: --watch-file FILE --done-folder DIR.',
    );
  if (maxIterations !== null && minIterations > maxIterations)
    return refuse(
      'bad-number',
      `--min-iterations ${minIterations} is more than --max-iterations ${maxIterations}.`,
      'Lower the one or raise the other.',
    );
  if (views?.length === 0 && vault !== null)
    return refuse('bad-view', "--view none can't be given with --vault.", 'Leave one of them out.');
  return (
    measureContradiction(options) ??
    reviewContradiction(options) ??
    itemsContradiction(options) ??
    (options.nest ? nestContradiction(given) : null)
  );
}

/**
 * Goals may be for measures of the config, so whether each has its measure is known where the loop begins.
 */
function measureContradiction({ measures }: StartOptions): Refusal | null {
  const names = measures.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return null;
  return refuse('bad-measure', `--measure ${twice} is given twice.`, 'Give each measure its own name.');
}

/** Each is a whole agent at every stop that might complete. */
const MAX_REVIEWERS = 5;

function reviewContradiction({ reviewers }: StartOptions): Refusal | null {
  const names = reviewers.map(reviewerOf);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    return refuse('bad-review', `--review ${twice} is given twice.`, 'Give another host, or another model.');
  if (names.length <= MAX_REVIEWERS) return null;
  return refuse('bad-review', `--review is given ${names.length} times.`, `Give ${MAX_REVIEWERS} at most.`);
}

function itemsContradiction({ items, itemsFrom, maxItems, mode }: StartOptions): Refusal | null {
  if (items !== null && itemsFrom !== null)
    return refuse('two-lists', "--items can't be given with --items-from.", 'Leave one of them out.');
  const hasList = items !== null || itemsFrom !== null;
  if (!hasList && maxItems !== null)
    return refuse('no-items', '--max-items needs a list.', 'Give --items FILE or --items-from CMD.');
  if (hasList && mode === 'issue')
    return refuse('bad-mode', "--as issue can't be given with a list.", 'Leave --as out.');
  return null;
}

/** What bounds and names a loop as a whole belongs to its outermost frame. */
const OF_THE_WHOLE =
  `--timeout --stale-after --max-cost --max-tokens --max-stalls --checks-timeout --check-later --recheck
  --parallel --config --view --vault --mode --name --protect --ground --tests-may-change --red-first --clean
  --setup --held-out --approve --approve-done --approval-timeout --approval-policy --approvals --notify
  --measure --keep --target --confirm --review --rubric --max-reviews`.split(/\s+/);

function nestContradiction(given: ReadonlyMap<string, unknown>): Refusal | null {
  const flag = OF_THE_WHOLE.find((one) => given.has(one));
  if (flag === undefined) return null;
  return refuse(
    'bad-nest',
    `${flag} can't be given with --nest: it belongs to the whole loop.`,
    'Leave it out.',
  );
}

/** With the views that the person asked for, each once, and with a limit of iterations. */
export interface CompleteOptions extends StartOptions {
  readonly views: readonly ViewKind[];
  readonly maxIterations: number | null;
}

/** The limits where a person names none. Those of a vault are what its readers expect. */
const DEFAULT_ITERATIONS = 50;
const DEFAULT_VAULT_ITERATIONS = 10;
const VAULT_WORK_MS = 3_600_000;

export function completed(options: StartOptions): CompleteOptions {
  const { vault } = options;
  const shown = [...(options.views ?? ['markdown' as const]), ...(vault === null ? [] : ['vault' as const])];
  const views = [...new Set(shown)];
  const timeoutMs = options.timeoutMs ?? (isInVault(options) ? VAULT_WORK_MS : null);
  const limits = { maxIterations: iterationsOf(options), timeoutMs };
  const full = { ...options, ...limits, views, ...(hasItems(options) && { mode: 'grind' as const }) };
  return hasGate(full) ? full : { ...full, promise: USUAL_PROMISE, promiseByDefault: true };
}

function isInVault({ views, vault }: StartOptions): boolean {
  return vault !== null || views?.includes('vault') === true;
}

function iterationsOf(options: StartOptions): number | null {
  const usual = isInVault(options) ? DEFAULT_VAULT_ITERATIONS : DEFAULT_ITERATIONS;
  return options.maxIterations === undefined ? usual : options.maxIterations;
}

export function hasItems({ items, itemsFrom }: StartOptions): boolean {
  return items !== null || itemsFrom !== null;
}

/** A frame of another mode than `loop` has the claim of its mode, or its items. */
function hasGate({ mode, promise, checks, heldOut, features, watchFile, targets }: StartOptions): boolean {
  const [proofs, files] = [checks.length + heldOut.length + targets.length, features ?? watchFile];
  return mode !== 'loop' || promise !== null || proofs > 0 || files !== null;
}
