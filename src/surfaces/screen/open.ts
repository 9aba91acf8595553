/** Picks how a run is shown: the live view on a terminal, else lines; JSON or quiet lines on request. */
import type { RunEvent, Show } from '#engine/run-event.ts';
import { openLive, type Live, type Terminal } from './live.ts';
import { openOutlet, type OutletStream } from './terminal/outlet.ts';
import { canMoveCursor, isAscii, reflows, type Paint, type TerminalTraits } from './terminal/style.ts';
import { openPlain } from './plain.ts';
import type { Setting } from './state.ts';
import { escapeCharacter, nearPaths } from '#base/words/sanitize.ts';

/** JSON does not escape these, and a terminal would obey them. */
const UNSAFE = /[\u007F-\u009F\u2028\u2029]/g;

export interface ShowOptions {
  readonly out: Terminal;
  readonly as: 'view' | 'quiet' | 'json';
  /** The caller passes one without colours where NO_COLOR is set. */
  readonly paint: Paint;
  readonly terminal: TerminalTraits;
  readonly now: () => number;
}

export function openShow(setting: Setting, { out, as, paint, terminal, now }: ShowOptions): Show | Live {
  if (as === 'json') return openJson(out);
  const ascii = isAscii(terminal);
  if (as === 'quiet' || !canMoveCursor(terminal))
    return showingNearPaths(openPlain(setting, { out, isAscii: ascii, isQuiet: as === 'quiet' }), setting);
  const look = { out, style: { paint, isAscii: ascii }, reflows: reflows(terminal), now };
  return showingNearPaths(openLive(setting, look), setting);
}

function showingNearPaths<S extends Show>(show: S, { folder }: Setting): S {
  return folder === undefined
    ? show
    : { ...show, tell: (event) => show.tell(eventWithNearPaths(event, folder)) };
}

/** What programs print, and the file of a tool call. A command stays as it was given. */
export function eventWithNearPaths(event: RunEvent, folder: string): RunEvent {
  if (event.is === 'tool-ended') return { ...event, text: nearPaths(event.text, folder) };
  if (event.is === 'check-ended') return { ...event, tail: nearPaths(event.tail, folder) };
  if (event.is !== 'tool' || !event.summary.startsWith(`${folder}/`) || /\s/.test(event.summary))
    return event;
  return { ...event, summary: event.summary.slice(folder.length + 1) };
}

/** `--json`: one event per line, unchanged. The names are those of `RunEvent`. */
export function openJson(out: OutletStream) {
  const { write, drained } = openOutlet(out);
  return {
    tell: <E extends { readonly is: string; readonly at: string }>({ is, at, ...rest }: E): boolean =>
      write(`${JSON.stringify({ is, at, ...rest }).replace(UNSAFE, escapeCharacter)}\n`),
    drained,
    close: () => undefined,
  };
}
