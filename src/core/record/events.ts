/**
 * The shape of each journal event. The journal is the truth, so its reader is strict: a known event with a wrong field
 * can't be trusted (rule 4). An unknown event is kept and skipped.
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
import { gateResult, checkProof, verdict } from './verdict.ts';
import { treeMark } from './mark.ts';
import { answerHand, requestFields } from './requests.ts';
import { JOURNAL_VERSION } from './versions.ts';

/**
 * Who did it: a person in the host's session, in a terminal or on the page, someone who deleted or edited a view
 * (`status`: a view that now says `stopped`), an agent on its own command line or over MCP, or the host.
 */
const actor = oneOf('session', 'terminal', 'page', 'view', 'status', 'agent', 'mcp', 'host');
export type Actor = Infer<typeof actor>;

/** What a span of work has used. In hook mode the cost is estimated from the tokens. */
const used = record({ costUsd: amount, tokens: whole });
export type Used = Infer<typeof used>;

/** How much of its context the agent fills, and the window if known. */
const context = record({ tokens: whole, window: orNull(whole) });
export type Context = Infer<typeof context>;

const at = instant;
const prompt = orNull(text);
const process = orNull(whole);
/** The machine of that process. Absent in older journals, which knew only one machine. */
const machine = maybe(text);

/** Built on first use: a stop whose cache is fresh reads no event. */
const shapes = once(
  () =>
    ({
      created: record({
        type: oneOf('created'),
        at,
        /** The version of this journal. Absent: 1. */
        version: maybe(positive),
        id: text,
        project: text,
        host: text,
        definition,
        by: record({ hand: actor, session: orNull(text), prompt }),
      }),
      /** A session takes the loop. `clear` moves it to the new session and leaves it paused. */
      bound: record({
        type: oneOf('bound'),
        at,
        session: text,
        process,
        machine,
        prompt,
        how: oneOf('command', 'mcp', 'start', 'prompt', 'adopt', 'clear', 'takeover'),
      }),
      /**
       * The fresh driver takes the loop for a pass. Void unless it is event `n`: if two drivers try at once, the first
       * one gets the loop.
       */
      taken: record({
        type: oneOf('taken'),
        at,
        n: positive,
        session: text,
        /** Identifies the pass: several may share a session and end with the same words. */
        pass: text,
        process: whole,
        machine,
        model: orNull(text),
      }),
      /**
       * The loop continues on another machine, in this project folder. Nothing on the old machine holds it any more.
       */
      moved: record({ type: oneOf('moved'), at, project: text, machine: text }),
      /** A prompt that continues the loop: the first after a resume, one from the queue, or a notice of the host. */
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
        registration: maybe(text),
      }),
      verdict: record({
        type: oneOf('verdict'),
        at,
        n: positive,
        verdict,
        proofs: list(checkProof),
        sights: list(gateResult),
        features: orNull(featuresProof),
        cap: orNull(whole),
        toolUsed: flag,
        /** Absent: true. */
        toolResetsCap: maybe(flag),
        queue: record({ offset: whole, waiting: whole }),
        /** Since the previous stop; null if not counted. */
        used: orNull(used),
        context: orNull(context),
        /** A mark of the work tree, if one was taken. */
        tree: orNull(text),
        /** How many stops in a row, including this one, have shown the same result while nothing changed. */
        stalls: whole,
        /** The start of the agent's last message, as it came; null: it is empty. */
        preview: orNull(text),
      }),
      lost: record({ type: oneOf('lost'), at, n: positive, why: oneOf('died', 'terminated', 'orphaned') }),
      paused: record({ type: oneOf('paused'), at, by: actor, why: oneOf('command', 'prompt', 'clear') }),
      resumed: record({
        type: oneOf('resumed'),
        at,
        by: actor,
        session: orNull(text),
        process,
        machine,
        prompt,
        iterations: orNull(positive),
      }),
      interrupted: record({
        type: oneOf('interrupted'),
        at,
        /** `gone`: the process of its session ended without a word. */
        why: oneOf('session-end', 'fault', 'gone'),
        detail: text,
      }),
      cancelled: record({ type: oneOf('cancelled'), at, by: actor, prompt }),
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
        by: actor,
        prompt: orNull(text),
        iterations: orNull(either(positive, oneOf('unlimited'))),
        /** A person adds or removes checks, or changes the promise. Absent: unchanged. */
        checks: maybe(record({ add: list(checkGate), remove: list(text) })),
        promise: maybe(text),
      }),
      /** New limits for the whole loop, counted from its beginning. Null: unchanged. */
      bounded: record({
        type: oneOf('bounded'),
        at,
        by: actor,
        timeMs: orNull(positive),
        costUsd: orNull(amount),
        tokens: orNull(positive),
      }),
      /** A frame inside the one at work. `prompt`: it was typed in the session, so the agent has already seen it. */
      pushed: record({
        type: oneOf('pushed'),
        at,
        by: actor,
        prompt,
        frame,
        /** Passes already over when it was imported from another tool's state. */
        passes: maybe(whole),
      }),
      /**
       * Protected files have changed: how each one changed, and the digest of them all. By a person, it is the new
       * baseline.
       */
      altered: record({
        type: oneOf('altered'),
        at,
        by: oneOf('terminal', 'unknown'),
        files: list(text),
        digest: text,
      }),
      /** Items left the list of a frame before their turn: how many in all so far, and the first few titles. */
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
      /** How the fresh driver runs the loop from now on. */
      planned: record({ type: oneOf('planned'), at, by: actor, plan }),
      /** A pass failed through no fault of the agent. `until`: when it is retried; null: never. */
      faulted: record({
        type: oneOf('faulted'),
        at,
        fault: oneOf('transient', 'limit', 'crashed', 'fatal', 'timed-out', 'silent'),
        detail: text,
        attempt: positive,
        until: orNull(instant),
        evidence: orNull(text),
        /** What the pass cost anyway. */
        used: orNull(used),
      }),
      /**
       * Nothing runs until then: the pause between two passes, the limit of passes per hour, or a usage limit that an
       * earlier run has met.
       */
      held: record({
        type: oneOf('held'),
        at,
        for: oneOf('pause', 'rate', 'circuit', 'limit'),
        until: instant,
      }),
      /** A pass was aborted: none of it is judged, but its cost counts. */
      spent: record({ type: oneOf('spent'), at, used }),
      /** The driver stood still for so long: the machine slept, or the process was suspended. That is not working time. */
      slept: record({ type: oneOf('slept'), at, ms: positive }),
      /** A point to which the work can be returned, recorded after an iteration. */
      recorded: record({
        type: oneOf('recorded'),
        at,
        iteration: whole,
        /** The checked-out commit if the loop commits; otherwise the tree in the loop's own store. */
        commit: text,
        onBranch: flag,
      }),
      /** A session that was let through at stop n is woken. The first line for n wins, so it is woken once. */
      woken: record({ type: oneOf('woken'), at, n: positive, process: whole, machine }),
      /** The loop has a view in this file, relative to the project. The stack's view may be a topic. */
      viewed: record({ type: oneOf('viewed'), at, kind: viewKind, file: text }),
      /** The stop hooks were asked about stop n. `core/stop-hooks/account.ts` reads the full account. */
      asked: record({
        type: oneOf('asked'),
        at,
        n: positive,
        /** Words for the agent's next pass. */
        next: orNull(text),
        /** The work tree when this pass began, and now. */
        since: orNull(treeMark),
        mark: orNull(treeMark),
        account: list(isRecord),
      }),
      /** A stop hook gave something to keep, under this name in the loop's `checkpoints/`. */
      checkpointed: record({ type: oneOf('checkpointed'), at, hook: text, phase: orNull(text), file: text }),
      /** The loop asks a person. The first line for an id wins. */
      requested: record({ type: oneOf('requested'), at, id: text, ...requestFields, expires: instant }),
      /** The first answer in the file wins; `note`: words for the agent, and the answer to a question. */
      answered: record({
        type: oneOf('answered'),
        at,
        id: text,
        answer: oneOf('approved', 'rejected', 'text'),
        note: text,
        by: answerHand,
      }),
      /** Nobody answered in time. */
      expired: record({ type: oneOf('expired'), at, id: text }),
      /** An approved call is let through. The first line for an id wins, so one approval lets one call through. */
      released: record({ type: oneOf('released'), at, id: text, call: text }),
      /** A person's word for the agent, for its next iteration. */
      steered: record({ type: oneOf('steered'), at, by: either(actor, answerHand), words: text }),
      /** The agent was told these: ids of requests, and of a person's words. */
      told: record({ type: oneOf('told'), at, ids: list(text) }),
      /** A person resumed from a checkpoint. The agent gets these words. */
      restored: record({ type: oneOf('restored'), at, by: actor, file: text, words: text }),
      /** The agent said by a tool that it is done or blocked. It counts at its next stop, as the tag would. */
      said: record({ type: oneOf('said'), at, what: oneOf('done', 'blocked'), words: text }),
      /** What the agent wants its later passes to know. */
      noted: record({ type: oneOf('noted'), at, words: text }),
    }) as const,
);

type Shapes = ReturnType<typeof shapes>;
export type EventOf<K extends keyof Shapes> = Infer<Shapes[K]>;
export type Event = { [K in keyof Shapes]: EventOf<K> }[keyof Shapes];

export type Read =
  | { readonly is: 'event'; readonly event: Event }
  | { readonly is: 'unknown' }
  | { readonly is: 'broken' }
  /** The journal begins with an event that a later version of Da Capo wrote. */
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
