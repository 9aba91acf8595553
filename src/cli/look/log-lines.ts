/** Formats the lines of `dacapo logs`: time, iteration, event. Long text wraps inside its own column. */
import type { Event } from '../../core/record/events.ts';
import { fold } from '../../core/fold/index.ts';
import type { Loop } from '../../core/loop.ts';
import { labelForScreen } from '../../screen/clean-text.ts';
import { foldOutput } from '../../screen/fold-output.ts';
import { TONE_BRUSHES } from '../../screen/lines.ts';
import { sayEvent, toneOf } from '../../text/event.ts';
import { iterationShown } from '../../text/report.ts';
import { clockTime } from '../../text/time.ts';
import { hanging, paint, screenWidth } from '../terminal/terminal.ts';
import { toldAct, type AgentAct, type ToldAct } from '../../live/agent-log.ts';

/** The log shows only enough of an answer to recognize it. The session has the full text. */
const SAID = { head: 12, tail: 4, line: 2_000 };
const FAILED = { head: 1, tail: 3, line: 400 };
const ITERATION = 3;
const WORD = 11;
const DAY = 10;

export interface LogLines {
  readonly event: (event: Event) => string;
  readonly act: (act: AgentAct) => string | null;
}

/** `isTerminal`: print the date on a line of its own when it changes, which leaves more room for the text. */
export function makeLogLines(isTerminal: boolean): LogLines {
  let loop: Loop | null = null;
  let day = '';
  const line = (at: string | null, word: string, text: string): string => {
    const time = at === null ? '' : clockTime(at);
    const isNewDay = isTerminal && time !== '' && time.slice(0, DAY) !== day;
    if (time !== '') day = time.slice(0, DAY);
    const shown = isTerminal ? time.slice(DAY + 1).padEnd(8) : time.padEnd(19);
    const iteration = loop === null ? '' : String(iterationShown(loop));
    const left = `${paint.dim(shown)}  ${paint.dim(iteration.padStart(ITERATION))}  ${word}  `;
    return [...(isNewDay ? [paint.dim(day)] : []), hanging(left, text, screenWidth())].join('\n');
  };
  return {
    event: (event) => {
      const said = line(event.at, paintEvent(event), sayEvent(event));
      loop = fold(loop, event);
      return said;
    },
    act: (act) => {
      const [told] = toldAct(act);
      return told === undefined ? null : line(act.at, paint.dim('agent'.padEnd(WORD)), sayAct(told));
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

function paintEvent(event: Event): string {
  const word = event.type.padEnd(WORD);
  const brush = event.type === 'verdict' ? 'bold' : TONE_BRUSHES[toneOf(event) ?? 'plain'];
  return brush === null ? word : paint[brush](word);
}
