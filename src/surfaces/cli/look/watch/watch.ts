/** `dacapo watch`: all loops in a terminal, live, with keys to read one, answer it and steer it. */
import { openIndex, type LoopIndex } from '#engine/look/loop-index.ts';
import { watchLoops } from '#engine/look/watch.ts';
import { BLANK, redraw, type FullScreen } from '#surfaces/screen/terminal/writer.ts';
import { viewportOf, type Viewport } from '#surfaces/screen/terminal/lines.ts';
import { openOutlet } from '#surfaces/screen/terminal/outlet.ts';
import { canMoveCursor, isAscii, type TerminalTraits } from '#surfaces/screen/terminal/style.ts';
import { openKeys, type KeyPress } from '#surfaces/screen/watch/keys.ts';
import { openCard, pressKey } from '#surfaces/screen/watch/press.ts';
import {
  beginWatch,
  currentCard,
  withCards,
  type KeyAct,
  type WatchNotice,
  type WatchState,
  type OpenedLoop,
  type ProofText,
} from '#surfaces/screen/watch/state.ts';
import { keptPlace, pageHeight, watchView } from '#surfaces/screen/watch/view.ts';
import type { Runtime } from '#store/runtime.ts';
import { failUnreadable, pickNewest, projectRoot } from '#surfaces/cli/context.ts';
import { EXIT, paint, failUsage } from '#surfaces/cli/terminal/terminal.ts';
import { takeTerminal, type FullTerminal } from '#surfaces/cli/terminal/full-terminal.ts';
import { machineActions, type ActionPort } from '#engine/steer/actions.ts';
import { actOn } from './acts.ts';
import { errorMessage } from '#base/shape.ts';
import type { CommandCall, GivenFlags } from '#surfaces/cli/command.ts';
import { openAgentFeed } from '#engine/look/agent-feed.ts';
import { cleanEnds } from '#telling/story/clean.ts';
import { evidenceNamed } from '#engine/look/evidence.ts';
import { foldStory } from '#engine/look/fold-story.ts';
import type { StoryEntry } from '#telling/story/story.ts';
import type { ScrollbackEntry } from '#surfaces/screen/entry.ts';
import { initialScreen, step } from '#surfaces/screen/state.ts';
import { tellEvent, type ToldEvent } from '#telling/event.ts';

/** Clocks tick, owners die, and agents write to files that no watch sees. */
const SCREEN_POLL_MS = 1_000;
const FEED_MS = 400;
const FRAME_MS = 40;

export async function runWatch(
  { id, all, fleet, database }: GivenFlags<'all' | 'fleet', 'id' | 'database'>,
  { runtime }: CommandCall,
): Promise<number> {
  const { stdin, stdout, env, platform } = process;
  const terminal: TerminalTraits = { isTerminal: stdin.isTTY && stdout.isTTY, platform, env };
  if (!canMoveCursor(terminal))
    return failUsage(
      'dacapo watch needs a terminal.',
      'dacapo logs -f prints each event as a line; dacapo status --json is for programs.',
    );
  if (fleet) {
    const { withMirror } = await import('#surfaces/cli/fleet/mirror.ts');
    return withMirror({ database, id }, ({ runtime, actions, id: open, tellTo }) =>
      watchUntilQuit({ root: null, open, terminal, runtime, actions, tellTo }),
    );
  }
  const unreadable = failUnreadable(runtime);
  if (unreadable !== null) return unreadable;
  const picked = id === undefined ? null : pickNewest(id, { verb: 'watch' }, runtime);
  if (typeof picked === 'number') return picked;
  // An id may name a loop of any project.
  const root = all || picked !== null ? null : projectRoot();
  return watchUntilQuit({ root, open: picked?.id ?? null, terminal, runtime, actions: null });
}

async function watchUntilQuit(order: Omit<WatchOrder, 'ended'>): Promise<number> {
  await new Promise<void>((resolve) => openWatch({ ...order, ended: resolve }));
  return EXIT.ok;
}

interface WatchOrder {
  readonly root: string | null;
  readonly open: string | null;
  readonly terminal: TerminalTraits;
  readonly runtime: Runtime;
  readonly actions: ActionPort | null;
  readonly tellTo?: (tell: (text: string) => void) => void;
  readonly ended: () => void;
}

