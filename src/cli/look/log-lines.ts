/** Formats the lines of `dacapo logs`: time, iteration, event. Long text wraps inside its own column. */
import type { Event } from '../../core/record/events.ts';
import { fold } from '../../core/fold/index.ts';
import type { Loop } from '../../core/loop.ts';
import type { RunEventBody } from '../../fresh/run-event.ts';
import { labelForScreen } from '../../screen/clean-text.ts';
import { foldOutput } from '../../screen/fold-output.ts';
import { eventBrush } from '../../screen/lines.ts';
import { sayEvent } from '../../text/event.ts';
import { iterationShown } from '../../text/report.ts';
import { clockTime } from '../../text/time.ts';
import { hanging, paint, screenWidth } from '../terminal/terminal.ts';
import type { AgentAct } from '../../live/agent-log.ts';

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
    act: ({ at, what }) => {
      const text = sayAct(what);
      return text === null ? null : line(at, paint.dim('agent'.padEnd(WORD)), text);
    },
  };
}

function sayAct(what: RunEventBody): string | null {
  switch (what.is) {
    case 'says': {
      const { head, hidden, tail } = foldOutput(what.text, SAID);
      const more = hidden === 0 ? [] : [`(${hidden} more lines)`];
      return (
        [...head, ...more, ...tail]
          .map((part) => part.trim())
          .join(' ')
          .trim() || null
      );
    }
    case 'tool':
      return `→ ${labelForScreen(what.name)}  ${labelForScreen(what.summary)}`.trimEnd();
    case 'subagent':
      return `→ subagent ${labelForScreen(what.name)}: ${labelForScreen(what.what)}`;
    case 'tool-ended': {
      if (!what.failed) return null;
      const { head, tail } = foldOutput(what.text, FAILED);
      return `✗ ${[...head, ...tail].join(' ') || 'failed'}`;
    }
    case 'warning':
      return labelForScreen(what.text);
    case 'host-retry':
      return `the host tries again: ${labelForScreen(what.why)}`;
    case 'begins':
    case 'iteration-begins':
    case 'checks-begin':
    case 'check-ended':
    case 'judged':
    case 'waits':
    case 'goes-on':
    case 'usage':
    case 'committed':
    case 'fault':
    case 'ends':
      return null;
  }
}

function paintEvent({ type }: Event): string {
  const word = type.padEnd(WORD);
  const brush = eventBrush(type);
  return brush === null ? word : paint[brush](word);
}
