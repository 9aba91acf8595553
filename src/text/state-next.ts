/** For each state of a loop: what a person who looks at it can do next. */
import type { Loop } from '../core/loop.ts';
import { nextStep } from './next-step.ts';
import { howToAnswer } from './requests.ts';

/** As `dacapo status` prints it. */
export function stateNext(loop: Loop, now: string): string {
  const { id, status } = loop;
  const watch = `dacapo logs -f ${id} watches it`;
  switch (status.is) {
    case 'running':
      return `${watch}; dacapo pause ${id} stops it`;
    case 'waiting':
      if (status.for === 'approval') return `${howToAnswer(loop)}; dacapo cancel ${id} ends it`;
      return status.for === 'limit' || status.for === 'retry'
        ? `dacapo resume ${id} continues it at once; dacapo cancel ${id} ends it`
        : `${watch}; dacapo cancel ${id} ends it`;
    case 'pending':
      return `${begin(loop)}; dacapo cancel ${id} ends it`;
    case 'completed':
      return `nothing is left to do; dacapo explain ${id} shows the proof`;
    case 'paused':
    case 'interrupted':
    case 'exhausted':
    case 'stuck':
    case 'escalated':
    case 'cancelled':
    case 'aborted':
      return nextStep(loop, now) ?? `dacapo explain ${id} tells why`;
  }
}

function begin({ id, driver, owner }: Loop): string {
  if (driver === 'fresh') return `dacapo run --loop ${id} runs it`;
  return owner === null ? `dacapo resume ${id} shows what to type` : 'type anything in its session';
}
