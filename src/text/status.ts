/** Puts the status of a loop into words that follow its name: "completed after 3 iterations: every gate holds". */
import type { Actor } from '../core/record/events.ts';
import { oneLine } from '../core/words/sanitize.ts';
import {
  isToolSession,
  iterationsInAll,
  topFrame,
  type Loop,
  type Status,
  type WaitFor,
  hasPassesLeft,
} from '../core/loop.ts';
import { duration, ofIterations, plural, sayEscalation, sayCheck } from '../core/words/phrases.ts';
import { clockTime } from './time.ts';
import { sayCount, sayUsd } from '../core/words/figures.ts';
import { checksOf, claimLine, featuresOf, hasChoice, hooksOf, movedBaselineOf } from '../core/gates.ts';
import { ANSWERERS } from './commands.ts';

export function sayStatus(loop: Loop): string {
  const spent = used(loop);
  const { status } = loop;
  switch (status.is) {
    case 'pending':
      return sayPending(loop);
    case 'running':
      return `is running, iteration ${ofIterations(loop, topFrame(loop).passes + 1)}`;
    case 'waiting':
      return `is waiting for ${sayWait(status)}, iteration ${ofIterations(loop, topFrame(loop).passes + 1)}`;
    case 'paused':
      return `paused after ${spent}${status.why === 'command' ? ` (${sayActor(status.by)})` : `: ${sayPause(status.why)}`}`;
    case 'interrupted':
      return `interrupted after ${spent}: ${sayInterruption(loop, status)}`;
    case 'completed':
      return `completed after ${spent}: ${sayWhyDone(loop)}${status.unchanged ? ', but nothing was changed' : ''}`;
    case 'exhausted':
      return `stopped: ${sayExhausted(loop, status.limit, spent)}`;
    case 'stuck':
      if (status.limit === 'stagnation') return `stuck after ${spent}: ${status.detail}`;
      return `stopped as stale after ${spent}: nothing happened for more than ${duration(loop.limits.staleMs)}`;
    case 'escalated':
      return `stopped after ${spent} and needs you: ${sayEscalation(status.why)}`;
    case 'cancelled':
      return `cancelled after ${spent} (${sayActor(status.by)})`;
    case 'aborted':
      return `aborted after ${spent}: ${oneLine(status.detail, 300)}${status.evidence === null ? '' : `; what was found is kept in ${status.evidence}`}`;
  }
}

function sayExhausted(
  loop: Loop,
  limit: Extract<Status, { is: 'exhausted' }>['limit'],
  used: string,
): string {
  switch (limit) {
    case 'items':
      return topFrame(loop).items === null
        ? `the agent says that it has done as many issues as it may (${used})`
        : `max items reached (${topFrame(loop).handled.length}, in ${used})`;
    case 'iterations':
      // With iterations left, the agent ended the frame by a signal of its mode.
      return hasPassesLeft(topFrame(loop))
        ? `the agent says that it has used up its iterations (${used})`
        : `max iterations reached (${used})`;
    case 'time':
      return `time limit of ${duration(loop.limits.timeMs ?? 0)} reached after ${used}`;
    case 'cost':
      return `budget of ${sayUsd(loop.limits.costUsd ?? 0)} used up after ${used} (${sayUsd(loop.spent.costUsd)}${loop.driver === 'hook' ? ', estimated from tokens' : ''})`;
    case 'tokens':
      return `budget of ${sayCount(loop.limits.tokens ?? 0)} tokens used up after ${used} (${sayCount(loop.spent.tokens)})`;
  }
}

function sayWait(status: Extract<Status, { is: 'waiting' }>): string {
  if (status.for === 'background') return 'background work';
  return `${WAITS[status.for]}, until ${clockTime(status.until)}`;
}

const WAITS: Readonly<Record<WaitFor, string>> = {
  approval: 'your answer (dacapo approvals)',
  retry: 'the host to recover',
  limit: "the host's usage limit to reset",
  pause: 'the next iteration',
  rate: 'the limit of calls per hour',
  circuit: 'another try, because nothing changed',
};

function sayPending({ session: { owner }, stops, driver }: Loop): string {
  if (driver === 'fresh') return 'is ready and waits for dacapo run';
  if (owner === null) return 'is ready and waits for a prompt';
  return `is ready and ${stops === 0 ? 'begins' : 'continues'} with the next prompt or stop of session ${owner.session}`;
}

