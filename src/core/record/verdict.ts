/** The answer to a stop and what it is based on: shapes, as stored in the journal. */
import { nextItem, mode } from './definition.ts';
import {
  either,
  flag,
  instant,
  list,
  maybe,
  oneOf,
  orNull,
  positive,
  real,
  record,
  text,
  whole,
  type Infer,
} from '../shape.ts';

const checkOutcome = either(
  record({ is: oneOf('passed') }),
  record({ is: oneOf('failed'), exit: whole, tail: text }),
  /** It exited with 75: neither passed nor failed, because its proof is not to be had yet. */
  record({ is: oneOf('not-yet'), tail: text }),
  record({ is: oneOf('killed'), signal: text, tail: text }),
  record({ is: oneOf('timed-out'), afterMs: whole, tail: text }),
  record({ is: oneOf('unstartable'), error: text, tail: text }),
);
export type CheckOutcome = Infer<typeof checkOutcome>;

export const checkProof = record({
  name: orNull(text),
  command: text,
  outcome: checkOutcome,
  ms: whole,
  evidence: orNull(text),
});
export type CheckProof = Infer<typeof checkProof>;

/** What a gate still lacks, in words. The output of a check is in its proof. */
const missing = either(
  /** `questioned`: the iteration in which it was given while nothing had changed. It counts when it is repeated. */
  record({ gate: oneOf('promise'), wanted: text, seen: orNull(text), questioned: maybe(positive) }),
  record({ gate: oneOf('check'), name: orNull(text), command: text, outcome: text }),
  record({
    gate: oneOf('features', 'moved', 'hooks', 'measures', 'review', 'protected', 'passes', 'signal', 'news'),
    says: text,
  }),
  /** The gates hold. `times`: how many passes in a row have confirmed it, of those asked for. */
  record({ gate: oneOf('confirmed'), times: whole, of: positive, says: text }),
);
export type Missing = Infer<typeof missing>;

const escalation = either(
  /** All items of a list had their turn, and this many are not done. `gone`: how many left the list without a turn. */
  record({ is: oneOf('undone'), items: whole, gone: maybe(whole) }),
  record({ is: oneOf('blocked', 'asked', 'stuck'), words: text }),
  record({ is: oneOf('unprovable'), command: text, error: text }),
  /**
   * `vetoed`: by a stop hook, or because the hooks could not be asked. `unreviewed`: the reviewer could not be reached, or
   * has objected as often as it may.
   */
  record({ is: oneOf('unreadable', 'vetoed', 'unreviewed', 'uncounted'), why: text }),
  /** The host can't work at all: no login, no credit, no such model. */
  record({ is: oneOf('fatal'), words: text, login: maybe(text) }),
  record({ is: oneOf('unanswered'), words: text }),
);
export type Escalation = Infer<typeof escalation>;

const limit = oneOf('iterations', 'time', 'staleness', 'cost', 'tokens', 'items');

const popped = record({
  mode,
  outcome: oneOf('complete', 'exhaust', 'escalate'),
  why: text,
  item: orNull(text),
  iterations: whole,
});
export type Popped = Infer<typeof popped>;

export const verdict = either(
  /** `popped`: the frames that this stop ended, the innermost first. `item`: the item whose frame begins now. */
  record({
    is: oneOf('continue'),
    missing: list(missing),
    shells: list(text),
    capped: flag,
    popped: list(popped),
    item: orNull(nextItem),
  }),
  /** `unchanged`: the agent repeated its claim although nothing had changed since the loop began. */
  record({ is: oneOf('complete'), unchanged: maybe(flag), popped: maybe(list(popped)) }),
  record({ is: oneOf('escalate'), why: escalation, missing: list(missing), popped: maybe(list(popped)) }),
  record({ is: oneOf('exhaust'), limit, missing: list(missing), popped: maybe(list(popped)) }),
  /** `detail`: what was seen repeatedly. */
  record({
    is: oneOf('exhaust'),
    limit: oneOf('stagnation'),
    detail: text,
    missing: list(missing),
    popped: maybe(list(popped)),
  }),
  record({
    is: oneOf('allow'),
    why: oneOf('queue', 'background', 'approval', 'not-yet'),
    shells: list(text),
    until: orNull(instant),
    asks: maybe(record({ kind: oneOf('question', 'completion', 'acceptance'), text })),
  }),
);
/** The answer to a stop that belongs to a live loop. */
export type Verdict = Infer<typeof verdict>;
export type ContinueVerdict = Extract<Verdict, { is: 'continue' }>;

/**
 * What was seen of a gate that Da Capo looks at by itself. The code that looks also judges it, so the law treats all such
 * gates alike and the hook program needs no knowledge of any of them.
 */
export const gateResult = record({
  gate: oneOf('features', 'moved', 'hooks', 'measures', 'review', 'protected'),
  holds: flag,
  /** In words for the agent and the person. */
  says: text,
  /** Why it could not be looked at. Then a person has to. */
  trouble: orNull(text),
  /** It holds, but only a person can say whether it counts. */
  doubt: maybe(flag),
});
export type GateResult = Infer<typeof gateResult>;

/** Where the failures and the measures of a loop are heading. Bounded: `core/trend.ts` computes each from the last one. */
export const trend = record({
  /** Counted over all frames: the pass at whose end it was seen. */
  iteration: whole,
  /** The last few different failures, as hashes, each with the pass that showed it first; and the last one of all. */
  seen: list(record({ iteration: whole, failures: text })),
  failures: orNull(text),
  /** Those had been seen before, and others since. */
  back: flag,
  /** How far the measures were from their goals. Null: there are none, or one could not be taken. */
  away: orNull(real),
  best: orNull(record({ iteration: whole, away: real })),
  /** Why this stop was no progress, in words: it circles, or it gets worse. Null: it may be progress. */
  drift: orNull(text),
});
export type Trend = Infer<typeof trend>;
