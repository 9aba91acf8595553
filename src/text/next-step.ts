/** What a person can do about a loop that has ended: the last sentence of what is said of it. */
import { isOpen } from '../core/circuit.ts';
import { hasPassesLeft, needsPerson, topFrame, type Loop, type Status } from '../core/loop.ts';

type Limit = Extract<Status, { is: 'exhausted' }>['limit'];

const MORE: Readonly<Record<Exclude<Limit, 'items'>, string>> = {
  iterations: '--max-iterations N',
  time: '--timeout DURATION',
  cost: '--max-cost USD',
  tokens: '--max-tokens N',
};

/** A veto may name the way out itself. */
const TERMINAL_RESUME = 'dacapo resume';

/** It ended because it needs its person, and a word of theirs is enough to go on. */
export function waitsForPerson(loop: Loop): boolean {
  return needsPerson(loop) && hasPassesLeft(topFrame(loop));
}

/** `resume`: how the reader of these words says it. Empty: nothing is left to do, or another sentence tells it. */
export function sayAgain(loop: Loop, resume: string): string {
  const { status, id } = loop;
  if (status.is === 'exhausted') {
    if (status.limit === 'items') return '';
    if (status.limit === 'iterations' && hasPassesLeft(topFrame(loop)))
      return `\`dacapo resume ${id}\` goes on.`;
    return more(id, status.limit);
  }
  if (status.is !== 'escalated' && status.is !== 'stuck') return '';
  if (!hasPassesLeft(topFrame(loop))) return more(id, 'iterations');
  if (isOpen(loop))
    return `It may be waiting for you: read its last message. ${resume} lets it try once more.`;
  if (status.is === 'stuck') return `\`dacapo resume ${id}\` goes on.`;
  if (status.why.is === 'vetoed' && status.why.why.includes(TERMINAL_RESUME)) return '';
  if (status.why.is !== 'undone') return `When that is settled, ${resume} goes on.`;
  return status.why.items > 0 ? `${resume} gives what is undone another turn.` : '';
}

function more(id: string, limit: keyof typeof MORE): string {
  return `\`dacapo resume ${id} ${MORE[limit]}\` gives it more.`;
}
