/** Prints the journal of a loop as readable lines, with what the agent did beside it. */
import { fold } from '#law/fold/index.ts';
import type { Loop } from '#law/loop.ts';
import type { Event } from '#law/record/events.ts';
import { toldAct, type AgentAct, type ToldAct } from '#engine/look/agent-log.ts';
import { labelForScreen, foldOutput } from '#surfaces/screen/terminal/clean-text.ts';
import { TONE_BRUSHES } from '#surfaces/screen/terminal/lines.ts';
import { tellEvent, type ToldEvent } from '#telling/event.ts';
import { iterationShown } from '#telling/person/status.ts';
import { clockTime } from '#telling/time.ts';
import { out } from '../terminal/output.ts';
import { hanging, paint, printLines, verbatim } from '../terminal/terminal.ts';

const MAX_TIME = 8.64e15;

/** What the agent of one pass did. `pass`: when it began; null: nobody knows. */
export interface PassActs {
  readonly pass: string | null;
  readonly acts: readonly AgentAct[];
}

/** The journal of one loop, wherever it is kept. */
export interface LoopLog {
  /** What has come since the last call. */
  readonly news: () => { readonly events: readonly Event[]; readonly acts: readonly PassActs[] };
  /** Calls `look` whenever there may be news, until nobody asks for more. */
  readonly follow: (look: () => void) => Promise<void>;
  /** What can't be shown; null: nothing. */
  readonly sayUnread: () => string | null;
  /** The last line, after everything was followed; null: there is none. */
  readonly ending: (() => string) | null;
}

/** `json`: the events alone, as they are. */
export function openLogPrinter(log: LoopLog, json: boolean): () => void {
  const lines = makeLogLines(out.isScreen());
  return () => {
    const { events, acts } = log.news();
    const told = json ? events.map((event) => verbatim(JSON.stringify(event))) : mixed(events, acts, lines);
    if (told.length > 0) printLines(...told);
  };
}

/**
 * Merges both in order of time, but keeps the events in theirs. Acts without a time follow the start of their
 * pass.
 */
function mixed(events: readonly Event[], files: readonly PassActs[], lines: LogLines): string[] {
  let last = 0;
  const told = events.map((event) => {
    last = Math.max(last, Date.parse(event.at));
    return { at: last, line: () => lines.event(event) };
  });
  const acts = files.flatMap(({ pass, acts: all }) =>
    all.map((act) => ({ at: Date.parse(act.at ?? pass ?? '') || MAX_TIME, line: () => lines.act(act) })),
  );
  return [...told, ...acts]
    .toSorted((a, b) => a.at - b.at)
    .map(({ line }) => line())
    .filter((line) => line !== null);
}

/** The log shows only enough of an answer to recognize it. The session has the full text. */
const SAID = { head: 12, tail: 4, line: 2_000 };
const FAILED = { head: 1, tail: 3, line: 400 };
const ITERATION_COLUMNS = 3;
const TYPE_COLUMNS = 11;
const DATE_CHARS = 10;

type LogLines = ReturnType<typeof makeLogLines>;

/** `isTerminal`: print the date on a line of its own when it changes, which leaves more room for the text. */
function makeLogLines(isTerminal: boolean) {
  let loop: Loop | null = null;
  let day = '';
  const line = (at: string | null, word: string, text: string): string => {
    const time = at === null ? '' : clockTime(at);
    const isNewDay = isTerminal && time !== '' && time.slice(0, DATE_CHARS) !== day;
    if (time !== '') day = time.slice(0, DATE_CHARS);
    const shown = isTerminal ? time.slice(DATE_CHARS + 1).padEnd(8) : time.padEnd(19);
    const iteration = loop === null ? '' : String(iterationShown(loop));
    const left = `${paint.dim(shown)}  ${paint.dim(iteration.padStart(ITERATION_COLUMNS))}  ${word}  `;
    return [...(isNewDay ? [paint.dim(day)] : []), hanging(left, text)].join('\n');
  };
  return {
    event: (event: Event): string => {
      const told = tellEvent(event);
      const said = line(event.at, paintType(told), told.says);
      loop = fold(loop, event);
      return said;
    },
    act: (act: AgentAct): string | null => {
      const [told] = toldAct(act);
      return told === undefined ? null : line(act.at, paint.dim('agent'.padEnd(TYPE_COLUMNS)), sayAct(told));
    },
  };
}

function sayAct({ kind, name, text }: ToldAct): string {
  const label = labelForScreen(text);
  if (kind === 'tool') return `→ ${labelForScreen(name)}  ${label}`.trimEnd();
  if (kind === 'subagent') return `→ subagent ${labelForScreen(name)}: ${label}`;
  if (kind === 'warning') return label;
  const { head, hidden, tail } = foldOutput(text, kind === 'says' ? SAID : FAILED);
  const more = hidden === 0 || kind === 'failed' ? [] : [`(${hidden} more lines)`];
  const words = [...head, ...more, ...tail].map((part) => part.trim()).join(' ');
  return kind === 'says' ? words.trim() : `✗ ${words}`;
}

function paintType({ type, tone }: ToldEvent): string {
  const word = type.padEnd(TYPE_COLUMNS);
  const brush = type === 'verdict' ? 'bold' : TONE_BRUSHES[tone];
  return brush === null ? word : paint[brush](word);
}
