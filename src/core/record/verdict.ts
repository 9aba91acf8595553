/** The answer to a stop, and what it rests on: shapes, as they stand in the journal. */
import { nextItem, mode } from './definition.ts';
import {
  either,
  flag,
  instant,
  list,
  maybe,
  oneOf,
  orNull,
  record,
  text,
  whole,
  type Infer,
} from '../shape.ts';

const checkOutcome = either(
  record({ is: oneOf('passed') }),
  record({ is: oneOf('failed'), exit: whole, tail: text }),
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

/** What a gate still lacks, in words. A check's output stands in its proof. */
const missing = either(
  record({ gate: oneOf('promise'), wanted: text, seen: orNull(text) }),
  record({ gate: oneOf('check'), name: orNull(text), command: text, outcome: text }),
  record({ gate: oneOf('features', 'moved', 'hooks', 'protected', 'passes', 'signal', 'news'), says: text }),
);
export type Missing = Infer<typeof missing>;

const escalation = either(
  /** Of a list of items: all had their turn, and so many are not done. `gone`: so many left it without a turn. */
  record({ is: oneOf('undone'), items: whole, gone: maybe(whole) }),
  record({ is: oneOf('blocked', 'asked', 'stuck'), words: text }),
  record({ is: oneOf('unprovable'), command: text, error: text }),
  /** `vetoed`: by a stop hook, or since the hooks could not be asked. */
  record({ is: oneOf('unreadable', 'vetoed', 'uncounted'), why: text }),
  /** The host can't work at all: no login, no money, no such model. */
  record({ is: oneOf('fatal'), words: text }),
);
export type Escalation = Infer<typeof escalation>;

const limit = oneOf('iterations', 'time', 'staleness', 'cost', 'tokens', 'items');

/** An inner frame that has ended. */
const popped = record({
  mode,
  outcome: oneOf('complete', 'exhaust', 'escalate'),
  why: text,
  /** The title of its item, where it had one. */
  item: orNull(text),
  iterations: whole,
});
export type Popped = Infer<typeof popped>;

export const verdict = either(
  /** `popped`: the frames that this stop has ended, the innermost first; `item`: whose frame begins now. */
  record({
    is: oneOf('continue'),
    missing: list(missing),
    shells: list(text),
    capped: flag,
    popped: list(popped),
    item: orNull(nextItem),
  }),
  /** `unchanged`: the agent stood by it, though nothing had changed since the loop began. */
  record({ is: oneOf('complete'), unchanged: maybe(flag), popped: maybe(list(popped)) }),
  record({ is: oneOf('escalate'), why: escalation, missing: list(missing), popped: maybe(list(popped)) }),
  record({ is: oneOf('exhaust'), limit, missing: list(missing), popped: maybe(list(popped)) }),
  /** `detail`: what was seen again and again. */
  record({
    is: oneOf('exhaust'),
    limit: oneOf('stagnation'),
    detail: text,
    missing: list(missing),
    popped: maybe(list(popped)),
  }),
  record({
    is: oneOf('allow'),
    why: oneOf('queue', 'background'),
    shells: list(text),
    until: orNull(instant),
  }),
);
/** The answer to a stop that belongs to a live loop. */
export type Verdict = Infer<typeof verdict>;