function sayPause(why: Exclude<Extract<Status, { is: 'paused' }>['why'], 'command'>): string {
  switch (why) {
    case 'prompt':
      return 'you typed a prompt of your own';
    case 'clear':
      return 'the session was cleared';
    case 'capped':
      return `the host's cap on stops without a tool call ended the turn`;
  }
}

/** Null: the host has a cap of unknown size. */
export function capWords(cap: number | null): string {
  return cap === null ? 'on stops' : `of ${cap} stops`;
}

function sayInterruption(loop: Loop, status: Extract<Status, { is: 'interrupted' }>): string {
  switch (status.why) {
    case 'session-end':
      if (loop.driver === 'fresh') return oneLine(status.detail, 60);
      return `the session ended${sayLeft(status.detail)}`;
    case 'fault':
      return `the host reported an error (${oneLine(status.detail, 160)})`;
    case 'capped':
      return `the host's cap ${capWords(loop.session.cap)} in a row without a tool call ended the turn`;
    case 'gone':
      return loop.driver === 'fresh'
        ? 'the process that ran it is gone'
        : isToolSession(loop.session.owner?.session ?? '')
          ? 'the client that drove it is gone'
          : 'the process of its session is gone';
  }
}

/** Leaves out the host's words for the common ways to quit: the person who quit knows them. */
function sayLeft(reason: string): string {
  return isUsualExit(reason) ? '' : ` (${oneLine(reason, 60)})`;
}

export function isUsualExit(reason: string): boolean {
  return ['', 'prompt_input_exit', 'other'].includes(reason);
}

function sayActor(by: Actor): string {
  switch (by) {
    case 'session':
      return 'from the session';
    case 'terminal':
      return 'from a terminal';
    case 'page':
      return 'from the page';
    case 'view':
      return 'its state file was deleted';
    case 'status':
      return 'its state file says stopped';
    case 'agent':
      return 'by the agent itself, on the command line';
    case 'mcp':
      return 'by the agent itself, over MCP';
    case 'host':
      return 'by the host';
  }
}

function used(loop: Loop): string {
  const { frames } = loop;
  const all = iterationsInAll(loop);
  const own = frames[0].passes;
  if (all === own) return plural(own, 'iteration');
  return frames[0].items === null
    ? `${plural(own, 'iteration')} + ${all - own} in inner tasks`
    : plural(all, 'iteration');
}

/** More checks than these are counted, not named. */
const CHECKS_NAMED = 2;
const NAMED = 120;

function sayWhyDone(loop: Loop): string {
  const asked = loop.people.requests.findLast(({ kind }) => kind === 'completion')?.answer;
  return asked?.is === 'approved' ? `${proof(loop)}, confirmed ${ANSWERERS[asked.by]}` : proof(loop);
}

function proof(loop: Loop): string {
  const frame = topFrame(loop);
  if (frame.items !== null) return 'every item is done';
  if (hasChoice(frame)) return 'one of its gates holds';
  const proven = [...checksPassed(loop), ...listPassed(loop), ...otherGates(loop)];
  const claimed = claimLine(frame) === null ? [] : ['the agent says that it is done'];
  const [last = 'every gate holds', ...others] = [...proven, ...claimed].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}

function checksPassed(loop: Loop): string[] {
  const checks = checksOf(topFrame(loop));
  return checks.length > CHECKS_NAMED
    ? [`all ${checks.length} checks pass`]
    : checks.map((check) => `${sayCheck(check)} passes`);
}

function listPassed(loop: Loop): string[] {
  const gate = featuresOf(topFrame(loop));
  if (gate === null) return [];
  const file = oneLine(gate.file, NAMED);
  const seen = loop.last?.features;
  const count = seen?.is === 'read' ? ` (${seen.facts.total})` : '';
  return [`all items of ${file} pass${count}`];
}

function otherGates(loop: Loop): string[] {
  const frame = topFrame(loop);
  const move = movedBaselineOf(frame);
  return [
    ...(move === null ? [] : [`${oneLine(move.file, NAMED)} is in ${oneLine(move.folder, NAMED)}`]),
    ...(hooksOf(frame) === null ? [] : ['the stop hooks agree']),
  ];
}
