/**
 * The events of a journal, one shape each. The journal is the truth, so its reader is strict: a known event with
 * a wrong field can't be trusted (rule 4); an unknown event is kept and passed over.
 */
import {
  either,
  flag,
  instant,
  list,
  once,
  oneOf,
  orNull,
  positive,
  record,
  text,
  whole,
  type Infer,
} from './shape.ts';
import { isRecord } from './shape.ts';
import { featuresProof } from './features.ts';
import { movedBaseline } from './moved.ts';
import { sight } from './sights.ts';

/** Whose hand did it: in the host's session, in a terminal, by editing a view, or an agent's own command line. */
const by = oneOf('session', 'terminal', 'view', 'agent', 'host');
export type By = Infer<typeof by>;

const gate = either(
  record({ kind: oneOf('promise'), text }),
  record({ kind: oneOf('check'), command: text, timeoutMs: positive }),
  /** `begun`: what was seen of the list when the loop began. */
  record({ kind: oneOf('features'), file: text, begun: featuresProof }),
  record({ kind: oneOf('moved'), baseline: movedBaseline }),
);
export type Gate = Infer<typeof gate>;

const definition = record({
  name: orNull(text),
  mode: oneOf('loop', 'issue', 'grind'),
  driver: oneOf('hook', 'fresh'),
  /** The hash under which the prompt is stored: a prompt of 1 MB stands on disk once, not in every line. */
  prompt: text,
  gates: list(gate),
  /** Whether all gates have to hold, or any one of them. */
  require: oneOf('all', 'any'),
  /** The loop is not complete before this many passes. */
  atLeast: whole,
  iterations: orNull(positive),
  timeMs: orNull(positive),
  staleMs: positive,
  /** Patterns of files that stay as they are; the digest of what they were when the loop began (`journal/listings.ts`). */
  protect: list(text),
  baseline: orNull(text),
});
export type Definition = Infer<typeof definition>;
export type Mode = Definition['mode'];
export type Driver = Definition['driver'];

const checkOutcome = either(
  record({ is: oneOf('passed') }),
  record({ is: oneOf('failed'), exit: whole, tail: text }),
  record({ is: oneOf('killed'), signal: text, tail: text }),
  record({ is: oneOf('timed-out'), afterMs: whole, tail: text }),
  record({ is: oneOf('unstartable'), error: text, tail: text }),
);
export type CheckOutcome = Infer<typeof checkOutcome>;

const checkProof = record({ command: text, outcome: checkOutcome, ms: whole, evidence: orNull(text) });
export type CheckProof = Infer<typeof checkProof>;

/** What a gate still lacks, in words. A check's output stands in its proof. */
const missing = either(
  record({ gate: oneOf('promise'), wanted: text, seen: orNull(text) }),
  record({ gate: oneOf('check'), command: text, outcome: text }),
  record({ gate: oneOf('features', 'moved', 'protected', 'passes'), says: text }),
);
export type Missing = Infer<typeof missing>;

const escalation = either(
  record({ is: oneOf('blocked', 'asked'), words: text }),
  record({ is: oneOf('unprovable'), command: text, error: text }),
  record({ is: oneOf('unreadable'), why: text }),
);
export type Escalation = Infer<typeof escalation>;

const limit = oneOf('iterations', 'time', 'staleness');

const verdict = either(
  record({ is: oneOf('continue'), missing: list(missing), shells: list(text), capped: flag }),
  record({ is: oneOf('complete') }),
  record({ is: oneOf('escalate'), why: escalation, missing: list(missing) }),
  record({ is: oneOf('exhaust'), limit, missing: list(missing) }),
  record({
    is: oneOf('allow'),
    why: oneOf('queue', 'background'),
    shells: list(text),
    until: orNull(instant),
  }),
);
/** The answer to a stop that belongs to a live loop. */
export type Verdict = Infer<typeof verdict>;

const at = instant;
const prompt = orNull(text);
const process = orNull(whole);

/** Made at the first use: a stop whose cache is fresh reads no event. */
const shapes = once(
  () =>
    ({
      created: record({
        type: oneOf('created'),
        at,
        id: text,
        project: text,
        host: text,
        definition,
        by: record({ hand: by, session: orNull(text), prompt }),
      }),
      /** A session takes the loop: `clear` moves it along and leaves it paused. */
      bound: record({
        type: oneOf('bound'),
        at,
        session: text,
        process,
        prompt,
        how: oneOf('command', 'start', 'prompt', 'adopt', 'clear', 'takeover', 'fresh'),
      }),
      /** A prompt that carries the loop on: the first after a resume, one from the queue, a notice of the host. */
      prompted: record({ type: oneOf('prompted'), at, prompt }),
      stop: record({
        type: oneOf('stop'),
        at,
        n: positive,
        session: text,
        prompt,
        words: text,
        process: whole,
        started: instant,
        latch: flag,
      }),
      verdict: record({
        type: oneOf('verdict'),
        at,
        n: positive,
        verdict,
        proofs: list(checkProof),
        sights: list(sight),
        features: orNull(featuresProof),
        cap: orNull(whole),
        toolUsed: flag,
        queue: record({ offset: whole, waiting: whole }),
      }),
      lost: record({ type: oneOf('lost'), at, n: positive, why: oneOf('died', 'terminated', 'orphaned') }),
      paused: record({ type: oneOf('paused'), at, by, why: oneOf('command', 'prompt', 'clear') }),
      resumed: record({
        type: oneOf('resumed'),
        at,
        by,
        session: orNull(text),
        process,
        prompt,
        iterations: orNull(positive),
      }),
      interrupted: record({
        type: oneOf('interrupted'),
        at,
        why: oneOf('session-end', 'fault'),
        detail: text,
      }),
      cancelled: record({ type: oneOf('cancelled'), at, by, prompt }),
      aborted: record({
        type: oneOf('aborted'),
        at,
        why: oneOf('view', 'journal'),
        detail: text,
        evidence: orNull(text),
      }),
      amended: record({
        type: oneOf('amended'),
        at,
        by,
        prompt: orNull(text),
        iterations: orNull(either(positive, oneOf('unlimited'))),
      }),
      /** Protected files are otherwise now, each with how, and the digest of them all: from a person, the new baseline. */
      altered: record({
        type: oneOf('altered'),
        at,
        by: oneOf('terminal', 'unknown'),
        files: list(text),
        digest: text,
      }),
      compacted: record({ type: oneOf('compacted'), at }),
      /** A session that was let through at stop n is woken. The first line for n wins: it is woken once. */
      woken: record({ type: oneOf('woken'), at, n: positive, process: whole }),
      /** The loop has a view in this file, as seen from the project. */
      viewed: record({ type: oneOf('viewed'), at, file: text }),
    }) as const,
);

type Shapes = ReturnType<typeof shapes>;
export type EventOf<K extends keyof Shapes> = Infer<Shapes[K]>;
export type Event = { [K in keyof Shapes]: EventOf<K> }[keyof Shapes];

export type Read =
  | { readonly is: 'event'; readonly event: Event }
  | { readonly is: 'unknown' }
  | { readonly is: 'broken' };

export function readEvent(value: unknown): Read {
  if (!isRecord(value) || !text(value['type']) || !instant(value['at'])) return { is: 'broken' };
  if (!isKnown(value['type'])) return { is: 'unknown' };
  return isEvent(value, value['type']) ? { is: 'event', event: value } : { is: 'broken' };
}

function isKnown(type: string): type is keyof Shapes {
  return Object.hasOwn(shapes(), type);
}

function isEvent(value: unknown, type: keyof Shapes): value is Event {
  return shapes()[type](value);
}
