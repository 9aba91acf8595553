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
  oneOf,
  orNull,
  positive,
  record,
  text,
  whole,
  type Infer,
} from '../shape.ts';
import { checkGate, definition, frame, viewKind, featuresProof } from './definition.ts';
import { plan } from './plan.ts';
import { gateResult, checkProof, trend, verdict } from './verdict.ts';
import { treeMark } from './mark.ts';

/**
 * The version of a journal, in its first event. A journal without one has version 1 and can be read. Raise it when an
 * older Da Capo would misread a newer journal, so that it refuses that journal.
 */
export const JOURNAL_VERSION = 4;

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

const prompt = orNull(text);
const process = orNull(whole);
/** The machine of that process. Absent in older journals, which knew only one machine. */
const machine = maybe(text);

/** `file`: a moved file, so nobody knows whose hand it was. `view`: the terminal view. */
const answerActor = oneOf('terminal', 'session', 'file', 'view', 'page', 'webhook');
export type AnswerActor = Infer<typeof answerActor>;

/** The fields of each event, besides its `type`, which is its name here, and the instant `at`. */
const shapes = {
  created: record({
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
    session: text,
    process,
    machine,
    prompt,
    how: oneOf('command', 'mcp', 'start', 'prompt', 'adopt', 'clear', 'takeover'),
    /** Absent: the host of the loop so far. */
    host: maybe(text),
  }),
  /** The fresh driver takes the loop for a pass. Void unless it is event `n`: of two drivers at once, the first gets it. */
  taken: record({
    n: positive,
    session: text,
    /** Identifies the pass: several may share a session and end with the same words. */
    pass: text,
    process: whole,
    machine,
    model: orNull(text),
    /** The host of this pass. Absent: that of the loop so far. */
    host: maybe(text),
  }),
  /** The host of this pass chose the id of its session itself, and told it. */
  identified: record({ pass: text, session: text }),
  /** The loop continues on another machine, in this project folder. Nothing on the old machine holds it any more. */
  moved: record({ project: text, machine: text }),
  /** A prompt that continues the loop: the first after a resume, one from the queue, or a notice of the host. */
  prompted: record({ prompt }),
  stop: record({
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
    /** Absent: neither failures nor measures were seen. */
    trend: maybe(trend),
    /** The start of the agent's last message, as it came; null: it is empty. */
    preview: orNull(text),
  }),
  lost: record({ n: positive, why: oneOf('died', 'terminated', 'orphaned') }),
  paused: record({ by: actor, why: oneOf('command', 'prompt', 'clear') }),
  resumed: record({
    by: actor,
    session: orNull(text),
    process,
    machine,
    prompt,
    iterations: orNull(positive),
  }),
  interrupted: record({
    /** `gone`: the process of its session ended without a word. */
    why: oneOf('session-end', 'fault', 'gone'),
    detail: text,
  }),
  cancelled: record({ by: actor, prompt }),
  /** `begin`: a worker of a fleet could not begin it. */
  aborted: record({ why: oneOf('view', 'journal', 'begin'), detail: text, evidence: orNull(text) }),
  amended: record({
    by: actor,
    prompt: orNull(text),
    iterations: orNull(either(positive, oneOf('unlimited'))),
    /** A person adds or removes checks, or changes the promise. Absent: unchanged. */
    checks: maybe(record({ add: list(checkGate), remove: list(text) })),
    promise: maybe(text),
  }),
  /** New limits for the whole loop, counted from its beginning. Null: unchanged. */
  bounded: record({
    by: actor,
    timeMs: orNull(positive),
    costUsd: orNull(amount),
    tokens: orNull(positive),
  }),
  /** A frame inside the one at work. `prompt`: it was typed in the session, so the agent has already seen it. */
  pushed: record({
    by: actor,
    prompt,
    frame,
    /** Passes already over when it was imported from another tool's state. */
    passes: maybe(whole),
  }),
  /** Protected files have changed: how each one changed, and the digest of them all. By a person: the new baseline. */
  altered: record({ by: oneOf('terminal', 'unknown'), files: list(text), digest: text }),
  /** Items left the list of a frame before their turn: how many in all so far, and the first few titles. */
  shortened: record({
    by: oneOf('terminal', 'unknown'),
    frame: positive,
    file: text,
    count: whole,
    items: list(text),
  }),
  compacted: record({}),
  planned: record({ by: actor, plan }),
  /** A pass failed through no fault of the agent. `until`: when it is retried; null: never. */
  faulted: record({
    fault: oneOf('transient', 'limit', 'crashed', 'fatal', 'timed-out', 'silent'),
    detail: text,
    attempt: positive,
    until: orNull(instant),
    evidence: orNull(text),
    /** What the pass cost anyway. */
    used: orNull(used),
    /** How a person gets a valid account of that host, as part of a sentence. */
    login: maybe(text),
  }),
  /**
   * Nothing runs until then: the pause between two passes, the limit of passes per hour, a usage limit that an earlier run
   * has met, or the next look at a check that said "not yet".
   */
  held: record({ for: oneOf('pause', 'rate', 'circuit', 'limit', 'check'), until: instant }),
  /** A pass was aborted: none of it is judged, but its cost counts. */
  spent: record({ used }),
  /** The driver stood still for so long: the machine slept, or the process was suspended. That is not working time. */
  slept: record({ ms: positive }),
  /** A point to which the work can be returned, recorded after an iteration. */
  recorded: record({
    iteration: whole,
    /** The checked-out commit if the loop commits; otherwise the tree in the loop's own store. */
    commit: text,
    onBranch: flag,
  }),
  /** A session that was let through at stop n is woken. The first line for n wins, so it is woken once. */
  woken: record({ n: positive, process: whole, machine }),
  /** The loop has a view in this file, relative to the project. The stack's view may be a topic. */
  viewed: record({ kind: viewKind, file: text }),
  /** The stop hooks were asked about stop n. `core/stop-hooks.ts` reads the full account. */
  asked: record({
    n: positive,
    /** Words for the agent's next pass. */
    next: orNull(text),
    /** The work tree when this pass began, and now. */
    since: orNull(treeMark),
    mark: orNull(treeMark),
    account: list(isRecord),
  }),
  /** Another agent reviewed the work at stop n. Its cost counts. */
  reviewed: record({
    n: positive,
    host: text,
    model: orNull(text),
    /** How often it has looked since it last approved, or a person resumed the loop. */
    review: positive,
    /** The hash of the prompt, and the content of the work tree that it saw. An approval counts for these alone. */
    task: text,
    tree: orNull(text),
    /** What it was given, in short. */
    asked: text,
    answer: oneOf('approved', 'objected', 'unreached'),
    /** What is missing; else why. */
    words: list(text),
    used: orNull(used),
    ms: whole,
    /** The file with both sides in full. */
    evidence: text,
  }),
  /** A stop hook gave something to keep, under this name in the loop's `checkpoints/`. */
  checkpointed: record({ hook: text, phase: orNull(text), file: text }),
  /** The loop asks a person. The first line for an id wins. */
  requested: record({
    id: text,
    /**
     * `completion`: the gates hold, and a person confirms that the task is done. `acceptance`: the agent says that the gates
     * can't show it, and a person accepts it as done.
     */
    kind: oneOf('approval', 'question', 'completion', 'acceptance'),
    /** `tool` and `digest` identify the call that is to be approved; null for other kinds. `text`: for people. */
    what: record({ tool: orNull(text), digest: orNull(text), text }),
    why: text,
    expires: instant,
  }),
  /** The first answer in the file wins; `note`: words for the agent, and the answer to a question. */
  answered: record({
    id: text,
    answer: oneOf('approved', 'rejected', 'text'),
    note: text,
    by: answerActor,
  }),
  expired: record({ id: text }),
  /** An approved call is let through. The first line for an id wins, so one approval lets one call through. */
  released: record({ id: text, call: text }),
  /** A person's word for the agent, for its next iteration. */
  steered: record({ by: either(actor, answerActor), words: text }),
  /** The agent was told these: ids of requests, and of a person's words. */
  told: record({ ids: list(text) }),
  /** A person resumed from a checkpoint. `words`: for the agent. */
  restored: record({ by: actor, file: text, words: text }),
  /** The agent said by a tool that it is done, blocked or can't be verified. It counts at its next stop, as the tag would. */
  said: record({ what: oneOf('done', 'blocked', 'unverifiable'), words: text }),
  /** What the agent wants its later passes to know. */
  noted: record({ words: text }),
};

