/**
 * The story of a loop: its iterations in order, each with what was claimed, what was proven and how it was
 * judged, and what happened between them.
 */
import { claimLine } from '#law/gates.ts';
import { iterationsInAll, type Frame, type Loop } from '#law/loop.ts';
import type { FeaturesProof } from '#law/record/definition.ts';
import type { Event, EventOf } from '#law/record/events.ts';
import type { CheckProof, Verdict } from '#law/record/verdict.ts';
import { accountOf, wasAsked, type HookRecord } from '#law/proof/stop-hooks.ts';
import { sayMissing } from '#law/words/phrases.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
import { headOf } from '#base/words/sanitize.ts';
import { tellEvent, type EventTone } from '../event.ts';
import { lastWords } from '../person/last-words.ts';
import { holdsOf } from '../gate-status.ts';
import { ruleOf } from '../rules.ts';
import { sayAccount, sayVerdict } from '../verdict.ts';
import { cleanLine } from './clean.ts';
import { evidenceNameOf } from './evidence-name.ts';

const MAX_OUTPUT_CHARS = 600;
const MAX_SENTENCE_CHARS = 300;

/**
 * `seq`: the place in the story, from 0. An entry keeps its place; an iteration changes until it is judged.
 */
export type StoryEntry = StoryIteration | StoryMoment;

export function isIteration(entry: StoryEntry): entry is StoryIteration {
  return entry.is === 'iteration';
}

export interface OpenPass {
  readonly beganAt: string;
  readonly model: string | null;
}

export interface StopSoFar {
  readonly seq: number;
  readonly stop: EventOf<'stop'>;
  readonly pass: OpenPass | null;
  readonly frame: Frame;
  readonly judged?: { readonly event: EventOf<'verdict'>; readonly before: Loop; readonly after: Loop };
  readonly asked?: EventOf<'asked'>;
  readonly recorded?: EventOf<'recorded'>;
}

export type StoryIteration = Readonly<ReturnType<typeof iterationOf>>;

export function iterationOf({ seq, stop, pass, frame, judged, asked, recorded }: StopSoFar) {
  const beganAt = pass?.beganAt ?? stop.at;
  return {
    is: 'iteration',
    seq,
    stop: stop.n,
    ms: Date.parse(stop.at) - Date.parse(beganAt),
    item: frame.item?.title ?? null,
    beganAt,
    stoppedAt: stop.at,
    session: stop.session,
    model: pass?.model ?? null,
    hooks: asked === undefined ? [] : accountOf(asked).map(hookAnswer),
    commit: recorded === undefined ? null : { id: recorded.commit, onBranch: recorded.onBranch },
    ...judgementOf(stop.n, judged),
  } as const;
}

function hookAnswer(account: HookRecord) {
  const isOpen = !wasAsked(account) || account.is === 'abstained';
  return { holds: isOpen ? null : account.action === 'complete', says: sayAccount(account) };
}

function judgementOf(n: number, judged: StopSoFar['judged']) {
  const { event = null, before = null, after = null } = judged ?? {};
  const counts = event !== null && after?.last?.n === n;
  const isOver = before !== null && counts && iterationsInAll(after) > iterationsInAll(before);
  const iteration = isOver ? (after?.last?.iteration ?? null) : null;
  const claim = event === null || before === null ? 'none' : claimOf(event, before.frame);
  const [word, tone] = event === null ? UNJUDGED : counts ? standingOf(event.verdict.is, claim) : NOT_COUNTED;
  return {
    /** `Iteration 3`, or `Stop 5` for a stop that ended none. */
    title: iteration === null ? `Stop ${n}` : `Iteration ${iteration}`,
    /** How it was judged, in two words. */
    word,
    tone,
    /** Null: the stop ended no iteration. It was let through, lost, or came after the ending. */
    iteration,
    /** Its number over all frames of the loop together. */
    inAll: isOver && after !== null ? iterationsInAll(after) : null,
    judgedAt: event?.at ?? null,
    claim,
    /** The claim in words that follow "the agent"; null: it only stopped. */
    claimed: CLAIMED[claim],
    /** What the agent said when it stopped, in one line; null: nothing but a tag of ours. */
    said: event?.preview ? lastWords(event.preview, MAX_SENTENCE_CHARS) : null,
    checks: event?.proofs.map(checkOf) ?? [],
    /** What else was looked at: lists, files, stop hooks. */
    gateResults: (event?.gateResults ?? []).map(({ gate, holds, says }) => ({
      gate,
      holds,
      says: cleanLine(says, MAX_SENTENCE_CHARS),
    })),
    features: countOf(event?.features ?? null),
    verdict: event && verdictOf(event.verdict, !counts),
    toolUsed: event?.toolUsed ?? false,
    used: event?.used ?? null,
    context: event?.context ?? null,
    tree: event?.tree ?? null,
  } as const;
}

