/** What a person asked of a loop, as it waits in the inbox for the loop's worker. */
import { goal } from '#law/record/definition.ts';
import { amount, either, list, maybe, oneOf, orNull, record, text, whole, type Shape } from '#base/shape.ts';
import type { LoopAction } from '#engine/steer/actions.ts';

const by = maybe(oneOf('page', 'view', 'agent'));
const limits = record({
  iterations: maybe(orNull(whole)),
  timeMs: maybe(amount),
  costUsd: maybe(amount),
  tokens: maybe(amount),
});

export const act: Shape<LoopAction> = either(
  record({ by, is: oneOf('cancel', 'pause', 'trust') }),
  record({ by, is: oneOf('resume'), limits: maybe(limits) }),
  record({ by, is: oneOf('steer'), words: text }),
  record({
    by,
    is: oneOf('answer'),
    request: text,
    answer: oneOf('approved', 'rejected', 'text'),
    note: text,
  }),
  record({
    by,
    is: oneOf('amend'),
    checks: list(text),
    removeChecks: list(text),
    measures: list(record({ name: text, command: text })),
    removeMeasures: list(text),
    keep: list(text),
    targets: list(record({ name: text, goal })),
    removeGoals: list(text),
    promise: maybe(text),
    limits,
  }),
) as Shape<unknown> as Shape<LoopAction>;
