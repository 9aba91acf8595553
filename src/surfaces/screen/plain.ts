/**
 * Without a terminal: one line per event, with its time, for logs. Quiet: headings, warnings, faults and the
 * ending.
 */
import { failingLines } from '#telling/failing.ts';
import { sayFault } from '#telling/person/fault.ts';
import { plural } from '#law/words/phrases.ts';
import { foldOutput, labelForScreen, toAscii } from './terminal/clean-text.ts';
import type { RunEvent, Show } from '#engine/run-event.ts';
import { openOutlet, type OutletStream } from './terminal/outlet.ts';
import type { Closing } from './entry.ts';
import { initialScreen, step, type Setting, type ScreenState } from './state.ts';
import { sayTotals } from './terminal/scrollback.ts';
import { clip } from './terminal/width.ts';
import { sayCost, sayTokens } from '#law/words/figures.ts';
import { clock, percent, sayWait, took } from './phrases.ts';

export interface PlainOptions {
  readonly out: OutletStream;
  readonly isAscii: boolean;
  readonly isQuiet: boolean;
}

const QUIET: readonly RunEvent['is'][] = ['begins', 'iteration-begins', 'warning', 'fault', 'ends'];
const MAX_LINE_COLUMNS = 1_000;
/** Of a check that failed: what it says went wrong, and how it ended. */
const FAILING_LINES = 6;
const LAST_LINE = { head: 1, tail: 1, line: 500 };

export function openPlain(setting: Setting, { out, isAscii, isQuiet }: PlainOptions): Show {
  let state = initialScreen(setting);
  let usage = '';
  const outlet = openOutlet(out);
  const tell = (event: RunEvent): boolean => {
    if (state.hasEnded) return true;
    const before = state;
    const { state: next, told } = step(state, event);
    state = next;
    const ending = told.map(({ entry }) => (entry.kind === 'ending' ? entry.closing : null)).at(-1) ?? null;
    const words = ending === null ? sayHappening(event, before) : sayClosing(ending);
    // At a further look only what has changed is news, and the wait for the next one.
    const isRepeated = before.isLookingAgain && told.length === 0;
    if (isRepeated || (isQuiet && !isLoud(event))) return !outlet.isBehind();
    // Interim usage is for the live view only, and we do not repeat the same figures.
    if (event.is === 'usage' && (event.isReckoned || usage === words)) return !outlet.isBehind();
    if (event.is === 'usage') usage = words;
    const second = event.at.replace(/\.\d+(?=Z$)/, '');
    const line = `${second} ${clip(words, MAX_LINE_COLUMNS, '…')}`;
    return outlet.write(`${isAscii ? toAscii(line) : line}\n`);
  };
  return { tell, drained: outlet.drained, close: () => undefined };
}

/** Quiet mode also reports waits, which may last for hours. */
function isLoud(event: RunEvent): boolean {
  return QUIET.includes(event.is) || (event.is === 'waits' && event.for !== 'pause');
}

function sayHappening(event: RunEvent, before: ScreenState): string {
  const say = labelForScreen;
  switch (event.is) {
    case 'begins':
      return say(event.text);
    case 'iteration-begins':
      return sayIteration(event);
    case 'says':
      return `says: ${say(event.text)}`;
    case 'tool':
      return `tool ${say(event.name)}${behind(event.summary)}`;
    case 'tool-ended': {
      const tool = before.tools.find(({ id }) => id === event.id);
      const name = tool === undefined ? 'a tool' : `tool ${tool.name}`;
      return event.failed ? `${name} failed${behind(lastLine(event.text))}` : `${name} ok`;
    }
    case 'subagent':
      return `subagent ${say(event.name)}${behind(event.what)}`;
    case 'host-retry':
      return `the host tries again in ${clock(event.inMs)}, attempt ${event.attempt}${behind(event.why)}`;
    case 'checks-begin':
      return `checks begin${behind(event.commands.join('; '))}`;
    case 'check-ended': {
      const { command, passed, measured, ms, tail } = event;
      if (measured) return `measured in ${took(ms)}: ${say(command)}${behind(tail)}`;
      const how = passed === null ? 'says "not yet"' : `${passed ? 'passed' : 'failed'} in ${took(ms)}`;
      return (
        `check ${how}: ` +
        `${say(command)}${passed === false ? behind(failingLines(tail, FAILING_LINES).join(' | ')) : ''}`
      );
    }
    case 'judged': {
      const { verdict, words, missing } = event;
      const open = missing.length === 0 ? '' : `; open: ${missing.map(say).join('; ')}`;
      return `judged ${verdict}${behind(words)}${open}`;
    }
    case 'waits': {
      const until = event.until === null ? null : Date.parse(event.until);
      const left = until === null ? null : until - Date.parse(event.at);
      return sayWait({ for: event.for, until, why: say(event.why) }, left);
    }
    case 'goes-on':
      return say(event.why ?? '') || 'continues';
    case 'usage':
      return sayUsage(event);
    case 'warning':
      return `warning: ${say(event.text)}`;
    case 'committed':
      return `committed ${say(event.sha)}, ${plural(event.files, 'file')}`;
    case 'fault':
      return `${say(sayFault(event.class))}${behind(event.why)}`;
    case 'ends':
      return `ends ${event.status}${behind(event.reason)}`;
  }
}

type EventIs<K extends RunEvent['is']> = Extract<RunEvent, { is: K }>;

function sayIteration({ iteration, iterations, feature, item, model, session }: EventIs<'iteration-begins'>) {
  const say = labelForScreen;
  return [
    `iteration ${iteration}${iterations === null ? '' : ` of ${iterations}`}`,
    ...(item === null ? [] : [say(item)]),
    ...(feature === null ? [] : [`feature ${say(feature)}`]),
    ...(model === null ? [] : [`model ${say(model)}`]),
    `session ${say(session)}`,
  ].join(', ');
}

function sayUsage(event: EventIs<'usage'>): string {
  const { costUsd, tokens, contextTokens: used, contextWindow: room } = event;
  const parts = [
    ...(costUsd === null ? [] : [sayCost({ costUsd, estimated: event.isEstimate })]),
    sayTokens(tokens),
    ...(used === null || room === null || room <= 0 ? [] : [`context ${percent(used / room)}`]),
  ];
  return `usage: ${parts.join(', ')}`;
}

function sayClosing(closing: Closing): string {
  const open = closing.open.length === 0 ? '' : `; still open: ${closing.open.join('; ')}`;
  const next = closing.next === null ? '' : `; next: ${closing.next}`;
  return (
    `ends, ${closing.status}${behind(closing.reason)}; ` +
    `${sayTotals(closing).replaceAll(' · ', ', ')}${open}${next}`
  );
}

function behind(text: string): string {
  const words = labelForScreen(text);
  return words === '' ? '' : `: ${words}`;
}

function lastLine(text: string): string {
  const { head, tail } = foldOutput(text, LAST_LINE);
  return tail.at(-1) ?? head.at(-1) ?? '';
}
