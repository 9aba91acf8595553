/**
 * The shape of each journal event. The journal is the truth, so its reader is strict: a known event with a
 * wrong field can't be trusted (rule 4). An unknown event is kept and skipped.
 */
import * as s from '#base/shape.ts';
import { checkGate, definition, frame, measure, viewKind, featuresProof } from './definition.ts';
import { plan } from './plan.ts';
import { usageWindow } from './usage-window.ts';
import { gateResult, checkProof, trend, verdict } from './verdict.ts';
import { treeMark } from './mark.ts';

/**
 * The version of a journal, in its first event; without one it is 1. Raise it when an older Da Capo would
 * misread a newer journal, so that it refuses that journal.
 */
export const JOURNAL_VERSION = 8;
/** Older journals have other names for fields of their events. */
const OLDEST_JOURNAL_VERSION = 8;

/**
 * Who did it: a person in the host's session, in a terminal or on the page, someone who deleted or edited a
 * view (`status`: a view that now says `stopped`), an agent on its own command line or over MCP, or the host.
 */
const actor = s.oneOf('session', 'terminal', 'page', 'view', 'status', 'agent', 'mcp', 'host');
export type Actor = s.Infer<typeof actor>;

/** What a span of work has used. `estimated`: computed from tokens, because the host reports no prices. */
const used = s.record({ costUsd: s.amount, tokens: s.whole, estimated: s.maybe(s.flag) });
export type Used = s.Infer<typeof used>;

const context = s.record({ tokens: s.whole, window: s.orNull(s.whole) });
export type Context = s.Infer<typeof context>;

const prompt = s.orNull(s.text);
const process = s.orNull(s.whole);
/** The machine of that process. Absent in older journals, which knew only one machine. */
const machine = s.maybe(s.text);

/** `file`: a moved file, so nobody knows whose hand it was. `view`: the terminal view. */
const answerActor = s.oneOf('terminal', 'session', 'file', 'view', 'page', 'webhook');
export type AnswerActor = s.Infer<typeof answerActor>;

