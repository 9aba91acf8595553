/**
 * The events of a journal, one shape each. The journal is the truth, so its reader is strict: a known event with
 * a wrong field can't be trusted (rule 4); an unknown event is kept and passed over.
 */
import {
  amount,
  either,
  flag,
  instant,
  isRecord,
  list,
  maybe,
  once,
  oneOf,
  orNull,
  positive,
  record,
  text,
  whole,
  type Infer,
} from '../shape.ts';
import { checkGate, definition, frame, viewKind } from './definition.ts';
import { featuresProof } from './features.ts';
import { plan } from './plan.ts';
import { sight } from './sights.ts';
import { checkProof, verdict } from './verdict.ts';
import { treeMark } from './mark.ts';
import { JOURNAL_VERSION } from './versions.ts';

/**
 * Whose hand did it: in the host's session, in a terminal, by deleting or editing a view (`status`: one
 * that now says `stopped`), or an agent's own command line.
 */
const by = oneOf('session', 'terminal', 'view', 'status', 'agent', 'host');
export type By = Infer<typeof by>;

/** What a stretch of work has used. In hook mode the money is an estimate, made from the tokens. */
const used = record({ costUsd: amount, tokens: whole });
export type Used = Infer<typeof used>;

/** How much of its context the agent fills; the window where it is known. */
const context = record({ tokens: whole, window: orNull(whole) });
export type Context = Infer<typeof context>;

const at = instant;
const prompt = orNull(text);
const process = orNull(whole);
/** Where that process runs; absent in older journals, which knew of one machine only. */
const machine = maybe(text);

