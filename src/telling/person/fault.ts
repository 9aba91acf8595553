/**
 * What failed through no fault of the agent, a pass or a view: its name for people, and what they can do
 * about it.
 */
import type { Fault } from '#law/loop.ts';
import { oneLine } from '#base/words/sanitize.ts';
import type { Advice } from '../advice.ts';

const FAULTS: Readonly<Record<Fault['fault'], string>> = {
  transient: 'the service failed',
  limit: 'usage limit reached',
  crashed: "the host's process crashed",
  fatal: 'an error that no retry can fix',
  'timed-out': 'the iteration took too long and was ended',
  silent: 'the agent was silent for too long and was ended',
};

/** A newer Da Capo may know more kinds. */
export function sayFault(fault: string): string {
  return Object.entries(FAULTS).find(([known]) => known === fault)?.[1] ?? fault;
}

/**
 * By what the record says: the sign, what is wrong, what to do before resuming. A function, so that bundles
 * drop it.
 */
function knownErrors(id: string, login: string): readonly (readonly [RegExp, string, Advice])[] {
  return [
    [
      /^billing\b|billing_error|credit balance|\b402\b/i,
      'the account has no credit',
      `add credit to the account, or log in with another one${login}`,
    ],
    [
      /^permission\b|permission_error|\b403\b/i,
      'the account may not do this',
      `use an account or a key that may${login}, or another model`,
    ],
    [
      /^auth\b|authentication|oauth|\b401\b|account_on_hold|verification_required|credential/i,
      'the host is not logged in, or its key is not accepted',
      `log in${login}, or set a valid API key`,
    ],
    [
      /^model\b|model_not_found|\b404\b/i,
      'there is no such model, or the account may not use it',
      ['name another model: ', { verb: 'switch-model', loop: id }],
    ],
    [
      /^config\b/i,
      'the host does not start as it is set up',
      'read its message above, and check its settings; dacapo doctor checks them too',
    ],
  ];
}

/** `words`, `login`: as recorded. Null: none of the known kinds. */
export function fatalAdvice(
  { words, login }: { readonly words: string; readonly login?: string | undefined },
  id: string,
) {
  const found = knownErrors(id, login === undefined ? '' : ` (${login})`).find(([sign]) => sign.test(words));
  return found === undefined ? null : { what: found[1], fix: found[2] };
}

/** After the reason, Node adds the call and the file, which may be a temporary one. */
const CALL = /, [a-z]+(?: '[^]*)?$/;
const MAX_REASON_CHARS = 200;

export function sayViewError(what: string, why: unknown): string {
  const reason = oneLine(
    why instanceof Error ? why.message.replace(CALL, '') : String(why),
    MAX_REASON_CHARS,
  );
  return `${oneLine(what, MAX_REASON_CHARS)} can't be written (${reason}); the loop continues without it.`;
}
