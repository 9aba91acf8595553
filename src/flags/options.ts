/** What a loop is started with: the defaults, what contradicts what, and what follows where nothing is said. */
import type { Mode, ViewKind } from '../core/record/definition.ts';
import { USUAL_PROMISE } from '../core/gates.ts';
import { refuse, type Refusal } from '../core/refusal.ts';

export interface StartOptions {
  readonly name: string | null;
  readonly driver: 'hook' | 'fresh';
  /** An inner frame of the session's loop, instead of a loop of its own. */
  readonly nest: boolean;
  readonly mode: Mode;
  /** Work items: a file, or a command that prints them. */
  readonly items: string | null;
  readonly itemsFrom: string | null;
  readonly maxItems: number | null;
  /** Null: unlimited, asked for by name. */
  readonly maxIterations: number | null;
  readonly promise: string | null;
  readonly checks: readonly string[];
  readonly features: string | null;
  readonly watchFile: string | null;
  readonly doneFolder: string | null;
  readonly require: 'all' | 'any';
  readonly minIterations: number;
  readonly protect: readonly string[];
  /** Calls that a person has to approve: permission rules of the host, or `starter`. */
  readonly approve: readonly string[];
  readonly approveDone: boolean;
  /** Null: the usual time. */
  readonly approvalTimeoutMs: number | null;
  readonly approvalPolicy: 'file' | 'person';
  /** The parent of the folders with the requests; null: the usual one. */
  readonly approvals: string | null;
  readonly timeoutMs: number | null;
  /** For each check that does not name its own time; null: as the config says, or by default. */
  readonly checkTimeoutMs: number | null;
  readonly checksTimeoutMs: number | null;
  readonly parallel: number | null;
  /** The project's config: a file, none at all, or (null) the usual one where there is one. */
  readonly config: { readonly is: 'file'; readonly file: string } | { readonly is: 'none' } | null;
  /** The promise is there only because no other gate was given here: the config's checks stand for it. */
  readonly promiseByDefault: boolean;
  readonly staleAfterMs: number;
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
  /** Null: off. Undefined: not given, which is not the same as the default asked for by name. */
  readonly maxStalls: number | null | undefined;
  /** Null: nobody said, which means the markdown view alone. */
  readonly views: readonly ViewKind[] | null;
  /** The vault's folder; null: the usual one, if there is a vault view. */
  readonly vault: string | null;
  readonly notify: readonly string[];
}

export const DEFAULTS: StartOptions = {
  name: null,
  driver: 'hook',
  nest: false,
  mode: 'loop',
  items: null,
  itemsFrom: null,
  maxItems: null,
  maxIterations: 50,
  promise: null,
  checks: [],
  features: null,
  watchFile: null,
  doneFolder: null,
  require: 'all',
  minIterations: 0,
  protect: [],
  approve: [],
  approveDone: false,
  approvalTimeoutMs: null,
  approvalPolicy: 'file',
  approvals: null,
  timeoutMs: null,
  checkTimeoutMs: null,
  checksTimeoutMs: null,
  parallel: null,
  config: null,
  promiseByDefault: false,
  staleAfterMs: 2 * 3_600_000,
  maxCostUsd: null,
  maxTokens: null,
  maxStalls: undefined,
  views: null,
  vault: null,
  notify: [],
};

/** All checks of one stop together: a minute under the 600 s that a host lets a hook run at most. */
export const ALL_CHECKS_MS = 540_000;

/** Flags that are right by themselves, and wrong together. `given`: by flag. */
export function contradiction(options: StartOptions, given: ReadonlyMap<string, unknown>): Refusal | null {
  const { watchFile, doneFolder, minIterations, maxIterations, checksTimeoutMs, driver, views, vault } =
    options;
  if (driver === 'hook' && checksTimeoutMs !== null && checksTimeoutMs > ALL_CHECKS_MS)
    return refuse(
      'bad-duration',
      `--checks-timeout is more than ${ALL_CHECKS_MS / 1000}s: the host ends a hook after ten minutes.`,
      'Give less, or use --mode fresh, where nothing ends a check but its own time.',
    );
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
  if (views?.length === 0 && vault !== null)
    return refuse('bad-view', '--view none and --vault contradict each other.', 'Give one of the two.');
  return itemsContradiction(options) ?? (options.nest ? nestContradiction(given) : null);
}

function itemsContradiction({ items, itemsFrom, maxItems, mode }: StartOptions): Refusal | null {
  if (items !== null && itemsFrom !== null)
    return refuse('two-lists', '--items is given beside --items-from.', 'Give one of the two.');
  const hasList = items !== null || itemsFrom !== null;
  if (!hasList && maxItems !== null)
    return refuse(
      'no-items',
      '--max-items is given without items.',
      'Give them: --items FILE, or --items-from CMD.',
    );
  if (hasList && mode === 'issue')
    return refuse('bad-mode', '--as issue is one item, and items are given.', 'Leave --as out.');
  return null;
}

/** What bounds and names a loop as a whole belongs to its outermost frame. */
const OF_THE_WHOLE =
  `--timeout --stale-after --max-cost --max-tokens --max-stalls --checks-timeout --parallel --config
  --view --vault --mode --name --protect --approve --approve-done --approval-timeout --approval-policy --approvals
  --notify`.split(/\s+/);

function nestContradiction(given: ReadonlyMap<string, unknown>): Refusal | null {
  const flag = OF_THE_WHOLE.find((one) => given.has(one));
  if (flag === undefined) return null;
  return refuse('bad-nest', `${flag} belongs to the loop as a whole, not to --nest.`, 'Leave it out.');
}

/** With the views that the person asked for, each once. */
export interface CompleteOptions extends StartOptions {
  readonly views: readonly ViewKind[];
}

export function completed(options: StartOptions): CompleteOptions {
  const views = viewsOf(options);
  const full = { ...options, views, ...(hasItems(options) && { mode: 'grind' as const }) };
  return hasGate(full) ? full : { ...full, promise: USUAL_PROMISE, promiseByDefault: true };
}

export function hasItems({ items, itemsFrom }: StartOptions): boolean {
  return items !== null || itemsFrom !== null;
}

/** A frame of another mode than `loop` has the claim of its mode, or its items. */
function hasGate({ mode, promise, checks, features, watchFile }: StartOptions): boolean {
  return mode !== 'loop' || promise !== null || checks.length > 0 || features !== null || watchFile !== null;
}

function viewsOf({ views, vault }: StartOptions): readonly ViewKind[] {
  return [...new Set([...(views ?? ['markdown' as const]), ...(vault === null ? [] : ['vault' as const])])];
}
