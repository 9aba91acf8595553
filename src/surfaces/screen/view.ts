/** The block below the scrollback, redrawn in place: the current work, and one or two lines of status. */
import { answerRow, type Answering } from './answer-keys.ts';
import type { GateSeen } from '#engine/run-event.ts';
import {
  clipped,
  MARGIN_COLUMNS,
  painted,
  roomOf,
  row,
  terminalText,
  workRow,
  type Brush,
  type Viewport,
} from './terminal/lines.ts';
import { paintMark } from './terminal/style.ts';
import { markOfHolding, workedAt, type AtWork, type ScreenState } from './state.ts';
import { clip, widthOf } from './terminal/width.ts';
import { isCostKnown, sayCost, sayCount } from '#law/words/figures.ts';
import { clock, percent, sayWait } from './phrases.ts';

const MAX_AT_WORK_ROWS = 3;
const MAX_AT_WORK_ROWS_LOW = 1;
/** A window with fewer lines shows less of the current work, to leave room for the agent's text. */
const LOW_SCREEN_ROWS = 16;
/** A model thinks for this long, now and then. */
const SILENT_MS = 60_000;
const SLOW_MS = 3_000;
const NEARLY_FULL_SHARE = 0.8;
const GATES = 'gates ';
const BESIDE = '   ';
const GATE_WIDTHS = [40, 24, 16, 10];

/** `stopping`: a person asked for that, in words. It stays in sight while the agent fills the scrollback. */
export function view(
  state: ScreenState,
  viewport: Viewport,
  answering: Answering | null = null,
  stopping: string | null = null,
): string[] {
  if (state.hasEnded) return [];
  const work = workRows(state, viewport);
  const above = work.length === 0 || state.lastKind === null || state.lastKind === 'work' ? [] : [''];
  const air = state.lastKind === null && work.length === 0 ? [] : [''];
  const first = state.iteration === 0 ? [] : [statusRow(state, viewport)];
  const keys = answering === null ? [] : [answerRow(answering, viewport)];
  const halt = stopping === null ? [] : [row('warning', stopping, viewport, 'yellow')];
  const status = [...first, ...secondRow(state, viewport), ...halt, ...keys];
  const block = [...above, ...work, ...(status.length === 0 ? [] : air), ...status];
  // Leave one line of the window for the scrollback.
  return block.slice(-Math.max(1, viewport.height - 1));
}

function workRows({ tools, checks }: ScreenState, viewport: Viewport): string[] {
  const all = [
    ...tools.map((one) => ({ one, runs: true })),
    ...checks.map((one, n) => ({ one, runs: n === 0 })),
  ];
  const most = viewport.height < LOW_SCREEN_ROWS ? MAX_AT_WORK_ROWS_LOW : MAX_AT_WORK_ROWS;
  const rows = all
    .slice(0, most)
    .map(({ one, runs }) => workRow('open', one, runs ? since(one, viewport) : '', viewport));
  const more = all.length - rows.length;
  return more > 0 ? [...rows, row(null, `and ${more} more`, viewport, 'dim')] : rows;
}

function since(work: AtWork, { now }: Viewport): string {
  return now - work.since < SLOW_MS ? '' : clock(now - work.since);
}

/** `weight`: where room is short, the part with the lowest weight is dropped first. */
interface Part {
  readonly text: string;
  readonly short: string;
  readonly weight: number;
  readonly brush: Brush;
}

function statusRow(state: ScreenState, viewport: Viewport): string {
  const { iteration, iterations, costUsd, estimated, budgetUsd, tokens, context } = state;
  const worked = clock(workedAt(state, viewport.now));
  const numbered = iterations === null ? String(iteration) : `${iteration}/${iterations}`;
  const parts: Part[] = [
    { text: `iteration ${numbered}`, short: numbered, weight: 5, brush: 'bold' },
    { text: worked, short: worked, weight: 4, brush: 'dim' },
  ];
  const cost = { costUsd: costUsd ?? 0, estimated };
  if (isCostKnown(cost, budgetUsd)) {
    parts.push({ text: sayCost(cost, budgetUsd), short: sayCost(cost), weight: 3, brush: 'dim' });
  }
  if (tokens > 0)
    parts.push({ text: `${sayCount(tokens)} tokens`, short: sayCount(tokens), weight: 1, brush: 'dim' });
  if (context !== null) {
    const brush = context >= NEARLY_FULL_SHARE ? 'yellow' : 'dim';
    parts.push({ text: `context ${percent(context)}`, short: percent(context), weight: 2, brush });
  }
  return ' '.repeat(MARGIN_COLUMNS) + fit(parts, viewport);
}