/** The fields of each event, besides its `type`, which is its name here, and the instant `at`. */
const shapes = {
  created: s.record({
    /** The version of this journal. Absent: 1. */
    version: s.maybe(s.positive),
    id: s.text,
    project: s.text,
    host: s.text,
    definition,
    by: s.record({ actor, session: s.orNull(s.text), prompt }),
  }),
  /** A session takes the loop. `clear` moves it to the new session and leaves it paused. */
  bound: s.record({
    session: s.text,
    process,
    machine,
    prompt,
    how: s.oneOf('command', 'mcp', 'start', 'prompt', 'adopt', 'clear', 'takeover'),
    /** Absent: the host of the loop so far. */
    host: s.maybe(s.text),
  }),
  /**
   * The fresh driver takes the loop for a pass. Void unless it is event `n`: of two drivers at once, the
   * first gets it.
   */
  taken: s.record({
    n: s.positive,
    session: s.text,
    /** Identifies the pass: several may share a session and end with the same words. */
    pass: s.text,
    process: s.whole,
    machine,
    model: s.orNull(s.text),
    /** The host of this pass. Absent: that of the loop so far. */
    host: s.maybe(s.text),
  }),
  /** The host of this pass chose the id of its session itself, and told it. */
  identified: s.record({ pass: s.text, session: s.text }),
  /**
   * The loop continues on another machine, in this project folder. Nothing on the old machine holds it any
   * more.
   */
  moved: s.record({ project: s.text, machine: s.text }),
  /**
   * A prompt that continues the loop: the first after a resume, one from the queue, or a notice of the host.
   */
  prompted: s.record({ prompt }),
  stop: s.record({
    n: s.positive,
    session: s.text,
    prompt,
    words: s.text,
    process: s.whole,
    machine,
    started: s.instant,
    continuedByHook: s.flag,
    registration: s.maybe(s.text),
  }),
  verdict: s.record({
    n: s.positive,
    verdict,
    proofs: s.list(checkProof),
    gateResults: s.list(gateResult),
    features: s.orNull(featuresProof),
    cap: s.orNull(s.whole),
    toolUsed: s.flag,
    /** Absent: true. */
    toolResetsCap: s.maybe(s.flag),
    queue: s.record({ offset: s.whole, waiting: s.whole }),
    /** Since the previous stop; null if not counted. */
    used: s.orNull(used),
    context: s.orNull(context),
    tree: s.orNull(s.text),
    /** How many stops in a row, including this one, have shown the same result while nothing changed. */
    stalls: s.whole,
    /** Absent: neither failures nor measures were seen. */
    trend: s.maybe(trend),
    /** The start of the agent's last message, as it came; null: it is empty. */
    preview: s.orNull(s.text),
  }),
  lost: s.record({ n: s.positive, why: s.oneOf('died', 'terminated', 'orphaned') }),
  paused: s.record({ by: actor, why: s.oneOf('command', 'prompt', 'clear') }),
  resumed: s.record({
    by: actor,
    session: s.orNull(s.text),
    process,
    machine,
    prompt,
    iterations: s.orNull(s.positive),
  }),
  interrupted: s.record({
    /**
     * `gone`: the process of its session ended without a word. `reserve`: so much of a window of days is used
     * that only the reserve is left.
     */
    why: s.oneOf('session-end', 'fault', 'gone', 'reserve'),
    detail: s.text,
  }),
  cancelled: s.record({ by: actor, prompt }),
  /** `begin`: a worker of a fleet could not begin it. */
  aborted: s.record({ why: s.oneOf('view', 'journal', 'begin'), detail: s.text, evidence: s.orNull(s.text) }),
  amended: s.record({
    by: actor,
    prompt: s.orNull(s.text),
    iterations: s.orNull(s.either(s.positive, s.oneOf('unlimited'))),
    /** A person adds or removes checks, or changes the promise or the measures. Absent: unchanged. */
    checks: s.maybe(s.record({ add: s.list(checkGate), remove: s.list(s.text) })),
    promise: s.maybe(s.text),
    /** All measures, as they are from now on. */
    measures: s.maybe(s.list(measure)),
  }),
  /** New limits for the whole loop, counted from its beginning. Null: unchanged. */
  bounded: s.record({
    by: actor,
    timeMs: s.orNull(s.positive),
    costUsd: s.orNull(s.amount),
    tokens: s.orNull(s.positive),
  }),
  /**
   * A frame inside the one at work. `prompt`: it was typed in the session, so the agent has already seen it.
   */
  pushed: s.record({
    by: actor,
    prompt,
    frame,
    /** Passes already over when it was imported from another tool's state. */
    passes: s.maybe(s.whole),
  }),
  /**
   * Protected files have changed: how each one changed, and the digest of them all. By a person: the new
   * baseline.
   */
  altered: s.record({ by: s.oneOf('terminal', 'unknown'), files: s.list(s.text), digest: s.text }),
  /** Items left the list of a frame before their turn: how many in all so far, and the first few titles. */
  shortened: s.record({
    by: s.oneOf('terminal', 'unknown'),
    frame: s.positive,
    file: s.text,
    count: s.whole,
    items: s.list(s.text),
  }),
  compacted: s.record({}),
  planned: s.record({ by: actor, plan }),
  /** What the project brings along for the host has changed since the run began, so no pass was started. */
  planted: s.record({
    host: s.text,
    files: s.list(s.text),
    /** What each of these files holds, so that a person can agree to exactly this; null: it can't be read. */
    digests: s.maybe(s.list(s.orNull(s.text))),
  }),
  /** A pass failed through no fault of the agent. `until`: when it is retried; null: never. */
  faulted: s.record({
    fault: s.oneOf('transient', 'limit', 'crashed', 'fatal', 'timed-out', 'silent'),
    detail: s.text,
    attempt: s.positive,
    until: s.orNull(s.instant),
    evidence: s.orNull(s.text),
    used: s.orNull(used),
    /** How a person gets a valid account of that host, as part of a sentence. */
    login: s.maybe(s.text),
  }),
  /**
   * Nothing runs until then: the pause between two passes, the limit of passes per hour, a usage limit that
   * an earlier run has met, or the next look at a check that said "not yet".
   */
  held: s.record({
    for: s.oneOf('pause', 'rate', 'circuit', 'limit', 'check'),
    until: s.instant,
    /** Of a limit that is the loop's own: the window that has reached the reserve, in percent. */
    reserve: s.maybe(s.record({ minutes: s.positive, usedPercent: s.amount, percent: s.positive })),
  }),
  /** What the host told in a pass about the windows of its account. Only a loop with a reserve keeps it. */
  metered: s.record({ host: s.text, windows: s.list(usageWindow) }),
  /** A pass was aborted: none of it is judged, but its cost counts. */
  spent: s.record({ used }),
  /**
   * The driver stood still for this long: the machine slept, or the process was suspended. That is not
   * working time.
   */
  slept: s.record({ ms: s.positive }),
  /** A point to which the work can be returned, recorded after an iteration. */
  recorded: s.record({
    iteration: s.whole,
    /** The checked-out commit if the loop commits; otherwise the tree in the loop's own store. */
    commit: s.text,
    onBranch: s.flag,
  }),
  /** A session that was let through at stop n is woken. The first line for n wins, so it is woken once. */
  woken: s.record({ n: s.positive, process: s.whole, machine }),
  /** The loop has a view in this file, relative to the project. The stack's view may be a topic. */
  viewed: s.record({ kind: viewKind, file: s.text }),
  /** The stop hooks were asked about stop n. `law/proof/stop-hooks.ts` reads the full account. */
  asked: s.record({
    n: s.positive,
    next: s.orNull(s.text),
    /** The work tree when this pass began, and now. */
    since: s.orNull(treeMark),
    mark: s.orNull(treeMark),
    account: s.list(s.isRecord),
  }),
  /** Another agent reviewed the work at stop n. Its cost counts. */
  reviewed: s.record({
    n: s.positive,
    host: s.text,
    model: s.orNull(s.text),
    /** How often it has looked since it last approved, or a person resumed the loop. */
    review: s.positive,
    /**
     * The hash of the prompt, and the content of the work tree that it saw. An approval counts for these
     * alone.
     */
    task: s.text,
    tree: s.orNull(s.text),
    asked: s.text,
    answer: s.oneOf('approved', 'objected', 'unreached'),
    /** What is missing; else why. */
    words: s.list(s.text),
    used: s.orNull(used),
    ms: s.whole,
    evidence: s.text,
  }),
  /** A stop hook gave something to keep, under this name in the loop's `checkpoints/`. */
  checkpointed: s.record({ hook: s.text, phase: s.orNull(s.text), file: s.text }),
  /** The loop asks a person. The first line for an id wins. */
  requested: s.record({
    id: s.text,
    /**
     * `completion`: the gates hold, and a person confirms that the task is done. `acceptance`: the agent says
     * that the gates can't show it, and a person accepts it as done.
     */
    kind: s.oneOf('approval', 'question', 'completion', 'acceptance'),
    /**
     * `tool` and `digest` identify the call that is to be approved; null for other kinds. `text`: for people.
     */
    what: s.record({ tool: s.orNull(s.text), digest: s.orNull(s.text), text: s.text }),
    why: s.text,
    expires: s.instant,
  }),
  /** The first answer in the file wins; `note`: words for the agent, and the answer to a question. */
  answered: s.record({
    id: s.text,
    answer: s.oneOf('approved', 'rejected', 'text'),
    note: s.text,
    by: answerActor,
  }),
  expired: s.record({ id: s.text }),
  /**
   * An approved call is let through. The first line for an id wins, so one approval lets one call through.
   */
  released: s.record({ id: s.text, call: s.text }),
  /** A person's word for the agent, for its next iteration. */
  steered: s.record({ by: s.either(actor, answerActor), words: s.text }),
  /** What a person asked of a loop at work could not be done. */
  refused: s.record({ act: s.text, words: s.text }),
  /** The agent was told these: ids of requests, and of a person's words. */
  told: s.record({ ids: s.list(s.text) }),
  /** A person resumed from a checkpoint. `words`: for the agent. */
  restored: s.record({ by: actor, file: s.text, words: s.text }),
  /**
   * The agent said by a tool that it is done, blocked or can't be verified. It counts at its next stop, as
   * the tag would.
   */
  said: s.record({ what: s.oneOf('done', 'blocked', 'unverifiable'), words: s.text }),
  /** What the agent wants its later passes to know. */
  noted: s.record({ words: s.text }),
  /** Its record is being removed: nobody reopens the loop after this. A loop that has not ended stays. */
  pruned: s.record({}),
};

