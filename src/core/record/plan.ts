/** How the fresh driver runs a loop: which session each pass gets, how long it may take, and what happens to its work. */
import {
  either,
  flag,
  list,
  maybe,
  oneOf,
  orNull,
  positive,
  record,
  text,
  whole,
  type Infer,
} from '../shape.ts';

const MINUTE_MS = 60_000;

export const plan = record({
  /** A new session after this many iterations or features, or one session for all of them. */
  context: either(
    record({ is: oneOf('new'), every: positive, of: oneOf('iterations', 'features') }),
    record({ is: oneOf('same'), compactEvery: orNull(positive) }),
  ),
  pauseMs: whole,
  /** The maximum time for one pass. */
  passMs: positive,
  /** A pass without output for this long counts as hung. */
  silenceMs: positive,
  callsPerHour: orNull(positive),
  model: orNull(text),
  fallbackModel: orNull(text),
  /** The hosts that carry on when the one at work is at its usage limit. */
  fallbackHosts: maybe(list(text)),
  permissionMode: orNull(text),
  tools: list(text),
  /** `own`: commits what the pass changed; `all`: also what was uncommitted before. */
  commit: oneOf('none', 'own', 'all'),
  branch: orNull(text),
  /** The project that the loop's own work tree was made from, if it has one. */
  worktreeOf: orNull(text),
  /** For a loop of a set: its set, the id of its item, and the branch that takes its work. */
  part: maybe(record({ set: text, item: text, onto: text })),
  /** Whether a file of the project carries what one agent learned to the next. */
  notes: flag,
  /** The host's own flags, given after `--`. */
  extra: list(text),
});
export type Plan = Infer<typeof plan>;

export const DEFAULT_PLAN: Plan = {
  context: { is: 'new', every: 1, of: 'iterations' },
  pauseMs: 1_000,
  passMs: 60 * MINUTE_MS,
  // Long, because a long build inside one tool call gives no output either.
  silenceMs: 20 * MINUTE_MS,
  callsPerHour: null,
  model: null,
  fallbackModel: null,
  permissionMode: null,
  tools: [],
  commit: 'none',
  branch: null,
  worktreeOf: null,
  notes: true,
  extra: [],
};

/** A loop that the fresh driver never ran gets the default plan. */
export function planOf({ run: { plan: own } }: { readonly run: { readonly plan: Plan | null } }): Plan {
  return own ?? DEFAULT_PLAN;
}

/** For another host, to which the words of the one before mean nothing. `own`: what it was last asked for with. */
export function forOtherHost(plan: Plan, own: Plan = DEFAULT_PLAN): Plan {
  const { model, fallbackModel, permissionMode, tools, extra } = own;
  return { ...plan, model, fallbackModel, permissionMode, tools, extra };
}
