/**
 * How a set is shown: lines behind the number of their item, and on a terminal a row for each loop at work
 * below them.
 */
import type { RunEvent, Show } from '#engine/run-event.ts';
import { isCostKnown, sayCost } from '#law/words/figures.ts';
import { labelForScreen } from './terminal/clean-text.ts';
import { cell, type Viewport, part, rowOf } from './terminal/lines.ts';
import { eventWithNearPaths, openJson, type ShowOptions } from './open.ts';
import { openBlock } from './live.ts';
import { openPlain } from './plain.ts';
import { sayWait } from './phrases.ts';
import { lineFor, NUMBER_COLUMNS, openRepeats, setLines, type ItemLine } from './set-lines.ts';
import { initialScreen, step, type ScreenState, type Setting } from './state.ts';
import { widthOf } from './terminal/width.ts';
import { canMoveCursor, isAscii, reflows } from './terminal/style.ts';

export type SetShow = Readonly<ReturnType<typeof openSetShow>>;
type LoopOfSet = Readonly<{ n: number; title: string; id: string }>;

export function openSetShow({ out, as, paint, terminal, now }: ShowOptions, sum: () => string) {
  const json = as === 'json' ? openJson(out) : null;
  const ascii = isAscii(terminal);
  const rows = new Map<string, LoopRow>();
  const rowsNow = (viewport: Viewport): string[] => setRows([...rows.values()], sum(), viewport);
  const look = { out, style: { paint, isAscii: ascii }, reflows: reflows(terminal), now };
  const block = as === 'view' && canMoveCursor(terminal) ? openBlock(look, rowsNow) : null;
  const isRepeated = openRepeats();
  const write = (n: number | null, text: string): boolean => {
    const lines = text.replace(/\n$/, '').split('\n');
    return out.write(lines.map((line) => `${n === null ? '' : `[${n}] `}${line}\n`).join(''));
  };
  // A terminal that blocks must not hold up the agents.
  const show = (line: ItemLine): void => void block?.tell([(viewport) => setLines(line, viewport)]);
  return {
    loop: ({ n, title, id }: LoopOfSet, setting: Setting): Show => {
      if (json !== null) return { ...json, tell: (event) => json.tell({ ...event, loop: id }) };
      const row = { n, title: labelForScreen(title), state: initialScreen(setting) };
      rows.set(id, row);
      const lines = openPlain(setting, {
        out: { write: (text) => write(n, text), once: out.once.bind(out), off: out.off.bind(out) },
        isAscii: ascii,
        isQuiet: as === 'quiet',
      });
      const tell = (told: RunEvent): boolean => {
        const { folder } = setting;
        const event = folder === undefined ? told : eventWithNearPaths(told, folder);
        const before = row.state;
        row.state = step(before, event).state;
        if (block === null) return lines.tell(event);
        const line = before.hasEnded || isRepeated(event) ? null : lineFor(n, event, before);
        if (line === null) block.soon();
        else show(line);
        return true;
      };
      return { ...lines, tell };
    },
    /** For a person; null: about the set as a whole. */
    note: (n: number | null, text: string): void => {
      const said = labelForScreen(text);
      if (block === null) write(n, said);
      else show({ n, mark: null, text: said });
    },
    /** For a program. */
    event: (event: Readonly<{ is: string; at: string }>): void => void json?.tell(event),
    close: (): void => block?.close(),
  };
}

interface LoopRow {
  readonly n: number;
  readonly title: string;
  state: ScreenState;
}

const TITLE_COLUMNS = 40;
/** "$0.0064", and two columns between it and what follows. */
const COST_COLUMNS = 9;

/** A row for each loop at work, and one for all together. `sum`: how far the set is. */
export function setRows(all: readonly LoopRow[], sum: string, viewport: Viewport): string[] {
  const atWork = all.filter(({ state }) => !state.hasEnded);
  const estimated = all.some(({ state }) => state.estimated === true);
  const total = { costUsd: all.reduce((usd, { state }) => usd + (state.costUsd ?? 0), 0), estimated };
  const titleColumns = Math.min(TITLE_COLUMNS, Math.max(0, ...atWork.map(({ title }) => widthOf(title))));
  return [
    ...atWork.slice(0, viewport.height - 2).map(({ n, title, state }) => {
      const cost = costBehind('', { ...state, costUsd: state.costUsd ?? 0 });
      const parts = [
        cell(String(n), NUMBER_COLUMNS, 'cyan'),
        cell(title, titleColumns, 'bold'),
        part(`  iteration ${state.iteration}  `),
        cell(cost, COST_COLUMNS),
        part(doing(state), 'dim'),
      ];
      return rowOf(parts, viewport);
    }),
    rowOf([part(`${sum}, ${atWork.length} at work${costBehind(', ', total)}`)], viewport),
  ];
}

function costBehind(between: string, cost: Parameters<typeof sayCost>[0]): string {
  return isCostKnown(cost) ? `${between}${sayCost(cost)}` : '';
}

function doing({ wait, checks, tools }: ScreenState): string {
  if (wait !== null) return sayWait(wait, null);
  const one = checks[0] ?? tools.at(-1);
  return one === undefined ? '' : `${one.name} ${one.summary}`;
}
