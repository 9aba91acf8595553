/** How the fresh driver runs a loop: which session each pass gets, how long it may take, what is done with its work. */
import { either, flag, list, oneOf, orNull, positive, record, text, whole, type Infer } from '../shape.ts';

const MINUTE_MS = 60_000;

export const plan = record({
  /** A new session after so many iterations or features, or one session that is carried on. */
  context: either(
    record({ is: oneOf('new'), every: positive, of: oneOf('iterations', 'features') }),
    record({ is: oneOf('same'), compactEvery: orNull(positive) }),
  ),
  pauseMs: whole,
  /** One pass at most. */
  passMs: positive,
  /** A pass that says nothing for so long hangs. */
  silenceMs: positive,
  callsPerHour: orNull(positive),
  model: orNull(text),
  fallbackModel: orNull(text),
  permissionMode: orNull(text),
  tools: list(text),
  /** `own`: what the pass changed; `all`: also what was not committed before. */
  commit: oneOf('none', 'own', 'all'),
  branch: orNull(text),
  /** Where it runs in a work tree of its own: the project that this was cut from. */
  worktreeOf: orNull(text),
  /** A file of the project that carries what one agent learned to the next. */
  notes: flag,
  /** The host's own flags, behind `--`. */
  extra: list(text),
});
export type Plan = Infer<typeof plan>;

export const DEFAULT_PLAN: Plan = {
  context: { is: 'new', every: 1, of: 'iterations' },
  pauseMs: 1_000,
  passMs: 60 * MINUTE_MS,
  // A long build inside one tool call says nothing either.
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

/** A loop that never ran so before is run as usual. */
export function planOf({ plan: own }: { readonly plan: Plan | null }): Plan {
  return own ?? DEFAULT_PLAN;
}
