/** What a pass has told so far, folded from its stream one word at a time. Bounded, however long the stream is. */
import type { Denial, Result, Seen, Spent, Told } from '../hosts/stream.ts';
import { NOTHING_SPENT, plus } from './spent.ts';

/** A last message longer than twice this keeps its end: that is where a promise stands. */
const LONGEST_MESSAGE = 1_000_000;
const MOST_DENIED = 20;
/** More than an agent tries in vain between two results. */
const MOST_REFUSED = 200;

export const NOTHING_TOLD: Told = {
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

export function tell(told: Told, seen: Seen): Told {
  switch (seen.is) {
    case 'init': {
      const { session, model, version, permissionMode } = seen;
      // A new turn in the same process: the result before it was not the last.
      return { ...told, session, model, version, permissionMode, result: null };
    }
    case 'text':
      return { ...told, ...spoken(told, seen), fault: null };
    case 'tool':
      // Words before a tool call are not the last words.
      return { ...told, toolUsed: true, message: '', messageId: null, fault: null };
    case 'context':
      return {
        ...told,
        context: { tokens: seen.tokens, window: seen.window ?? told.context?.window ?? null },
      };
    case 'usage':
      return { ...told, reckoned: reckonedWith(told.reckoned, seen) };
    case 'compacted':
      return { ...told, compactions: told.compactions + 1 };
    case 'retry':
      return { ...told, retries: told.retries + 1 };
    case 'fallback':
      return { ...told, model: seen.model ?? told.model };
    case 'rate-limit':
      return { ...told, limit: seen };
    case 'fault':
      return { ...told, fault: seen };
    case 'noise':
      return { ...told, noise: seen.text };
    case 'result':
      return withResult(told, seen);
    case 'refused':
      return { ...told, refused: [...told.refused, seen.id].slice(-MOST_REFUSED) };
    case 'subagent':
      return seen.seen.is === 'refused' || seen.seen.is === 'usage' ? tell(told, seen.seen) : told;
    // A denial is told once more, with its input, in the result.
    case 'denied':
    case 'tool-outcome':
    case 'other':
      return told;
  }
}

function spoken(
  told: Told,
  { message, text }: Extract<Seen, { is: 'text' }>,
): Pick<Told, 'message' | 'messageId'> {
  const same = message !== null && message === told.messageId && told.message !== '';
  const whole = same ? `${told.message}\n${text}` : text;
  // Not at every block: each cut copies a megabyte, and a message may come in thousands.
  const kept = whole.length > 2 * LONGEST_MESSAGE ? whole.slice(-LONGEST_MESSAGE) : whole;
  return { message: kept, messageId: message };
}

function withResult(told: Told, result: Result): Told {
  return {
    ...told,
    result,
    turns: told.turns + result.turns,
    spent: spentWith(told.spent, result),
    // The host's own figure holds all of it.
    reckoned: NOTHING_TOLD.reckoned,
    // The host lists what a hook refused among its own denials; no permission would let that through.
    denied: firstOf([...told.denied, ...result.denied.filter(({ id }) => !told.refused.includes(id))]),
    context: told.context === null ? null : { ...told.context, window: result.window ?? told.context.window },
  };
}

/** The totals are the session's, and a resumed session has spent before this pass: what counts is each result's own part. */
function spentWith(before: Spent | null, { since, total }: Result): Spent {
  if (since === null) return total;
  return before === null ? since : plus(before, since);
}

/** A message comes in several lines, one for each block; each tells all that it has used by then. */
function reckonedWith(
  { before, last }: Told['reckoned'],
  { message, spent }: Extract<Seen, { is: 'usage' }>,
): Told['reckoned'] {
  const others = last === null || last.message === message ? before : plus(before, last);
  return { before: others, last: { message, ...spent } };
}

/** What a pass has cost, as far as anyone can tell: where the host had no time to say, what its messages used. */
export function spentBy({ spent, result, reckoned: { before, last } }: Told): Spent | null {
  if (result !== null || last === null) return spent;
  const reckoned = plus(before, last);
  return spent === null ? reckoned : plus(spent, reckoned);
}

/** Each once: an agent that is refused often tries the same again. */
function firstOf(denied: readonly Denial[]): readonly Denial[] {
  const each = new Map(denied.map((denial) => [`${denial.tool} ${denial.summary}`, denial]));
  return [...each.values()].slice(0, MOST_DENIED);
}
