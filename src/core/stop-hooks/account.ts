/**
 * What the stop hooks said at one stop, both in the journal and from the process that ran them, and what it means for
 * the gate. The hook program never reads it: it sees an ordinary sight.
 */
import type { Event, EventOf } from '../record/events.ts';
import { oneLine } from '../words/sanitize.ts';
import { either, isRecord, list, maybe, oneOf, orNull, record, text, whole, type Infer } from '../shape.ts';
import type { GateResult } from '../record/verdict.ts';

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
/** One hook at one stop, in the order in which the hooks were asked. */
export type HookRecord = Infer<typeof oneAccount>;
export type AskedRecord = Extract<HookRecord, { action: string }>;

export const evaluation = record({
  /** The hook that gave the verdict. */
  hook: text,
  action,
  reason: text,
  next: orNull(text),
  metadata: maybe(isRecord),
  account: list(oneAccount),
  /** What the hooks want kept. The agent may get it unchanged. */
  checkpoints: list(record({ hook: text, data: isRecord })),
});
export type HookEvaluation = Infer<typeof evaluation>;

const accounts = list(oneAccount);

/** The account of an `asked` event. Empty if a newer Da Capo wrote something that this one can't read. */
export function accountOf({ account }: Pick<EventOf<'asked'>, 'account'>): readonly HookRecord[] {
  return accounts(account) ? account : [];
}

export function askedAt(events: readonly Event[], n: number): EventOf<'asked'> | null {
  return (
    events.findLast((event): event is EventOf<'asked'> => event.type === 'asked' && event.n === n) ?? null
  );
}

export function wasAsked(account: HookRecord): account is AskedRecord {
  return 'action' in account;
}

const SHOWN = 300;

/**
 * `alone`: the hooks are the only gate, or any one gate is enough. Then it proves nothing if all hooks abstain.
 * Otherwise a hook that only watches (a bound, a checkpoint) blocks nothing.
 */
export function hooksSight(
  { hook, action: said, reason, account }: HookEvaluation,
  alone: boolean,
): GateResult {
  const asked = account.filter(wasAsked);
  const silent = asked.every(({ is }) => is === 'abstained');
  const holds = said === 'complete' || (said === 'continue' && silent && !alone);
  const says = silent
    ? 'no stop hook has an objection, and none says complete'
    : `stop hook ${oneLine(hook, SHOWN)} says ${said}: ${oneLine(reason, SHOWN)}`;
  return { gate: 'hooks', holds, says, trouble: said === 'escalate' ? says : null };
}

/** The hooks could not be asked, so a person has to look. */
export function hooksTrouble(why: string): GateResult {
  return { gate: 'hooks', holds: false, says: why, trouble: why };
}
