/**
 * The live view of a run on a terminal: what has ended scrolls, and a block below it shows the current work.
 */
import { beginAnswer, pressAnswer, type AnswerAct, type Answering } from './answer-keys.ts';
import type { RunEvent } from '#engine/run-event.ts';
import { viewportOf, type Viewport } from './terminal/lines.ts';
import type { Style } from './terminal/style.ts';
import { openOutlet, type OutletStream } from './terminal/outlet.ts';
import { initialScreen, step, type Setting } from './state.ts';
import { entryLines } from './terminal/scrollback.ts';
import { view } from './view.ts';
import type { KeyPress } from './watch/keys.ts';
import { draw, NOTHING_DRAWN } from './terminal/writer.ts';

export interface Terminal extends OutletStream {
  readonly columns?: number;
  readonly rows?: number;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize' | 'drain' | 'close', listener: () => void): unknown;
}

export interface LiveOptions {
  readonly out: Terminal;
  readonly style: Style;
  readonly reflows: boolean;
  readonly now: () => number;
}

export type Live = ReturnType<typeof openLive>;

export function openLive(setting: Setting, options: LiveOptions) {
  let state = initialScreen(setting);
  let answering: Answering | null = null;
  let stopping: string | null = null;
  const block = openBlock(options, (viewport) => view(state, viewport, answering, stopping));
  return {
    drained: block.drained,
    close: block.close,
    /** After SIGCONT the shell has written under our block. */
    afresh: block.afresh,
    tell: (event: RunEvent): boolean => {
      const next = step(state, event);
      state = next.state;
      const isCaughtUp = block.tell(next.told.map((one) => (viewport) => entryLines(one, viewport)));
      if (state.hasEnded) block.close();
      return isCaughtUp;
    },
    /** Null: keys answer nothing now. */
    offer: (request: Answering['request'] | null): void => {
      answering = request === null ? null : beginAnswer(request);
      block.soon();
    },
    /** The run stops soon: these words stay below what it shows. */
    stopping: (words: string): void => {
      stopping = words;
      block.soon();
    },
    press: (key: KeyPress): AnswerAct | null => {
      if (answering === null) return null;
      const { next, act } = pressAnswer(answering, key);
      answering = next;
      block.soon();
      return act;
    },
  };
}

const FRAME_MS = 100;
/** For the clock in the status, and for a countdown. */
const TICK_MS = 1_000;
/**
 * How many entries may wait for the next update. Above that we write at once, or drop them if the terminal is
 * behind.
 */
const MAX_ROWS_PENDING = 500;
const ROWS_DROPPED = 100;

type DrawBlock = (viewport: Viewport) => readonly string[];

/**
 * A block of lines that is redrawn in place below entries that scroll: at most ten updates per second, each
 * in one write.
 */
export function openBlock({ out, style, reflows, now }: LiveOptions, block: DrawBlock) {
  const pending: DrawBlock[] = [];
  let dropped = 0;
  let drawn = NOTHING_DRAWN;
  let lastFrame = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  const outlet = openOutlet(out);

  const paintFrame = (withBlock: boolean): void => {
    const viewport = viewportOf(out, style, now());
    const told = pending.splice(0).flatMap((entry) => entry(viewport));
    const below = { block: withBlock ? block(viewport) : [], width: viewport.width };
    const next = draw(drawn, below, told, reflows);
    drawn = next.drawn;
    lastFrame = viewport.now;
    if (next.bytes !== '' && !outlet.write(next.bytes)) void outlet.drained().then(caughtUp);
  };
  const caughtUp = (): void => {
    if (dropped > 0) pending.unshift(sayDropped(dropped));
    dropped = 0;
    soon();
  };
  const soon = (): void => {
    if (timer !== null || isClosed || outlet.isBehind()) return;
    const paintNext = () => {
      timer = null;
      if (!isClosed && !outlet.isBehind()) paintFrame(true);
    };
    timer = setTimeout(paintNext, untilNextFrame(lastFrame, now())).unref();
  };
  const tick = setInterval(soon, TICK_MS).unref();
  out.on('resize', soon);
  return {
    soon,
    drained: outlet.drained,
    /** False: the terminal is behind. */
    tell: (entries: readonly DrawBlock[]): boolean => {
      if (isClosed) return true;
      pending.push(...entries);
      if (pending.length < MAX_ROWS_PENDING) soon();
      else if (!outlet.isBehind()) paintFrame(true);
      else dropped += pending.splice(0, ROWS_DROPPED).length;
      return !outlet.isBehind();
    },
    /** Draws the block again, below what is on the screen now. */
    afresh: (): void => {
      drawn = NOTHING_DRAWN;
      soon();
    },
    close: (): void => {
      if (isClosed) return;
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      clearInterval(tick);
      out.off('resize', soon);
      paintFrame(false);
    },
  };
}

/** The bound keeps the screen going if the clock is set back. */
function untilNextFrame(lastFrame: number, now: number): number {
  return Math.min(FRAME_MS, Math.max(0, lastFrame + FRAME_MS - now));
}

function sayDropped(count: number): DrawBlock {
  const text = `${count} entries are not shown: the terminal accepted no output in the meantime`;
  const entry = { kind: 'note', mark: 'warning', text } as const;
  return (viewport) => entryLines({ entry, air: true }, viewport);
}