/** Made at the first use: a stop whose cache is fresh reads no event. */
const shapes = once(
  () =>
    ({
      created: record({
        type: oneOf('created'),
        at,
        /** Of this journal; absent: 1. */
        version: maybe(positive),
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
        machine,
        prompt,
        how: oneOf('command', 'start', 'prompt', 'adopt', 'clear', 'takeover'),
      }),
      /** The fresh driver takes the loop for a pass. Void unless it is event `n`: of two drivers at once, the first has it. */
      taken: record({
        type: oneOf('taken'),
        at,
        n: positive,
        session: text,
        /** The pass itself: several may share a session, and end with the same words. */
        pass: text,
        process: whole,
        machine,
        model: orNull(text),
      }),
      /** The loop goes on on another machine, where its project is in this folder. What held it before holds it no more. */
      moved: record({ type: oneOf('moved'), at, project: text, machine: text }),
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
        machine,
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
        /** Since the stop before; null where nobody has counted. */
        used: orNull(used),
        context: orNull(context),
        /** A mark of the work tree, where one was taken. */
        tree: orNull(text),
        /** How many stops in a row, this one included, have shown the same, with nothing changed. */
        stalls: whole,
        /** How the agent's last message begins, in one line; null where no view of the loop shows it. */
        preview: orNull(text),
      }),
      lost: record({ type: oneOf('lost'), at, n: positive, why: oneOf('died', 'terminated', 'orphaned') }),
      paused: record({ type: oneOf('paused'), at, by, why: oneOf('command', 'prompt', 'clear') }),
      resumed: record({
        type: oneOf('resumed'),
        at,
        by,
        session: orNull(text),
        process,
        machine,
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
        /** By a person: checks that come and go, and another promise. Left out: as they were. */
        checks: maybe(record({ add: list(checkGate), remove: list(text) })),
        promise: maybe(text),
      }),
      /** New limits for the whole loop, counted from its beginning. Null: as it was. */
      bounded: record({
        type: oneOf('bounded'),
        at,
        by,
        timeMs: orNull(positive),
        costUsd: orNull(amount),
        tokens: orNull(positive),
      }),
      /** A frame inside the one at work. `prompt`: it was typed in the session, and the agent has it before it. */
      pushed: record({
        type: oneOf('pushed'),
        at,
        by,
        prompt,
        frame,
        /** Passes of it that were over when it was taken from another tool's state. */
        passes: maybe(whole),
      }),
      /** Protected files are otherwise now, each with how, and the digest of them all: from a person, the new baseline. */
      altered: record({
        type: oneOf('altered'),
        at,
        by: oneOf('terminal', 'unknown'),
        files: list(text),
        digest: text,
      }),
      /** Items are missing in the list of a frame that have not had their turn: all that are by now, and the first few by title. */
      shortened: record({
        type: oneOf('shortened'),
        at,
        by: oneOf('terminal', 'unknown'),
        frame: positive,
        file: text,
        count: whole,
        items: list(text),
      }),
      compacted: record({ type: oneOf('compacted'), at }),
      /** How the fresh driver is to run the loop, from now on. */
      planned: record({ type: oneOf('planned'), at, by, plan }),
      /** A pass came to nothing by no fault of the agent. `until`: it is tried again then; null: no more. */
      faulted: record({
        type: oneOf('faulted'),
        at,
        fault: oneOf('transient', 'limit', 'crashed', 'fatal', 'timed-out', 'silent'),
        detail: text,
        attempt: positive,
        until: orNull(instant),
        evidence: orNull(text),
        /** What it cost all the same. */
        used: orNull(used),
      }),
      /**
       * Nothing is done until then: between two passes, because so many were made in the last hour, or still because of a
       * usage limit, which an earlier run has met.
       */
      held: record({
        type: oneOf('held'),
        at,
        for: oneOf('pause', 'rate', 'circuit', 'limit'),
        until: instant,
      }),
      /** A pass was broken off: nothing of it is judged, but what it has cost is paid. */
      spent: record({ type: oneOf('spent'), at, used }),
      /** The work as it was after an iteration can be returned to. */
      recorded: record({
        type: oneOf('recorded'),
        at,
        iteration: whole,
        /** The commit that is checked out, for a loop that commits; else the tree in the loop's own store. */
        commit: text,
        onBranch: flag,
      }),
      /** A session that was let through at stop n is woken. The first line for n wins: it is woken once. */
      woken: record({ type: oneOf('woken'), at, n: positive, process: whole, machine }),
      /** The loop has a view in this file, as seen from the project. The stack's may be a topic. */
      viewed: record({ type: oneOf('viewed'), at, kind: viewKind, file: text }),
      /** The stop hooks were asked about stop n. `core/hook-account.ts` reads the account in full. */
      asked: record({
        type: oneOf('asked'),
        at,
        n: positive,
        /** For the agent's next pass. */
        next: orNull(text),
        /** The work tree when this pass began, and now. */
        since: orNull(treeMark),
        mark: orNull(treeMark),
        account: list(isRecord),
      }),
      /** A stop hook gave something to be kept, under this name in the loop's `checkpoints/`. */
      checkpointed: record({ type: oneOf('checkpointed'), at, hook: text, phase: orNull(text), file: text }),
      /** A person resumed from a checkpoint: these words are for the agent. */
      restored: record({ type: oneOf('restored'), at, by, file: text, words: text }),
    }) as const,
);

type Shapes = ReturnType<typeof shapes>;
export type EventOf<K extends keyof Shapes> = Infer<Shapes[K]>;
export type Event = { [K in keyof Shapes]: EventOf<K> }[keyof Shapes];

export type Read =
  | { readonly is: 'event'; readonly event: Event }
  | { readonly is: 'unknown' }
  | { readonly is: 'broken' }
  /** The beginning of a journal that a later version of Da Capo has written. */
  | { readonly is: 'newer'; readonly why: string };

export function readEvent(value: unknown): Read {
  if (!isRecord(value) || !text(value['type']) || !instant(value['at'])) return { is: 'broken' };
  if (!isKnown(value['type'])) return { is: 'unknown' };
  const version = value['type'] === 'created' ? value['version'] : undefined;
  if (positive(version) && version > JOURNAL_VERSION)
    return {
      is: 'newer',
      why: `the journal has version ${version}, and this Da Capo reads up to version ${JOURNAL_VERSION}. Update Da Capo.`,
    };
  return isEvent(value, value['type']) ? { is: 'event', event: value } : { is: 'broken' };
}

function isKnown(type: string): type is keyof Shapes {
  return Object.hasOwn(shapes(), type);
}

function isEvent(value: unknown, type: keyof Shapes): value is Event {
  return shapes()[type](value);
}
