/**
 * How the fresh driver runs a loop: which session each pass gets, how long it may take, and what happens to
 * its work.
 */
import * as s from '#base/shape.ts';

export const planFields = {
  /** A new session after this many iterations or features, or one session for all of them. */
  context: s.either(
    s.record({ is: s.oneOf('new'), every: s.positive, of: s.oneOf('iterations', 'features') }),
    s.record({ is: s.oneOf('same'), compactEvery: s.orNull(s.positive) }),
  ),
  pauseMs: s.whole,
  passMs: s.positive,
  /** A pass without output for this long counts as hung. */
  silenceMs: s.positive,
  callsPerHour: s.orNull(s.positive),
  model: s.orNull(s.text),
  fallbackModel: s.orNull(s.text),
  /** The hosts that carry on when the one at work is at its usage limit. */
  fallbackHosts: s.maybe(s.list(s.text)),
  /** The percentage of the subscription's windows that is left to the person. Absent: nothing is reserved. */
  reserve: s.maybe(s.positive),
  permissionMode: s.orNull(s.text),
  tools: s.list(s.text),
  /** `own`: commits what the pass changed; `all`: also what was uncommitted before. */
  commit: s.oneOf('none', 'own', 'all'),
  branch: s.orNull(s.text),
  /** The project that the loop's own work tree was made from, if it has one. */
  worktreeOf: s.orNull(s.text),
  /** For a loop of a set: its set, the id of its item, and the branch that takes its work. */
  part: s.maybe(s.record({ set: s.text, item: s.text, onto: s.text })),
  /** Whether a file of the project carries what one agent learned to the next. */
  notes: s.flag,
  /** The host's own flags, given after `--`. */
  extra: s.list(s.text),
};
export const plan = s.record(planFields);
export type Plan = s.Infer<typeof plan>;

export const DEFAULT_PLAN: Plan = {
  context: { is: 'new', every: 1, of: 'iterations' },
  pauseMs: 1_000,
  // Written out: a product is kept in every file that asks for another function beside it.
  passMs: 3_600_000,
  // Long, because a long build inside one tool call gives no output either.
  silenceMs: 1_200_000,
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

/**
 * For another host, to which the words of the one before mean nothing. `own`: what it was last asked for
 * with.
 */
export function forOtherHost(plan: Plan, own: Plan = DEFAULT_PLAN): Plan {
  const { model, fallbackModel, permissionMode, tools, extra } = own;
  return { ...plan, model, fallbackModel, permissionMode, tools, extra };
}