export function countOf(features: FeaturesProof | null) {
  return features?.is === 'read' ? { passing: features.facts.passing, total: features.facts.total } : null;
}

/** What the agent claimed when it stopped. `item`: it marked an item of the list as passing. */
export type Claim = 'done' | 'item' | 'blocked' | 'asked' | 'stuck' | 'none';

export type StoryCheck = Readonly<ReturnType<typeof checkOf>>;

function checkOf({ name, command, outcome, ms, evidence }: CheckProof) {
  return {
    name,
    command,
    is: outcome.is,
    holds: holdsOf(outcome),
    says: sayOutcome(outcome),
    ms,
    /** The beginning of what failed. The evidence has all of it. */
    tail: 'tail' in outcome ? headOf(outcome.tail, MAX_OUTPUT_CHARS) : '',
    /** A name for `evidenceNamed`; null: nothing was kept. */
    evidence: evidenceNameOf(evidence),
  };
}

/** `isVoid`: the loop was paused or had ended before, so the verdict counts for nothing. */
function verdictOf(verdict: Verdict, isVoid: boolean) {
  return {
    is: verdict.is,
    rule: ruleOf(verdict),
    says: sayVerdict(verdict),
    reasons:
      'missing' in verdict
        ? verdict.missing.map((one) => ({
            gate: one.gate,
            words: cleanLine(sayMissing(one), MAX_SENTENCE_CHARS),
          }))
        : [],
    isVoid,
  };
}

const CLAIMED: Readonly<Record<Claim, string | null>> = {
  done: 'said that it is done',
  item: 'marked an item as passing',
  blocked: 'said that it is blocked',
  asked: 'asked for a person',
  stuck: 'said that it is stuck',
  none: null,
};

type StopStanding = readonly [word: string, tone: EventTone];
const UNJUDGED: StopStanding = ['not judged yet', 'plain'];
const NOT_COUNTED: StopStanding = ['not counted', 'plain'];
/** A claim that a gate contradicted stands out from a pass that only ended. */
const REFUSED: StopStanding = ['claim refused', 'warning'];
const STANDINGS: Readonly<Record<Verdict['is'], StopStanding>> = {
  complete: ['complete', 'good'],
  continue: ['goes on', 'plain'],
  escalate: ['needs a person', 'warning'],
  exhaust: ['limit reached', 'bad'],
  allow: ['waits', 'plain'],
};

function standingOf(verdict: Verdict['is'], claim: Claim): StopStanding {
  return verdict === 'continue' && claim === 'done' ? REFUSED : STANDINGS[verdict];
}

/** The journal names what was missing, so what is not missing was said. */
function claimOf({ verdict, proofs }: EventOf<'verdict'>, frame: Frame): Claim {
  const isAsked = claimLine(frame) !== null;
  if (verdict.is === 'complete') return isAsked ? 'done' : 'none';
  if (verdict.is === 'allow') return 'none';
  if (verdict.is === 'escalate') {
    const { is } = verdict.why;
    if (is === 'blocked' || is === 'asked' || is === 'stuck') return is;
  }
  const lacksPromise = verdict.missing.some(({ gate }) => gate === 'promise' || gate === 'signal');
  if (lacksPromise) return proofs.length > 0 ? 'item' : 'none';
  return isAsked && (proofs.length > 0 || verdict.missing.length > 0) ? 'done' : 'none';
}

export type StoryMoment = NonNullable<ReturnType<typeof momentOf>>;

/** What happened between two iterations. Null: no news for a reader. */
export function momentOf(seq: number, event: Event) {
  const { isNews, ...told } = tellEvent(event);
  return isNews ? ({ is: 'moment', seq, ...told } as const) : null;
}

export interface PageOrder {
  /** Only entries before this place; without it, the last ones. */
  readonly before?: number | undefined;
  readonly from?: number | undefined;
  /** Only entries around this iteration. */
  readonly iteration?: number | undefined;
  readonly most?: number | undefined;
}

const USUAL_PAGE_ENTRIES = 50;
const MAX_PAGE_ENTRIES = 500;

export function pageOf(entries: readonly StoryEntry[], order: PageOrder): readonly StoryEntry[] {
  const { before, from, iteration, most = USUAL_PAGE_ENTRIES } = order;
  const count = Math.min(MAX_PAGE_ENTRIES, Math.max(1, most));
  if (iteration !== undefined) {
    const at = entries.findIndex((entry) => entry.is === 'iteration' && (entry.iteration ?? 0) >= iteration);
    const first = Math.max(0, (at < 0 ? entries.length : at) - Math.floor(count / 2));
    return entries.slice(first, first + count);
  }
  if (from !== undefined) return entries.slice(from, from + count);
  return entries.slice(0, before).slice(-count);
}