function fit(parts: readonly Part[], viewport: Viewport): string {
  const room = roomOf(viewport);
  const between = terminalText(' · ', viewport);
  const joined = (all: readonly Part[]) => all.map(({ text }) => text).join(between);
  let kept = parts;
  if (widthOf(joined(kept)) > room) kept = parts.map((part) => ({ ...part, text: part.short }));
  while (kept.length > 1 && widthOf(joined(kept)) > room) {
    const least = Math.min(...kept.map(({ weight }) => weight));
    kept = kept.filter(({ weight }) => weight !== least);
  }
  return kept
    .map(({ text, brush }) => painted(clip(text, room, ''), brush, viewport))
    .join(painted(between, 'dim', viewport));
}

/** What is waited for comes first, and the gates then stand as a count. */
function secondRow(state: ScreenState, viewport: Viewport): string[] {
  const { wait, gates } = state;
  const margin = ' '.repeat(MARGIN_COLUMNS);
  const still =
    wait === null
      ? saySilence(state, viewport.now)
      : sayWait(wait, wait.until === null ? null : wait.until - viewport.now);
  if (still === null)
    return gates.length === 0 || state.iteration === 0 ? [] : [margin + gateLine(gates, viewport)];
  const [counted, width] = gateCounts(gates, viewport);
  const words = clipped(still, roomOf(viewport), viewport);
  const told = margin + painted(words, wait?.for === 'pause' ? 'dim' : 'yellow', viewport);
  const isRoom = width > 0 && widthOf(words) + BESIDE.length + width <= roomOf(viewport);
  return [isRoom ? `${told}${BESIDE}${counted}` : told];
}

function saySilence({ silentSince, silenceMs }: ScreenState, now: number): string | null {
  const silent = silentSince === null ? 0 : now - silentSince;
  // Where silence ends a pass sooner than that, a person still wants to see it coming.
  if (silent < Math.min(SILENT_MS, (silenceMs ?? Infinity) / 2)) return null;
  return `nothing heard for ${clock(silent)}${silenceMs === null ? '' : ` of ${clock(silenceMs)}`}`;
}

function gateLine(gates: readonly GateSeen[], viewport: Viewport): string {
  for (const most of GATE_WIDTHS) {
    const labels = gates.map((gate) => clipped(labelOf(gate), most, viewport));
    if (labels.reduce((sum, label) => sum + widthOf(label) + 5, -3) > roomOf(viewport)) continue;
    return gates
      .map(
        (gate, n) =>
          `${paintMark(markOfHolding(gate.holds), viewport.style)} ${painted(labels[n] ?? '', 'dim', viewport)}`,
      )
      .join('   ');
  }
  return gateCounts(gates, viewport)[0];
}

/** gates ✓ 2  ✗ 1, and its width. */
function gateCounts(gates: readonly GateSeen[], viewport: Viewport): [text: string, width: number] {
  const counts = (['ok', 'failed', 'open'] as const)
    .map((mark) => [mark, gates.filter((gate) => markOfHolding(gate.holds) === mark).length] as const)
    .filter(([, many]) => many > 0);
  const text = counts.map(([mark, many]) => `${paintMark(mark, viewport.style)} ${many}`).join('  ');
  const width = counts.reduce((sum, [, many]) => sum + String(many).length + 4, -2);
  if (counts.length === 0) return ['', 0];
  // Without the word the marks say little, but where there is no room they are all there is.
  return width + GATES.length > roomOf(viewport)
    ? [text, width]
    : [`${painted(GATES, 'dim', viewport)}${text}`, width + GATES.length];
}

/** A check is shown by its command, other gates by their kind, which is shorter. */
function labelOf({ gate, wanted }: GateSeen): string {
  return gate === 'check' ? wanted : gate;
}
