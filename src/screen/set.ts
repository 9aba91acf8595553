/**
 * How a set is shown: the lines of each loop behind the number of its item. On a terminal these are only the ones that
 * matter, and below them stands a row for each loop at work, with the sum. `--json`: events, each with its loop.
 */
import type { RunEvent, Show } from '../fresh/run-event.ts';
import { sayUsd } from '../core/words/figures.ts';
import { labelForScreen } from './clean-text.ts';
import { viewportOf, type Viewport } from './lines.ts';
import { openJson, type ShowOptions } from './open.ts';
import { openOutlet } from './outlet.ts';
import { openPlain } from './plain.ts';
import { sayWait } from './phrases.ts';
import { begin, step, type ScreenState, type Setting } from './state.ts';
import { canMoveCursor, isAscii, reflows } from './style.ts';
import { part, rowOf } from './watch/row.ts';
import { draw, NOTHING_DRAWN } from './writer.ts';

export type SetShow = Readonly<ReturnType<typeof openSetShow>>;
type LoopOfSet = Readonly<{ n: number; title: string; id: string }>;

const FRAME_MS = 100;

export function openSetShow({ out, as, paint, terminal, now }: ShowOptions, sum: () => string) {
  const json = as === 'json' ? openJson(out) : null;
  const ascii = isAscii(terminal);
  const isLive = as === 'view' && canMoveCursor(terminal);
  const outlet = openOutlet(out);
  const rows = new Map<string, { readonly n: number; readonly title: string; state: ScreenState }>();
  let [drawn, pending, timer] = [NOTHING_DRAWN, [] as string[], null as NodeJS.Timeout | null];

  const block = (viewport: Viewport): string[] => {
    const all = [...rows.values()];
    const atWork = all.filter(({ state }) => !state.hasEnded);
    const total = all.reduce((usd, { state }) => usd + (state.costUsd ?? 0), 0);
    return [
      ...atWork.slice(0, viewport.height - 2).map(({ n, title, state }) => {
        const facts = `  iteration ${state.iteration}  ${sayUsd(state.costUsd ?? 0)}  `;
        return rowOf(
          [part(`${n} `, 'cyan'), part(title, 'bold'), part(facts), part(doing(state), 'dim')],
          viewport,
        );
      }),
      rowOf([part(`${sum()}, ${atWork.length} at work, ${sayUsd(total)}`)], viewport),
    ];
  };
  const paintFrame = (withBlock: boolean): void => {
    const viewport = viewportOf(out, { paint, isAscii: ascii }, now());
    const lines = withBlock ? block(viewport) : [];
    const next = draw(drawn, pending, lines, viewport.width, reflows(terminal));
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
    loop: ({ n, title, id }: LoopOfSet, setting: Setting): Show => {
      if (json !== null) return { ...json, tell: (event) => json.tell({ ...event, loop: id }) };
      const row = { n, title: labelForScreen(title), state: begin(setting) };
      rows.set(id, row);
      const lines = openPlain(setting, {
        out: { write: (text) => write(n, text), once: out.once.bind(out), off: out.off.bind(out) },
        isAscii: ascii,
        isQuiet: as === 'quiet' || isLive,
      });
      const tell = (event: RunEvent): boolean => {
        row.state = step(row.state, event).state;
        if (isLive) soon();
        return lines.tell(event);
      };
      return { ...lines, tell };
    },
    /** For a person; null: about the set as a whole. */
    note: (n: number | null, text: string): void => void write(n, labelForScreen(text)),
    /** For a program. */
    event: (event: Readonly<{ is: string; at: string }>): void => void json?.tell(event),
    close: (): void => {
      if (timer !== null) clearTimeout(timer);
      if (isLive) paintFrame(false);
    },
  };
}

function doing({ wait, checks, tools }: ScreenState): string {
  if (wait !== null) return sayWait(wait, null);
  const one = checks[0] ?? tools.at(-1);
  return one === undefined ? '' : `${one.name} ${one.summary}`;
}
