/** What the person reads: one line for each turn of events, with the next step where there is one. */
import type { By, Missing, Verdict } from './events.ts';
import { sayFeaturesWarning } from './features.ts';
import { few } from './few.ts';
import { oneLine } from './harmless.ts';
import {
  checksOf,
  featuresOf,
  hasChoice,
  movedBaselineOf,
  promiseOf,
  topFrame,
  type Loop,
  type Status,
} from './loop.ts';
import { sayMovedWarning } from './moved.ts';
import { duration, ofIterations, plural, sayEscalation, sayMissing, sayProtect } from './say.ts';

const MISSING_NAMED = 6;
const CHECKS_NAMED = 10;

/** How the person speaks to Da Capo here: the names under which its commands are known to the host. */
export interface Commands {
  readonly resume: string;
  readonly cancel: string;
}

export const TERMINAL: Commands = { resume: 'dacapo resume', cancel: 'dacapo cancel' };

export function sayStarted(loop: Loop): string {
  const frame = topFrame(loop);
  const promise = promiseOf(frame);
  const features = featuresOf(frame);
  const move = movedBaselineOf(frame);
  const gates = [
    ...(promise === null ? [] : [`<promise>${promise}</promise>`]),
    ...few(checksOf(frame), ({ command }) => `\`${oneLine(command, 80)}\``, CHECKS_NAMED),
    ...(features === null ? [] : [`every item of ${oneLine(features.file, 120)} passes`]),
    ...(move === null ? [] : [`${oneLine(move.file, 120)} is in ${oneLine(move.folder, 120)}`]),
  ];
  const kept = loop.protect.length === 0 ? '' : `, and ${sayProtect(loop.protect)}`;
  const joined = gates.join(frame.require === 'any' ? ' or ' : ' and ');
  const notBefore = frame.atLeast > 1 ? `, not before iteration ${frame.atLeast}` : '';
  const passes =
    frame.iterations === null
      ? 'iterations without limit'
      : `at most ${plural(frame.iterations, 'iteration')}`;
  const time = loop.timeMs === null ? 'no time limit' : `${duration(loop.timeMs)} of work`;
  const started = `Da Capo: loop ${title(loop)} started. Done when: ${joined}${kept}${notBefore}. Bounds: ${passes}, ${time}; money is not bounded.`;
  return [started, ...sayWarnings(loop)].join('\n');
}

/** What the person may have meant otherwise, as it was when the loop was made. */
export function sayWarnings(loop: Loop): string[] {
  const frame = topFrame(loop);
  const features = featuresOf(frame);
  const move = movedBaselineOf(frame);
  const warnings = [
    features === null ? null : sayFeaturesWarning(features.file, features.begun),
    move === null ? null : sayMovedWarning(move),
  ];
  return warnings.filter((warning) => warning !== null).map((warning) => `Note: ${warning}`);
}

export function sayCap(cap: number): string {
  return `This host ends a turn after ${cap} stops in a row without a tool call; \`dacapo init\` or the plugin's option lifts that.`;
}

export function sayContinue(
  loop: Loop,
  verdict: Extract<Verdict, { is: 'continue' }>,
  commands: Commands,
): string {
  const next = ofIterations(loop, topFrame(loop).passes + 1);
  const [first] = verdict.missing;
  const capped = verdict.capped
    ? ` The host's cap of ${loop.cap ?? 8} stops in a row without a tool call may end the turn here: ${commands.resume} then goes on.`
    : '';
  return `Da Capo: iteration ${next}${first === undefined ? '' : `; ${sayOpen(first)}`}.${capped}`;
}

export function sayGoesOn(loop: Loop): string {
  return `Da Capo: loop ${title(loop)} goes on: iteration ${ofIterations(loop, topFrame(loop).passes + 1)}.`;
}

export function sayHold(verdict: Extract<Verdict, { is: 'allow' }>): string {
  return verdict.why === 'queue'
    ? 'Da Capo: what waits in the queue comes first; the loop goes on after it.'
    : 'Da Capo: waiting for background work; no iteration is spent.';
}

