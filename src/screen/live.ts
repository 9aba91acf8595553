/** The live view on a terminal: turns the events of a run into screen updates, at most ten per second, each in one write. */
import { beginAnswer, pressAnswer, type AnswerAct, type Answering } from './answer-keys.ts';
import type { RunEvent } from '../fresh/run-event.ts';
import { viewportOf } from './lines.ts';
import type { Style } from './style.ts';
import { openOutlet, type OutletStream } from './outlet.ts';
import type { ScrollbackEntry } from './entry.ts';
import { begin, step, type Setting } from './state.ts';
import { entryLines } from './scrollback.ts';
import { view } from './view.ts';
import type { Key } from './watch/keys.ts';
import { draw, NOTHING_DRAWN } from './writer.ts';

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

const FRAME_MS = 100;
/** For the clock in the status, and for a countdown. */
const TICK_MS = 1_000;
/** How many entries may wait for the next update. Above that we write at once, or drop them if the terminal is behind. */
const MOST_PENDING = 500;
const DROPPED_AT_ONCE = 100;

export function openLive(setting: Setting, { out, style, reflows, now }: LiveOptions) {
  let state = begin(setting);
  let pending: ScrollbackEntry[] = [];
  let dropped = 0;
  let drawn = NOTHING_DRAWN;
  let lastFrame = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  const outlet = openOutlet(out);
  let isClosed = false;
  let answering: Answering | null = null;

  const paintFrame = (withBlock: boolean): void => {
    const viewport = viewportOf(out, style, now());
    const told = pending.flatMap((one) => entryLines(one, viewport));
    pending = [];
    const block = withBlock ? view(state, viewport, answering) : [];
    const next = draw(drawn, told, block, viewport.width, reflows);
    drawn = next.drawn;
    lastFrame = viewport.now;
    if (next.bytes !== '' && !outlet.write(next.bytes)) void outlet.drained().then(caughtUp);
  };
  const caughtUp = (): void => {
    if (dropped > 0)
      pending.unshift(noteOf(`${dropped} entries are not shown: the terminal took nothing meanwhile`));
    dropped = 0;
    soon();
  };
  const soon = (): void => {
    if (timer !== null || isClosed || outlet.isBehind()) return;
    // The bound keeps the screen going if the clock is set back.
    const wait = Math.min(FRAME_MS, Math.max(0, lastFrame + FRAME_MS - now()));
    timer = setTimeout(() => {
      timer = null;
      if (!isClosed && !outlet.isBehind()) paintFrame(true);
    }, wait).unref();
  };
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    if (timer !== null) clearTimeout(timer);
    clearInterval(tick);
    out.off('resize', soon);
    paintFrame(false);
  };
  const tell = (event: RunEvent): boolean => {
    if (isClosed) return true;
    const { state: next, told } = step(state, event);
    state = next;
    pending.push(...told);
    if (state.hasEnded) close();
    else if (pending.length < MOST_PENDING) soon();
    else if (!outlet.isBehind()) paintFrame(true);
    else dropped += pending.splice(0, DROPPED_AT_ONCE).length;
    return !outlet.isBehind();
  };
  /** Redraws the block below the current text: after SIGCONT the shell has written under our block. */
  const afresh = (): void => {
    drawn = NOTHING_DRAWN;
    soon();
  };

  const offer = (request: Answering['request'] | null): void => {
    answering = request === null ? null : beginAnswer(request);
    soon();
  };
  const press = (key: Key): AnswerAct | null => {
    if (answering === null) return null;
    const { next, act } = pressAnswer(answering, key);
    answering = next;
    soon();
    return act;
  };

  const tick = setInterval(soon, TICK_MS).unref();
  out.on('resize', soon);
  return { tell, drained: outlet.drained, close, afresh, offer, press };
}

function noteOf(text: string): ScrollbackEntry {
  return { entry: { kind: 'note', mark: 'warning', text }, air: true };
}
