/** Folds events into the entries of a story, one event at a time. It holds one small entry per stop, however long the outputs were. */
import { claimLine } from '../core/gates.ts';
import { fold } from '../core/fold/index.ts';
import { iterationsInAll, topFrame, type Frame, type Loop } from '../core/loop.ts';
import type { Event, EventOf } from '../core/record/events.ts';
import type { CheckProof, Verdict } from '../core/record/verdict.ts';
import { accountOf } from '../core/stop-hooks.ts';
import { sayMissing, sayOutcome } from '../core/words/phrases.ts';
import { headOf } from '../core/words/sanitize.ts';
import { sayAccount, sayEvent, sayVerdict } from '../text/event.ts';
import { lastWords } from '../text/last-words.ts';
import { ruleOf } from '../text/rules.ts';
import { cleanLine } from './clean.ts';
import { evidenceNameOf } from './evidence.ts';
import type { Claim, StoryCheck, StoryEntry, StoryIteration, StoryMoment, StoryVerdict } from './story.ts';

const TAIL = 600;
const WORDS = 300;

export interface StoryFold {
  readonly add: (event: Event) => void;
  readonly entries: readonly StoryEntry[];
  readonly loop: () => Loop | null;
}

interface OpenPass {
  readonly beganAt: string;
  readonly model: string | null;
}

export function foldStory(): StoryFold {
  const entries: StoryEntry[] = [];
  let loop: Loop | null = null;
  let pass: OpenPass | null = null;
  /** Where the iteration of a stop stands among the entries. Only the last few are still open. */
  let open = new Map<number, number>();

  const change = (n: number, with_: (entry: StoryIteration) => Partial<StoryIteration>): void => {
    const at = open.get(n);
    const entry = at === undefined ? undefined : entries[at];
    if (at !== undefined && entry?.is === 'iteration') entries[at] = { ...entry, ...with_(entry) };
  };
  const stops = (event: EventOf<'stop'>, before: Loop, after: Loop): void => {
    // A second delivery of the same stop changes nothing.
    if (after.stops === before.stops) return;
    open = new Map([...open].slice(-2)).set(event.n, entries.length);
    entries.push(iterationAt(entries.length, event, pass, topFrame(before)));
  };
  const judged = (event: EventOf<'verdict'>, before: Loop, after: Loop): void => {
    change(event.n, () => judgedAs(event, before, after));
    pass = { beganAt: event.at, model: pass?.model ?? null };
  };

  const add = (event: Event): void => {
    const before = loop;
    const after = fold(before, event);
    loop = after;
    if (after === null) return;
    if (event.type === 'stop') stops(event, before ?? after, after);
    else if (event.type === 'verdict') judged(event, before ?? after, after);
    else if (event.type === 'asked') change(event.n, () => ({ hooks: accountOf(event).map(sayAccount) }));
    else if (event.type === 'recorded') {
      const last = Math.max(...open.keys());
      change(last, () => ({ commit: { id: event.commit, onBranch: event.onBranch } }));
    } else {
      const moment = momentOf(entries.length, event);
      if (moment !== null) entries.push(moment);
      pass = passAfter(pass, event);
    }
  };
  return { add, entries, loop: () => loop };
}

function passAfter(pass: OpenPass | null, event: Event): OpenPass | null {
  const { type, at } = event;
  if (type === 'taken') return { beganAt: at, model: event.model };
  const begins = type === 'bound' || type === 'resumed' || type === 'prompted';
  return begins ? { beganAt: at, model: pass?.model ?? null } : pass;
}

function iterationAt(
  seq: number,
  event: EventOf<'stop'>,
  pass: OpenPass | null,
  { item }: Frame,
): StoryIteration {
  return {
    is: 'iteration',
    seq,
    stop: event.n,
    iteration: null,
    inAll: null,
    item: item?.title ?? null,
    beganAt: pass?.beganAt ?? event.at,
    stoppedAt: event.at,
    judgedAt: null,
    session: event.session,
    model: pass?.model ?? null,
    claim: 'none',
    said: null,
    checks: [],
    sights: [],
    features: null,
    hooks: [],
    verdict: null,
    toolUsed: false,
    used: null,
    context: null,
    tree: null,
    commit: null,
  };
}

function judgedAs(event: EventOf<'verdict'>, before: Loop, after: Loop): Partial<StoryIteration> {
  const { at, n, verdict, proofs, sights, features, used, context, tree, toolUsed, preview } = event;
  const counts = after.last?.n === n;
  const isOver = counts && iterationsInAll(after) > iterationsInAll(before);
  return {
    judgedAt: at,
    iteration: isOver ? (after.last?.iteration ?? null) : null,
    inAll: isOver ? iterationsInAll(after) : null,
    claim: claimOf(verdict, proofs, topFrame(before)),
    said: preview && lastWords(preview, WORDS),
    checks: proofs.map(checkOf),
    sights: sights.map(({ gate, holds, says }) => ({ gate, holds, says: cleanLine(says, WORDS) })),
    features:
      features?.is === 'read' ? { passing: features.facts.passing, total: features.facts.total } : null,
    verdict: verdictOf(verdict, !counts),
    toolUsed,
    used,
    context,
    tree,
  };
}

function checkOf({ name, command, outcome, ms, evidence }: CheckProof): StoryCheck {
  return {
    name,
    command,
    is: outcome.is,
    says: sayOutcome(outcome),
    ms,
    tail: 'tail' in outcome ? headOf(outcome.tail, TAIL) : '',
    evidence: evidenceNameOf(evidence),
  };
}

function verdictOf(verdict: Verdict, isVoid: boolean): StoryVerdict {
  return {
    is: verdict.is,
    rule: ruleOf(verdict),
    says: sayVerdict(verdict),
    reasons: 'missing' in verdict ? verdict.missing.map((one) => cleanLine(sayMissing(one), WORDS)) : [],
    isVoid,
  };
}

/** The journal names what was missing, so what is not missing was said. */
function claimOf(verdict: Verdict, proofs: readonly CheckProof[], frame: Frame): Claim {
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

/** Null: no news for a reader. The iteration that follows tells it, or it is our own bookkeeping. */
function momentOf(seq: number, event: Exclude<Event, { type: 'stop' | 'verdict' }>): StoryMoment | null {
  const tone = toneOf(event);
  if (tone === null) return null;
  const evidence = 'evidence' in event ? evidenceNameOf(event.evidence) : null;
  return { is: 'moment', seq, at: event.at, type: event.type, says: sayEvent(event), tone, evidence };
}

function toneOf(event: Exclude<Event, { type: 'stop' | 'verdict' }>): StoryMoment['tone'] | null {
  switch (event.type) {
    case 'created':
    case 'bound':
    case 'moved':
    case 'pushed':
    case 'compacted':
    case 'checkpointed':
    case 'restored':
    case 'noted':
    case 'said':
      return 'plain';
    case 'answered':
    case 'steered':
    case 'resumed':
    case 'paused':
    case 'amended':
    case 'bounded':
      return 'person';
    case 'altered':
    case 'shortened':
      return event.by === 'unknown' ? 'warning' : 'person';
    case 'interrupted':
    case 'faulted':
    case 'lost':
    case 'requested':
    case 'expired':
      return 'warning';
    case 'cancelled':
    case 'aborted':
      return 'bad';
    case 'held':
      return event.for === 'pause' ? null : 'plain';
    case 'taken':
    case 'prompted':
    case 'planned':
    case 'spent':
    case 'slept':
    case 'recorded':
    case 'woken':
    case 'told':
    case 'released':
    case 'viewed':
    case 'asked':
      return null;
  }
}
