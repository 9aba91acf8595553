/**
 * Folds events into the entries of a story, one event at a time. It holds one small entry per stop, however long the
 * outputs were.
 */
import { fold } from '../core/fold/index.ts';
import { iterationsInAll, topFrame, type Frame, type Loop } from '../core/loop.ts';
import type { Event, EventOf } from '../core/record/events.ts';
import { accountOf } from '../core/stop-hooks.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { readPromptText } from '../store/prompts.ts';
import { sayAccount } from '../text/event.ts';
import { lastWords } from '../text/last-words.ts';
import { cleanLine } from './clean.ts';
import {
  checkOf,
  CLAIMED,
  claimOf,
  momentOf,
  NOT_COUNTED,
  pageOf,
  standingOf,
  verdictOf,
  WORDS,
  type PageOrder,
  type StoryEntry,
  type StoryIteration,
} from './story.ts';

interface OpenPass {
  readonly beganAt: string;
  readonly model: string | null;
}

export function foldStory() {
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
  return { add, entries: entries as readonly StoryEntry[] };
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
    title: `Stop ${event.n}`,
    word: 'not judged yet',
    tone: 'plain',
    ms: Date.parse(event.at) - Date.parse(pass?.beganAt ?? event.at),
    iteration: null,
    inAll: null,
    item: item?.title ?? null,
    beganAt: pass?.beganAt ?? event.at,
    stoppedAt: event.at,
    judgedAt: null,
    session: event.session,
    model: pass?.model ?? null,
    claim: 'none',
    claimed: null,
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
  const iteration = isOver ? (after.last?.iteration ?? null) : null;
  const claim = claimOf(verdict, proofs, topFrame(before));
  const [word, tone] = counts ? standingOf(verdict.is, claim) : NOT_COUNTED;
  return {
    judgedAt: at,
    title: iteration === null ? `Stop ${n}` : `Iteration ${iteration}`,
    word,
    tone,
    iteration,
    inAll: isOver ? iterationsInAll(after) : null,
    claim,
    claimed: CLAIMED[claim],
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

export type OpenStory = ReturnType<typeof openStory>;
export type StoryPage = Readonly<ReturnType<OpenStory['page']>>;

/** A second look reads only what was appended since. `open` stays the caller's: close it when the story is no longer needed. */
export function openStory(open: OpenLoop) {
  const story = foldStory();
  let from = 0;
  const look = (): void => {
    if (open.journal.end() === from) return;
    const { events, upTo } = open.journal.read(from);
    from = upTo;
    for (const event of events) story.add(event);
  };
  return {
    page: (order: PageOrder = {}) => {
      look();
      const { id, status } = open.look();
      return { id, status: status.is, entries: pageOf(story.entries, order), total: story.entries.length };
    },
    all: (): readonly StoryEntry[] => {
      look();
      return story.entries;
    },
    /** The prompt of the outermost frame. Empty if it can't be read. */
    asked: (): string => {
      try {
        return readPromptText(open.blobs, open.loop().frames[0].prompt);
      } catch {
        return '';
      }
    },
  };
}
