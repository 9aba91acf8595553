/** A pass that failed through no fault of the agent: its name for people, and what they can do about it. */
import type { Fault } from '../core/loop.ts';
import { oneLine } from '../core/words/sanitize.ts';

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
  return isKnown(fault) ? FAULTS[fault] : fault;
}

function isKnown(fault: string): fault is Fault['fault'] {
  return Object.hasOwn(FAULTS, fault);
}

export interface FatalAdvice {
  readonly what: string;
  readonly fix: string;
}

/** A function, so that a bundle that does not use it drops all of this. */
function knownErrors(): readonly { readonly sign: RegExp; readonly advice: FatalAdvice }[] {
  return [
    {
      sign: /^billing\b|billing_error|credit balance|\b402\b/i,
      advice: {
        what: 'the account has no credit',
        fix: 'add credit to the account, or log in with another one (start claude, type /login)',
      },
    },
    {
      sign: /^permission\b|permission_error|\b403\b/i,
      advice: {
        what: 'the account may not do this',
        fix: 'use an account or a key that may (start claude, type /login), or another model',
      },
    },
    {
      sign: /^auth\b|authentication|oauth|\b401\b|account_on_hold|verification_required|credential/i,
      advice: {
        what: 'the host is not logged in, or its key is not accepted',
        fix: 'log in (start claude, type /login), or set a valid ANTHROPIC_API_KEY',
      },
    },
    {
      sign: /^model\b|model_not_found|\b404\b/i,
      advice: {
        what: 'there is no such model, or the account may not use it',
        fix: 'name another model: dacapo run --loop ID --model MODEL, or /model in the session',
      },
    },
    {
      sign: /^config\b/i,
      advice: {
        what: 'the host does not start as it is set up',
        fix: 'read its own words above, and look at its settings; dacapo doctor --probe tries it',
      },
    },
  ];
}

/** `detail`: as recorded. Null: none of the known kinds. */
export function fatalAdvice(detail: string, id: string): FatalAdvice | null {
  const found = knownErrors().find(({ sign }) => sign.test(detail))?.advice;
  return found === undefined ? null : { ...found, fix: found.fix.replace(' ID ', ` ${id} `) };
}

/** After the reason, Node adds the call and the file, which may be a temporary one. */
const CALL = /, [a-z]+(?: '[^]*)?$/;
const SHOWN = 200;

export function sayViewError(what: string, why: unknown): string {
  const reason = why instanceof Error ? why.message.replace(CALL, '') : String(why);
  return `${oneLine(what, SHOWN)} can't be written (${oneLine(reason, SHOWN)}); the loop continues without it.`;
}
