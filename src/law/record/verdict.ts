/** The answer to a stop and what it is based on: shapes, as stored in the journal. */
import { nextItem, mode } from './definition.ts';
import * as s from '#base/shape.ts';

const checkOutcome = s.either(
  s.record({ is: s.oneOf('passed') }),
  s.record({ is: s.oneOf('failed'), exit: s.whole, tail: s.text }),
  /** It exited with 75: neither passed nor failed, because its proof is not to be had yet. */
  s.record({ is: s.oneOf('not-yet'), tail: s.text }),
  s.record({ is: s.oneOf('killed'), signal: s.text, tail: s.text }),
  s.record({ is: s.oneOf('timed-out'), afterMs: s.whole, tail: s.text }),
  s.record({ is: s.oneOf('unstartable'), error: s.text, tail: s.text }),
);
export type CheckOutcome = s.Infer<typeof checkOutcome>;

export const checkProof = s.record({
  name: s.orNull(s.text),
  command: s.text,
  outcome: checkOutcome,
  ms: s.whole,
  evidence: s.orNull(s.text),
});
export type CheckProof = s.Infer<typeof checkProof>;

const lookedAt = s.oneOf('features', 'moved', 'hooks', 'measures', 'review', 'protected', 'ground');

/** What a gate still lacks, in words. The output of a check is in its proof. */
const missing = s.either(
  /**
   * `questioned`: the iteration in which it was given while nothing had changed. It counts when it is
   * repeated.
   */
  s.record({
    gate: s.oneOf('promise'),
    wanted: s.text,
    seen: s.orNull(s.text),
    questioned: s.maybe(s.positive),
  }),
  s.record({
    gate: s.oneOf('check'),
    name: s.orNull(s.text),
    command: s.text,
    outcome: s.text,
    heldOut: s.maybe(s.flag),
  }),
  s.record({ gate: s.either(lookedAt, s.oneOf('passes', 'signal', 'news')), says: s.text }),
  /** The gates hold. `times`: how many passes in a row have confirmed it, of those asked for. */
  s.record({ gate: s.oneOf('confirmed'), times: s.whole, of: s.positive, says: s.text }),
);
export type Missing = s.Infer<typeof missing>;

/**
 * Before a pass, these files that the host runs or obeys by itself were new or changed, and nobody had agreed
 * to them.
 */
const planted = s.record({ is: s.oneOf('planted'), host: s.text, files: s.list(s.text) });

const escalation = s.either(
  /**
   * All items of a list had their turn, and this many are not done. `gone`: how many left the list without a
   * turn.
   */
  s.record({ is: s.oneOf('undone'), items: s.whole, gone: s.maybe(s.whole) }),
  s.record({ is: s.oneOf('blocked', 'asked', 'stuck'), words: s.text }),
  s.record({ is: s.oneOf('unprovable'), command: s.text, error: s.text }),
  /**
   * `vetoed`: by a stop hook, or because the hooks could not be asked. `unreviewed`: the reviewer could not
   * be reached, or has objected as often as it may.
   */
  s.record({ is: s.oneOf('unreadable', 'vetoed', 'unreviewed', 'uncounted'), why: s.text }),
  /** The host can't work at all: no login, no credit, no such model. */
  s.record({ is: s.oneOf('fatal'), words: s.text, login: s.maybe(s.text) }),
  s.record({ is: s.oneOf('unanswered'), words: s.text }),
  planted,
);
export type Escalation = s.Infer<typeof escalation>;

const limit = s.oneOf('iterations', 'time', 'staleness', 'cost', 'tokens', 'items');

const popped = s.record({
  mode,
  outcome: s.oneOf('complete', 'exhaust', 'escalate'),
  why: s.text,
  item: s.orNull(s.text),
  iterations: s.whole,
});
export type Popped = s.Infer<typeof popped>;

const undone = { missing: s.list(missing), popped: s.maybe(s.list(popped)) };

export const verdict = s.either(
  /**
   * `popped`: the frames that this stop ended, the innermost first. `item`: the item whose frame begins now.
   */
  s.record({
    is: s.oneOf('continue'),
    missing: s.list(missing),
    shells: s.list(s.text),
    capped: s.flag,
    popped: s.list(popped),
    item: s.orNull(nextItem),
  }),
  /** `unchanged`: the agent repeated its claim although nothing had changed since the loop began. */
  s.record({ is: s.oneOf('complete'), unchanged: s.maybe(s.flag), popped: s.maybe(s.list(popped)) }),
  s.record({ is: s.oneOf('escalate'), why: escalation, ...undone }),
  s.record({ is: s.oneOf('exhaust'), limit, ...undone }),
  /** `detail`: what was seen repeatedly. */
  s.record({ is: s.oneOf('exhaust'), limit: s.oneOf('stagnation'), detail: s.text, ...undone }),
  s.record({
    is: s.oneOf('allow'),
    why: s.oneOf('queue', 'background', 'approval', 'not-yet'),
    shells: s.list(s.text),
    until: s.orNull(s.instant),
    asks: s.maybe(s.record({ kind: s.oneOf('question', 'completion', 'acceptance'), text: s.text })),
  }),
);
export type Verdict = s.Infer<typeof verdict>;
export type ContinueVerdict = Extract<Verdict, { is: 'continue' }>;

/**
 * What was seen of a gate that Da Capo looks at by itself. The code that looks also judges it, so the law
 * treats all such gates alike and the hook program needs no knowledge of any of them.
 */
export const gateResult = s.record({
  gate: lookedAt,
  /** Whose review it is (`reviewerOf`): there may be several. */
  by: s.maybe(s.text),
  holds: s.flag,
  says: s.text,
  /** What it lacks, where `says` tells of more than that. */
  lacks: s.maybe(s.text),
  /** Why it could not be looked at. Then a person has to. */
  trouble: s.orNull(s.text),
  /** It holds, but only a person can say whether it counts. */
  doubt: s.maybe(s.flag),
  /** It does not hold yet, and another look without the agent will tell. */
  waits: s.maybe(s.flag),
  /**
   * What the checks stood on, if that has changed (`law/proof/ground.ts`). `old`: they also pass with the
   * tests of the start. `files`: what has changed.
   */
  ground: s.maybe(
    s.record({
      is: s.oneOf('unchanged', 'old', 'changed'),
      files: s.list(s.text),
      /** Those of them that are dependencies of the project. */
      dependencies: s.maybe(s.list(s.text)),
      /** How the tests of now went on the code of the start. Absent: they were not run there. */
      without: s.maybe(s.oneOf('red', 'green')),
    }),
  ),
});
export type GateResult = s.Infer<typeof gateResult>;

/**
 * Where the failures and the measures of a loop are heading. Bounded: `law/trend.ts` computes each from the
 * last one.
 */
export const trend = s.record({
  /** Counted over all frames: the pass at whose end it was seen. */
  iteration: s.whole,
  /**
   * The last few different failures, as hashes, each with the pass that showed it first; and the last one of
   * all.
   */
  seen: s.list(s.record({ iteration: s.whole, failures: s.text })),
  failures: s.orNull(s.text),
  /** Those had been seen before, and others since. */
  back: s.flag,
  /** How far the measures were from their goals. Null: there are none, or one could not be taken. */
  away: s.orNull(s.real),
  best: s.orNull(s.record({ iteration: s.whole, away: s.real })),
  /** Why this stop was no progress, in words: it circles, or it gets worse. Null: it may be progress. */
  drift: s.orNull(s.text),
});
export type Trend = s.Infer<typeof trend>;