type EventType = keyof typeof shapes;
export type EventOf<K extends EventType> = {
  [T in K]: { readonly type: T; readonly at: string } & s.Infer<(typeof shapes)[T]>;
}[K];
export type Event = EventOf<EventType>;

export type RequestFields = Pick<EventOf<'requested'>, 'kind' | 'what' | 'why'>;
export type RequestKind = RequestFields['kind'];

/** What a line of the journal is. `newer`, `older`: it begins a journal of a version that we can't read. */
export type Read =
  | { readonly is: 'event'; readonly event: Event }
  | { readonly is: 'unknown' | 'broken' }
  | { readonly is: 'newer' | 'older'; readonly why: string };

export function readEvent(value: unknown): Read {
  if (!s.isRecord(value) || !s.text(value['type']) || !s.instant(value['at'])) return { is: 'broken' };
  const { type } = value;
  if (!isKnown(type)) return { is: 'unknown' };
  return (
    (type === 'created' ? refuseVersion(value['version']) : null) ??
    (isEvent(value, type) ? { is: 'event', event: value } : { is: 'broken' })
  );
}

function refuseVersion(version: unknown = 1): Read | null {
  if (!s.positive(version)) return null;
  const has = `the journal has version ${version}, and this Da Capo reads`;
  if (version > JOURNAL_VERSION)
    return { is: 'newer', why: `${has} up to version ${JOURNAL_VERSION}. Update Da Capo.` };
  if (version >= OLDEST_JOURNAL_VERSION) return null;
  const next = 'Use the Da Capo that began the loop, or start the loop again.';
  return { is: 'older', why: `${has} from version ${OLDEST_JOURNAL_VERSION} on. ${next}` };
}

/** A journal begins with this event, and with its version. */
export function firstEvent(created: EventOf<'created'>): EventOf<'created'> {
  return { ...created, version: JOURNAL_VERSION };
}

function isKnown(type: string): type is EventType {
  return Object.hasOwn(shapes, type);
}

function isEvent(value: unknown, type: EventType): value is Event {
  return shapes[type](value);
}