type EventType = keyof typeof shapes;
export type EventOf<K extends EventType> = {
  [T in K]: { readonly type: T; readonly at: string } & Infer<(typeof shapes)[T]>;
}[K];
export type Event = EventOf<EventType>;

export type RequestFields = Pick<EventOf<'requested'>, 'kind' | 'what' | 'why'>;
export type RequestKind = RequestFields['kind'];

/** What a line of the journal is. `newer`: the journal begins with an event that a later version of Da Capo wrote. */
export type Read =
  | { readonly is: 'event'; readonly event: Event }
  | { readonly is: 'unknown' | 'broken' }
  | { readonly is: 'newer'; readonly why: string };

export function readEvent(value: unknown): Read {
  if (!isRecord(value) || !text(value['type']) || !instant(value['at'])) return { is: 'broken' };
  const { type } = value;
  if (!isKnown(type)) return { is: 'unknown' };
  const version = type === 'created' ? value['version'] : undefined;
  if (positive(version) && version > JOURNAL_VERSION)
    return {
      is: 'newer',
      why: `the journal has version ${version}, and this Da Capo reads up to version ${JOURNAL_VERSION}. Update Da Capo.`,
    };
  return isEvent(value, type) ? { is: 'event', event: value } : { is: 'broken' };
}

/** A journal begins with this event, and with its version. */
export function firstEvent(created: EventOf<'created'>): EventOf<'created'> {
  return { ...created, version: JOURNAL_VERSION };
}

function isKnown(type: unknown): type is EventType {
  return text(type) && Object.hasOwn(shapes, type);
}

function isEvent(value: unknown, type: EventType): value is Event {
  return shapes[type](value);
}
