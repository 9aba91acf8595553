/**
 * How a set is shown: the lines of each loop behind the number of its item. On a terminal these are only the ones that
 * matter, and below them stands a row for each loop at work, with the sum. `--json`: events, each with its loop.
 */
import type { RunEvent, Show } from '../fresh/run-event.ts';
import { sayUsd } from '../core/words/figures.ts';
import { labelForScreen } from './clean-text.ts';
import { openJson, type ShowOptions } from './open.ts';
import { openOutlet } from './outlet.ts';
import { openPlain } from './plain.ts';
import type { Setting } from './state.ts';
import { canMoveCursor, isAscii, reflows } from './style.ts';
import { part, rowOf } from './watch/row.ts';
import { draw, NOTHING_DRAWN } from './writer.ts';

export interface SetShow {
  readonly loop: (
    of: { readonly n: number; readonly title: string; readonly id: string },
    setting: Setting,
  ) => Show;
  /** For a person; null: about the set as a whole. */
  readonly note: (n: number | null, text: string) => void;
  /** For a program. */
  readonly event: (event: { readonly is: string; readonly at: string }) => void;
  /** Ends the block on the terminal. */
  readonly close: () => void;
}

interface Row {
  readonly title: string;
  iteration: string;
  costUsd: number;
  now: string;
  isOver: boolean;
}

const FRAME_MS = 100;

/** `sum`: how many items are merged, for the last row. */
export function openSetShow({ out, as, paint, terminal, now }: ShowOptions, sum: () => string): SetShow {
  const json = as === 'json' ? openJson(out) : null;
  const ascii = isAscii(terminal);
  const isLive = as === 'view' && canMoveCursor(terminal);
  const outlet = openOutlet(out);
  const rows = new Map<string, Row & { readonly n: number }>();
  let [drawn, pending, timer] = [NOTHING_DRAWN, [] as string[], null as NodeJS.Timeout | null];

  const block = (width: number): string[] => {
    const viewport = { now: now(), width, height: out.rows ?? 24, style: { paint, isAscii: ascii } };
    const atWork = [...rows.values()].filter(({ isOver }) => !isOver);
    const total = [...rows.values()].reduce((usd, { costUsd }) => usd + costUsd, 0);
    return [
      ...atWork.map(({ n, title, iteration, costUsd, now: does }) =>
        rowOf(
          [
            part(`${n} `, 'cyan'),
            part(title, 'bold'),
            part(`  ${iteration}  ${sayUsd(costUsd)}  `),
            part(does, 'dim'),
          ],
          viewport,
        ),
      ),
      rowOf([part(`${sum()}, ${atWork.length} at work, ${sayUsd(total)}`)], viewport),
    ];
  };
  const paintFrame = (withBlock: boolean): void => {
    const width = out.columns || 80;
    const next = draw(drawn, pending, withBlock ? block(width) : [], width, reflows(terminal));
    [drawn, pending] = [next.drawn, []];
    if (next.bytes !== '') outlet.write(next.bytes);
  };
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      if (outlet.isBehind()) void outlet.drained().then(soon);
      else paintFrame(true);
    }, FRAME_MS).unref();
  };
  /** Each line behind the number of its item. */
  const write = (n: number | null, text: string): boolean => {
    const lines = text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => (n === null ? line : `[${n}] ${line}`));
    if (!isLive) return outlet.write(lines.map((line) => `${line}\n`).join(''));
    pending.push(...lines);
    soon();
    return true;
  };
  return {
    loop: ({ n, title, id }, setting) => {
      if (json !== null) return { ...json, tell: (event) => json.tell({ ...event, ...{ loop: id } }) };
      const row = {
        n,
        title: labelForScreen(title),
        iteration: '',
        costUsd: setting.costUsd ?? 0,
        now: '',
        isOver: false,
      };
      rows.set(id, row);
      const lines = openPlain(setting, {
        out: { write: (text) => write(n, text), once: out.once.bind(out), off: out.off.bind(out) },
        isAscii: ascii,
        isQuiet: as === 'quiet' || isLive,
      });
      const tell = (event: RunEvent): boolean => {
        follow(row, event);
        if (isLive) soon();
        return lines.tell(event);
      };
      return { ...lines, tell };
    },
    note: (n, text) => void (json === null && write(n, labelForScreen(text))),
    event: (event) => void (json !== null && outlet.write(`${JSON.stringify(event)}\n`)),
    close: () => {
      if (timer !== null) clearTimeout(timer);
      if (isLive) paintFrame(false);
    },
  };
}

function follow(row: Row, event: RunEvent): void {
  switch (event.is) {
    case 'iteration-begins':
      row.iteration = `iteration ${event.iteration}${event.iterations === null ? '' : ` of ${event.iterations}`}`;
      break;
    case 'usage':
      row.costUsd = event.costUsd ?? row.costUsd;
      break;
    case 'ends':
      row.isOver = true;
      break;
    case 'says':
      row.now = labelForScreen(event.text);
      break;
    case 'tool':
      row.now = labelForScreen(`${event.name} ${event.summary}`);
      break;
    case 'checks-begin':
      row.now = labelForScreen(`checks ${event.commands.join(', ')}`);
      break;
    case 'waits':
      row.now = labelForScreen(`waits: ${event.why}`);
      break;
    default:
  }
}
