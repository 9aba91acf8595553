/** A pass that came to nothing by no fault of the agent: what it cost is paid all the same, and it is tried again or not. */
import type { EventOf, Used } from '../record/events.ts';
import type { Loop, Status } from '../loop.ts';

export function faulted(loop: Loop, event: EventOf<'faulted'>): Loop {
  const { at, fault, detail, until } = event;
  const { total, inARow } = loop.faults;
  return {
    ...loop,
    faults: { total: total + 1, inARow: inARow + 1, last: { at, fault, detail } },
    resetsAt: fault === 'limit' ? until : null,
    spent: spentWith(loop, event.used),
    status: statusAfterFault(loop, fault, detail, until),
  };
}

export function spentWith({ spent }: Loop, used: Used | null): Loop['spent'] {
  return {
    costUsd: spent.costUsd + (used?.costUsd ?? 0),
    tokens: spent.tokens + (used?.tokens ?? 0),
  };
}

function statusAfterFault(
  { status }: Loop,
  fault: EventOf<'faulted'>['fault'],
  detail: string,
  until: string | null,
): Status {
  switch (fault) {
    case 'fatal':
      return { is: 'escalated', why: { is: 'fatal', words: detail } };
    // The pass was ended, and is judged as it stands.
    case 'timed-out':
    case 'silent':
      return status;
    case 'transient':
    case 'crashed':
    case 'limit':
      if (until === null) return { is: 'interrupted', why: 'fault', detail };
      return { is: 'waiting', for: fault === 'limit' ? 'limit' : 'retry', until };
  }
}
