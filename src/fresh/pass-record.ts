/** What a pass has told so far, folded from its stream one word at a time. Bounded, however long the stream is. */
import type { Denial, Result, StreamEvent, Spent, PassRecord } from '../hosts/stream.ts';
import { NOTHING_SPENT, plus } from './spent.ts';

/** A last message longer than twice this keeps its end: that is where a promise stands. */
const LONGEST_MESSAGE = 1_000_000;
const MOST_DENIED = 20;
/** More than an agent tries in vain between two results. */
const MOST_REFUSED = 200;

export const EMPTY_RECORD: PassRecord = {
  session: null,
  model: null,
  version: null,
  permissionMode: null,
  message: '',
  messageId: null,
  toolUsed: false,
  context: null,
  compactions: 0,
  retries: 0,
  limit: null,
  fault: null,
  result: null,
  refused: [],
  denied: [],
  spent: null,
  reckoned: { before: NOTHING_SPENT, last: null },
  turns: 0,
  noise: null,
};

export function recordEvent(record: PassRecord, event: StreamEvent): PassRecord {
  switch (event.is) {
    case 'init': {
      const { session, model, version, permissionMode } = event;
      // A new turn in the same process: the result before it was not the last.
      return { ...record, session, model, version, permissionMode, result: null };
    }
    case 'text':
      return { ...record, ...spoken(record, event), fault: null };
    case 'tool':
      // Words before a tool call are not the last words.
      return { ...record, toolUsed: true, message: '', messageId: null, fault: null };
    case 'context':
      return {
        ...record,
        context: { tokens: event.tokens, window: event.window ?? record.context?.window ?? null },
      };
    case 'usage':
      return { ...record, reckoned: reckonedWith(record.reckoned, event) };
    case 'compacted':
      return { ...record, compactions: record.compactions + 1 };
    case 'retry':
      return { ...record, retries: record.retries + 1 };
    case 'fallback':
      return { ...record, model: event.model ?? record.model };
    case 'rate-limit':
      return { ...record, limit: event };
    case 'fault':
      return { ...record, fault: event };
    case 'noise':
      return { ...record, noise: event.text };
    case 'result':
      return withResult(record, event);
    case 'refused':
      return { ...record, refused: [...record.refused, event.id].slice(-MOST_REFUSED) };
    case 'subagent':
      return event.event.is === 'refused' || event.event.is === 'usage'
        ? recordEvent(record, event.event)
        : record;
    // A denial is told once more, with its input, in the result.
    case 'denied':
    case 'tool-outcome':
    case 'other':
      return record;
  }
}

function spoken(
  record: PassRecord,
  { message, text }: Extract<StreamEvent, { is: 'text' }>,
): Pick<PassRecord, 'message' | 'messageId'> {
  const same = message !== null && message === record.messageId && record.message !== '';
  const whole = same ? `${record.message}\n${text}` : text;
  // Not at every block: each cut copies a megabyte, and a message may come in thousands.
  const kept = whole.length > 2 * LONGEST_MESSAGE ? whole.slice(-LONGEST_MESSAGE) : whole;
  return { message: kept, messageId: message };
}

function withResult(record: PassRecord, result: Result): PassRecord {
  return {
    ...record,
    result,
    turns: record.turns + result.turns,
    spent: spentWith(record.spent, result),
    // The host's own figure holds all of it.
    reckoned: EMPTY_RECORD.reckoned,
    // The host lists what a hook refused among its own denials; no permission would let that through.
    denied: firstOf([...record.denied, ...result.denied.filter(({ id }) => !record.refused.includes(id))]),
    context:
      record.context === null ? null : { ...record.context, window: result.window ?? record.context.window },
  };
}

/** The totals are the session's, and a resumed session has spent before this pass: what counts is each result's own part. */
function spentWith(before: Spent | null, { since, total }: Result): Spent {
  if (since === null) return total;
  return before === null ? since : plus(before, since);
}

/** A message comes in several lines, one for each block; each tells all that it has used by then. */
function reckonedWith(
  { before, last }: PassRecord['reckoned'],
  { message, spent }: Extract<StreamEvent, { is: 'usage' }>,
): PassRecord['reckoned'] {
  const others = last === null || last.message === message ? before : plus(before, last);
  return { before: others, last: { message, ...spent } };
}

/** What a pass has cost, as far as anyone can tell: where the host had no time to say, what its messages used. */
export function spentBy({ spent, result, reckoned: { before, last } }: PassRecord): Spent | null {
  if (result !== null || last === null) return spent;
  const reckoned = plus(before, last);
  return spent === null ? reckoned : plus(spent, reckoned);
}

/** Each once: an agent that is refused often tries the same again. */
function firstOf(denied: readonly Denial[]): readonly Denial[] {
  const each = new Map(denied.map((denial) => [`${denial.tool} ${denial.summary}`, denial]));
  return [...each.values()].slice(0, MOST_DENIED);
}
