/** Folds a pass that failed through no fault of the agent. Its cost counts, and the pass may be retried. */
import type { EventOf } from '../record/events.ts';
import { spentWith, type Loop, type Status } from '../loop.ts';

export function faulted(loop: Loop, event: EventOf<'faulted'>): Loop {
  const { at, fault, detail, until } = event;
  const { total, inARow } = loop.run.faults;
  return {
    ...loop,
    run: {
      ...loop.run,
      faults: { total: total + 1, inARow: inARow + 1, last: { at, fault, detail } },
      resetsAt: fault === 'limit' ? until : null,
    },
    spent: spentWith(loop, event.used),
    status: statusAfterFault(loop, fault, detail, until),
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
    // The pass was cut off, and the work it left is judged.
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
