/**
 * What a terminal shows of a set above the rows of its loops: short lines behind the number of their item.
 * What is the same for all items, such as their limits or a warning, is shown once.
 */
import type { RunEvent } from '#engine/run-event.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { plural } from '#law/words/phrases.ts';
import { sayFault } from '#telling/person/fault.ts';
import { labelForScreen } from './terminal/clean-text.ts';
import type { EntryMark } from './entry.ts';
import { marked, painted, type Viewport } from './terminal/lines.ts';
import { sayWait } from './phrases.ts';
import { sayTotals } from './terminal/scrollback.ts';
import { step, type ScreenState } from './state.ts';

/** A line of an item; `n`: null if it is about the set as a whole. */
export interface ItemLine {
  readonly n: number | null;
  readonly mark: EntryMark | null;
  readonly text: string;
}

/** A line or two: `dacapo explain ID` has all of it. */
const MAX_OPEN_CHARS = 140;

/** Room for the number of an item. */
export const NUMBER_COLUMNS = 3;

export function setLines({ n, mark, text }: ItemLine, viewport: Viewport): string[] {
  const inner = { ...viewport, width: viewport.width - NUMBER_COLUMNS };
  const number = (n === null ? '' : String(n)).padEnd(NUMBER_COLUMNS);
  const blank = ' '.repeat(NUMBER_COLUMNS);
  return marked(mark, text, inner, null).map((line, at) =>
    at === 0 ? `${painted(number, 'cyan', viewport)}${line}` : `${blank}${line}`,
  );
}

/** The line for an event of one loop, if it deserves one. `state`: before the event. */
export function lineFor(n: number, event: RunEvent, state: ScreenState): ItemLine | null {
  const say = (mark: EntryMark | null, text: string): ItemLine => ({ n, mark, text: labelForScreen(text) });
  switch (event.is) {
    case 'begins':
      return say(null, event.text);
    case 'judged': {
      const [open = '', ...more] = event.missing;
      if (event.verdict !== 'continue' || open === '') return null;
      const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
      return say(null, `iteration ${state.iteration}: ${oneLine(open, MAX_OPEN_CHARS)}${others}`);
    }
    case 'warning':
      return say('warning', event.text);
    case 'fault':
      return say('warning', `${sayFault(event.class)}: ${event.why}`);
    case 'waits':
      if (event.for === 'pause') return null;
      return say(null, sayWait({ for: event.for, until: null, why: event.why }, null));
    case 'ends':
      return say(event.status === 'completed' ? 'ok' : 'failed', sayEnd(event, state));
    // Those are in the row of the loop.
    case 'says':
    case 'tool':
    case 'tool-ended':
    case 'subagent':
    case 'host-retry':
    case 'checks-begin':
    case 'check-ended':
    case 'iteration-begins':
    case 'goes-on':
    case 'usage':
    case 'committed':
      return null;
  }
}

function sayEnd(event: Extract<RunEvent, { is: 'ends' }>, state: ScreenState): string {
  const { told } = step(state, event);
  const closing = told.map(({ entry }) => (entry.kind === 'ending' ? entry.closing : null)).at(-1) ?? null;
  if (closing === null) return `${event.status} after ${plural(event.iterations, 'iteration')}`;
  return `${event.status}: ${sayTotals(closing)}`;
}

/** Leaves out what another item has shown already. Only warnings and beginnings are the same for several. */
export function openRepeats() {
  const shown = new Set<string>();
  return (event: RunEvent): boolean => {
    if (event.is !== 'warning' && event.is !== 'begins') return false;
    const key = event.is === 'begins' ? 'begins' : event.text;
    if (shown.has(key)) return true;
    shown.add(key);
    return false;
  };
}