/** The one message at an ending: the reason, the iterations used, what was still open. */
export function sayEnded(loop: Loop): string {
  const open = loop.last !== null && 'missing' in loop.last.verdict ? loop.last.verdict.missing : [];
  const stillOpen =
    loop.status.is === 'completed' || open.length === 0
      ? ''
      : ` Still open: ${few(open, sayOpen, MISSING_NAMED).join('; ')}.`;
  return `Da Capo: loop ${title(loop)} ${sayStatus(loop)}.${stillOpen}`;
}

export function sayPaused(loop: Loop, commands: Commands): string {
  return `Da Capo: loop ${title(loop)} is ${sayStatus(loop)}. ${goOnOrCancel(commands)}`;
}

export function goOnOrCancel(commands: Commands): string {
  return `${commands.resume} goes on, ${commands.cancel} ends it.`;
}

export const NO_LOOP = 'No active Ralph loop in this session.';

/** The status in words, to stand after "loop X". */
export function sayStatus(loop: Loop): string {
  const used = plural(topFrame(loop).passes, 'iteration');
  const { status } = loop;
  switch (status.is) {
    case 'pending':
      return sayPending(loop);
    case 'running':
      return `is running, iteration ${ofIterations(loop, topFrame(loop).passes + 1)}`;
    case 'waiting':
      return `is waiting for background work, iteration ${ofIterations(loop, topFrame(loop).passes + 1)}`;
    case 'paused':
      return `paused after ${used}: ${sayPause(status)}`;
    case 'interrupted':
      return `interrupted after ${used}: ${sayInterruption(loop, status)}`;
    case 'completed':
      return `completed after ${used}: ${hasChoice(topFrame(loop)) ? 'one of its gates' : 'every gate'} holds`;
    case 'exhausted':
      return status.limit === 'iterations'
        ? `stopped: max iterations reached (${used})`
        : `stopped: its time of ${duration(loop.timeMs ?? 0)} is used up after ${used}`;
    case 'stuck':
      return `stopped as stale after ${used}: nothing happened for more than ${duration(loop.staleMs)}`;
    case 'escalated':
      return `stopped after ${used} and needs you: ${sayEscalation(status.why)}`;
    case 'cancelled':
      return `cancelled after ${used} (${sayHand(status.by)})`;
    case 'aborted':
      return `aborted after ${used}: ${oneLine(status.detail, 300)}${status.evidence === null ? '' : `; what was found is kept in ${status.evidence}`}`;
  }
}

function sayPending({ owner, stops, driver }: Loop): string {
  if (driver === 'fresh') return 'is ready and waits for dacapo run';
  if (owner === null) return 'is ready and waits for a prompt';
  return `is ready and ${stops === 0 ? 'begins' : 'goes on'} with the next prompt of session ${owner.session}`;
}

function sayPause(status: Extract<Status, { is: 'paused' }>): string {
  switch (status.why) {
    case 'command':
      return sayHand(status.by);
    case 'prompt':
      return 'you typed a prompt of your own';
    case 'clear':
      return 'the session was cleared';
    case 'capped':
      return `the host's cap on stops without a tool call ended the turn`;
  }
}

function sayInterruption(loop: Loop, status: Extract<Status, { is: 'interrupted' }>): string {
  switch (status.why) {
    case 'session-end':
      return `the session ended (${oneLine(status.detail, 60)})`;
    case 'fault':
      return `the host reported an error (${oneLine(status.detail, 160)})`;
    case 'capped':
      return `the host's cap of ${loop.cap ?? 8} stops in a row without a tool call ended the turn`;
    case 'gone':
      return 'the process of its session is gone';
  }
}

function sayHand(by: By): string {
  switch (by) {
    case 'session':
      return 'from the session';
    case 'terminal':
      return 'from a terminal';
    case 'view':
      return 'its state file was deleted';
    case 'agent':
      return 'by the agent itself, on the command line';
    case 'host':
      return 'by the host';
  }
}

/** What a near miss lacked is said to the agent, in full; the person needs to know that it was none. */
export function sayOpen(missing: Missing): string {
  return missing.gate === 'promise' && missing.seen !== null
    ? `the promise <promise>${missing.wanted}</promise> has not been given in the way that counts`
    : sayMissing(missing);
}

export function title(loop: Loop): string {
  return loop.name === null ? loop.id : `"${loop.name}" (${loop.id})`;
}
