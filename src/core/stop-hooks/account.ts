/**
 * What the stop hooks said at one stop, as it stands in the journal and as their process tells it; and what that means
 * for the gate. The hook program never reads it: it sees a sight like any other.
 */
import type { Event, EventOf } from '../record/events.ts';
import { oneLine } from '../words/sanitize.ts';
import { either, isRecord, list, oneOf, orNull, record, text, whole, type Infer } from '../shape.ts';
import type { Sight } from '../record/sights.ts';

const action = oneOf('complete', 'continue', 'escalate');

const oneAccount = either(
  record({
    hook: text,
    is: oneOf('answered', 'abstained', 'failed', 'timed-out'),
    action,
    reason: text,
    ms: whole,
  }),
  record({ hook: text, is: oneOf('disabled', 'not-reached') }),
);
/** One hook at one stop, in the order of asking. */
export type HookAccount = Infer<typeof oneAccount>;
export type AskedAccount = Extract<HookAccount, { action: string }>;

export const evaluation = record({
  /** Whose verdict it is. */
  hook: text,
  action,
  reason: text,
  next: orNull(text),
  account: list(oneAccount),
  /** What hooks want kept: the agent may get it as it is. */
  checkpoints: list(record({ hook: text, data: isRecord })),
});
export type HookEvaluation = Infer<typeof evaluation>;

const accounts = list(oneAccount);

/** The account of an `asked` event; empty where a newer Da Capo wrote what this one can't read. */
export function accountOf({ account }: Pick<EventOf<'asked'>, 'account'>): readonly HookAccount[] {
  return accounts(account) ? account : [];
}

export function askedAt(events: readonly Event[], n: number): EventOf<'asked'> | null {
  return (
    events.findLast((event): event is EventOf<'asked'> => event.type === 'asked' && event.n === n) ?? null
  );
}

export function wasAsked(account: HookAccount): account is AskedAccount {
  return 'action' in account;
}

const SHOWN = 300;

/**
 * `alone`: no other gate stands beside the hooks, or any one is enough. Then a silence of all of them proves nothing;
 * otherwise whoever only watches (a bound, a checkpoint) holds nobody up.
 */
export function hooksSight({ hook, action: said, reason, account }: HookEvaluation, alone: boolean): Sight {
  const asked = account.filter(wasAsked);
  const silent = asked.every(({ is }) => is === 'abstained');
  const holds = said === 'complete' || (said === 'continue' && silent && !alone);
  const says = silent
    ? 'no stop hook has an objection, and none says complete'
    : `stop hook ${oneLine(hook, SHOWN)} says ${said}: ${oneLine(reason, SHOWN)}`;
  return { gate: 'hooks', holds, says, trouble: said === 'escalate' ? says : null };
}

/** They could not be asked: a person has to look. */
export function hooksTrouble(why: string): Sight {
  return { gate: 'hooks', holds: false, says: why, trouble: why };
}