function openWatch({
  root,
  open,
  terminal: traits,
  runtime: given,
  actions,
  tellTo,
  ended,
}: WatchOrder): void {
  const { stdout } = process;
  const style = { paint, isAscii: isAscii(traits) };
  // A message on the screen of the view would destroy it.
  const runtime: Runtime = {
    ...given,
    onViewError: (what) =>
      (state = { ...state, notice: { mark: 'warning', text: `${what} can't be written` } }),
  };
  let state: WatchState = beginWatch(root, actions !== null);
  let index: LoopIndex = openIndex(root, runtime);
  let reader: LoopReader | null = null;
  let drawn: FullScreen = BLANK;
  let frame: NodeJS.Timeout | null = null;
  const over = new AbortController();
  const outlet = openOutlet(stdout);

  const viewport = (): Viewport => {
    const whole = viewportOf(stdout, style, Date.now());
    // An erased line would lose a character in the last column.
    return { ...whole, width: whole.width - 1 };
  };
  const draw = (): void => {
    frame = null;
    if (over.signal.aborted) return;
    // A slow line gets the newest picture when it has taken the last one, and none between.
    if (outlet.isBehind()) return void outlet.drained().then(soon);
    const { width, height } = viewport();
    const now: FullScreen = { lines: watchView(state, viewport()), width, height };
    const bytes = redraw(drawn, now);
    if (bytes !== '') outlet.write(bytes);
    drawn = now;
  };
  const soon = (): void => void (frame ??= setTimeout(draw, FRAME_MS));
  /** A disk that fails for a moment must not end the view. */
  const bravely = (act: () => void) => (): void => {
    try {
      act();
    } catch (error) {
      const text = errorMessage(error);
      state = { ...state, notice: { mark: 'warning', text } };
      soon();
    }
  };
  const look = bravely(() => {
    const { cards, unread } = index.look();
    const wasPending = currentCard(state)?.status === 'pending';
    state = withCards(state, cards, unread.length);
    // The first worker of a fleet makes its loop again.
    if (wasPending && state.open !== null && currentCard(state)?.status !== 'pending')
      openLoop(state.open.id);
    // The loop that is open was removed.
    if (state.open !== null && !cards.some(({ id }) => id === state.open?.id)) close();
    soon();
  });
  const feed = bravely(() => {
    if (reader === null || state.open === null) return;
    const next = reader.news(state.open);
    if (next === state.open) return;
    state = keptPlace(state, { ...state, open: next }, viewport());
    soon();
  });
  const openLoop = (id: string): void => {
    const begun = openCard(state, id);
    state = begun.state;
    for (const wanted of begun.acts) act(wanted);
  };
  const close = (): void => {
    reader?.close();
    reader = null;
    state = { ...state, open: null };
  };
  const quit = (): void => {
    if (over.signal.aborted) return;
    over.abort();
    clearInterval(looking);
    clearInterval(feeding);
    if (frame !== null) clearTimeout(frame);
    reader?.close();
    terminal.leave();
    ended();
  };
  const redrawAll = (): void => {
    drawn = BLANK;
    soon();
  };
  const act = (wanted: KeyAct): void => {
    if ('request' in wanted || ('id' in wanted && wanted.is !== 'open'))
      return void actOn(wanted, actions ?? machineActions(runtime)).then(told, (error: unknown) =>
        told({ mark: 'failed', text: errorMessage(error) }),
      );
    switch (wanted.is) {
      case 'quit':
        return quit();
      case 'suspend':
        return terminal.suspend();
      case 'redraw':
        return redrawAll();
      case 'scope': {
        if (actions !== null) return;
        const everywhere = state.root !== null;
        state = { ...state, root: everywhere ? null : projectRoot(), cards: null };
        index = openIndex(state.root, runtime);
        return look();
      }
      case 'open':
        reader?.close();
        reader = readWatchedLoop(wanted.id, runtime);
        return feed();
      case 'close':
        return close();
      case 'older':
        return feed();
    }
  };
  const told = (notice: WatchNotice): void => {
    state = { ...state, notice };
    look();
  };
  tellTo?.((text) => told({ mark: 'warning', text }));
  const take = (keys: readonly KeyPress[]): void => {
    for (const key of keys) {
      const pressed = pressKey(state, key, pageHeight(state, viewport()));
      state = keptPlace(state, pressed.state, viewport());
      for (const wanted of pressed.acts) act(wanted);
    }
    soon();
  };

  const terminal: FullTerminal = takeTerminal({ bytes: openKeys(take), fresh: redrawAll, end: quit });
  const looking = setInterval(look, SCREEN_POLL_MS);
  const feeding = setInterval(feed, FEED_MS);
  watchLoops(over.signal, runtime, () => {
    look();
    feed();
  });
  draw();
  look();
  if (open !== null) openLoop(open);
}

/** More lines than anybody scrolls back. dacapo logs has them all. */
const MAX_JOURNAL_LINES = 3_000;
const MAX_AGENT_LINES = 1_500;
const MAX_OUTPUT_CHARS = 60_000;

export type LoopReader = NonNullable<ReturnType<typeof readWatchedLoop>>;

export function readWatchedLoop(id: string, runtime: Runtime) {
  const open = runtime.store.open(id);
  if (open === null) return null;
  const story = foldStory();
  const feed = openAgentFeed(open.look, runtime.store.place(id), runtime.env);
  let from = 0;
  let agentState = initialScreen();

  /** One read for both: a long journal takes a while. */
  const journalNews = (): ToldEvent[] => {
    if (open.journal.end() === from) return [];
    const { events, upTo } = open.journal.read(from);
    from = upTo;
    for (const event of events) story.add(event);
    return events.slice(-MAX_JOURNAL_LINES).map(tellEvent);
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
        MAX_OUTPUT_CHARS,
      ),
    }));
  };
  return {
    /** The same loop with what is new; the same object if nothing is. */
    news: (shown: OpenedLoop): OpenedLoop => {
      const [journal, agent] = [journalNews(), agentNews()];
      const all = story.entries;
      const isWhole = shown.entries.length === Math.min(shown.depth, all.length);
      if (journal.length + agent.length === 0 && isWhole) return shown;
      return {
        ...shown,
        entries: all.slice(-shown.depth),
        total: all.length,
        proofs: proofsNow(shown, all),
        journal:
          journal.length === 0 ? shown.journal : [...shown.journal, ...journal].slice(-MAX_JOURNAL_LINES),
        agent: agent.length === 0 ? shown.agent : [...shown.agent, ...agent].slice(-MAX_AGENT_LINES),
      };
    },
    close: () => open.close(),
  };
}
