/** Reads what `dacapo watch` shows of one open loop: its story, its journal, and its agent as it works. */
import { openAgentFeed } from '../../../live/agent-feed.ts';
import { cleanEnds } from '../../../live/clean.ts';
import { evidenceNamed } from '../../../live/evidence.ts';
import { foldStory } from '../../../live/fold-story.ts';
import type { StoryEntry } from '../../../live/story.ts';
import type { ScrollbackEntry } from '../../../screen/entry.ts';
import { begin, step, type Setting } from '../../../screen/state.ts';
import type { JournalLine, OpenedLoop, ProofText } from '../../../screen/watch/state.ts';
import type { Runtime } from '../../../store/runtime.ts';
import { sayEvent, toneOf } from '../../../text/event.ts';

/** More lines than anybody scrolls back. dacapo logs has them all. */
const JOURNAL_KEPT = 3_000;
const AGENT_KEPT = 1_500;
const OUTPUT_SHOWN = 60_000;

const SETTING: Setting = {
  gates: [],
  budgetUsd: null,
  workedMs: 0,
  costUsd: null,
  tokens: 0,
  silenceMs: null,
};

export interface LoopReader {
  /** The same loop with what is new; the same object if nothing is. */
  readonly news: (open: OpenedLoop) => OpenedLoop;
  readonly close: () => void;
}

/** Null: there is no such loop any more, or it can't be read. */
export function readLoop(id: string, runtime: Runtime): LoopReader | null {
  const open = runtime.store.open(id);
  if (open === null) return null;
  const story = foldStory();
  const feed = openAgentFeed(open.look, runtime.store.place(id), runtime.env);
  let from = 0;
  let agentState = begin(SETTING);

  /** One read for both: a long journal takes a while. */
  const journalNews = (): JournalLine[] => {
    if (open.journal.end() === from) return [];
    const { events, upTo } = open.journal.read(from);
    from = upTo;
    for (const event of events) story.add(event);
    return events
      .slice(-JOURNAL_KEPT)
      .map((event) => ({ at: event.at, type: event.type, tone: toneOf(event), says: sayEvent(event) }));
  };
  const agentNews = (): ScrollbackEntry[] =>
    feed.news().flatMap(({ at, what }) => {
      const next = step(agentState, { ...what, at: at ?? runtime.now() });
      agentState = next.state;
      return next.told;
    });
  /** Read when a stop that ran checks is judged, and not again. */
  const proofsNow = (shown: OpenedLoop, all: readonly StoryEntry[]): readonly ProofText[] => {
    const last = all.findLast((entry) => entry.is === 'iteration' && entry.checks.length > 0);
    if (last?.is !== 'iteration' || last.stop === shown.proofs[0]?.stop) return shown.proofs;
    return last.checks.map((check) => ({
      stop: last.stop,
      check,
      output: cleanEnds(
        (check.evidence === null ? null : evidenceNamed(open, check.evidence)?.text) ?? check.tail,
        OUTPUT_SHOWN,
      ),
    }));
  };
  return {
    news: (shown) => {
      const [journal, agent] = [journalNews(), agentNews()];
      const all = story.entries;
      const isWhole = shown.entries.length === Math.min(shown.depth, all.length);
      if (journal.length + agent.length === 0 && isWhole) return shown;
      return {
        ...shown,
        entries: all.slice(-shown.depth),
        total: all.length,
        proofs: proofsNow(shown, all),
        journal: journal.length === 0 ? shown.journal : [...shown.journal, ...journal].slice(-JOURNAL_KEPT),
        agent: agent.length === 0 ? shown.agent : [...shown.agent, ...agent].slice(-AGENT_KEPT),
      };
    },
    close: () => open.close(),
  };
}
