/** The messages to the person: one line for each change, with the next step if there is one. */
import type { Approvals } from '#law/record/definition.ts';
import type { ContinueVerdict } from '#law/record/verdict.ts';
import { sayFeaturesNotes, sayMovedWarning } from './features.ts';
import {
  few,
  duration,
  ofIterations,
  plural,
  sayCheck,
  sayHooks,
  sayNotBefore,
  sayOpen,
  sayProtect,
  sayReviews,
  sayUnmatched,
} from '#law/words/phrases.ts';
import { sayGround } from '#law/proof/ground.ts';
import { sayGoalsOf } from '#law/measures.ts';
import { oneLine } from '#base/words/sanitize.ts';
import {
  byGateKind,
  asksToClaim,
  checksOf,
  claimLine,
  featuresOf,
  hooksOf,
  movedBaselineOf,
  reviewsOf,
  takesAny,
  type ReviewGate,
  type ByGateKind,
} from '#law/gates.ts';
import { outermostOf, framesOf, isCutOff, type Frame, type Loop } from '#law/loop.ts';
import { sayCount, sayUsd } from '#law/words/figures.ts';
import type { Commands } from '../audience.ts';
import { sayCapped } from '../context-warnings.ts';
import { sayStallLimit, sayStatus, title } from './status.ts';

type Controls = Pick<Commands, 'resume' | 'cancel'>;

const MAX_CHECKS_LISTED = 10;
const MAX_NAMES_LISTED = 5;
const MAX_RULES_LISTED = 10;
const MAX_ITEM_CHARS = 100;

export function sayStarted(loop: Loop): string {
  const started = `Da Capo: loop ${title(loop)} started.${sayItem(loop.frame)} ${sayTerms(loop)}`;
  return [started, ...sayWarnings(loop)].join('\n');
}

export function sayAmended(loop: Loop): string {
  return `Da Capo: loop ${title(loop)} is changed. ${sayTerms(loop)}`;
}

/** The limits on what a loop may use. In a session the host does not report the cost, so it is estimated. */
function sayBudget({ limits: { costUsd, tokens }, driver }: Loop): string[] {
  return [
    ...(costUsd === null ? [] : [`${sayUsd(costUsd)}${driver === 'hook' ? ' (estimated from tokens)' : ''}`]),
    ...(tokens === null ? [] : [`${sayCount(tokens)} tokens`]),
  ];
}

export function sayTerms(loop: Loop): string {
  const time = loop.limits.timeMs === null ? 'no time limit' : `${duration(loop.limits.timeMs)} of work`;
  const stalls = loop.limits.stalls === null ? [] : [sayStallLimit(loop, loop.limits.stalls)];
  const bounds = [sayPasses(loop.frame), time, ...sayBudget(loop), ...stalls].join(', ');
  const money = loop.limits.costUsd === null ? '; no limit on cost' : '';
  const asks = sayAsksBefore(loop.people.approvals, 'Asks you ').map((words) => `${words}. `);
  return `Done when: ${sayDone(loop)}. ${asks.join('')}Limits: ${bounds}${money}.`;
}

/** Which calls need the person's approval, to follow `subject`; none: no words. */
export function sayAsksBefore(approvals: Approvals | null | undefined, subject: string): string[] {
  const rules = approvals?.rules ?? [];
  return rules.length === 0
    ? []
    : [`${subject}before ${few(rules, (rule) => oneLine(rule, 120), MAX_RULES_LISTED).join(', ')}`];
}

export function sayPushed(loop: Loop): string {
  const { frame } = loop;
  const pushed =
    `Da Capo: loop ${title(loop)} has an inner task now.${sayItem(frame)} Done when: ${sayDone(loop)}. ` +
    `Limits: ${sayPasses(frame)}, and those of the loop around it, which continues afterwards.`;
  return [pushed, ...frameWarnings(loop)].join('\n');
}

function sayItem({ item }: Frame): string {
  return item === null ? '' : ` Item ${item.n} of ${item.of}: ${oneLine(item.title, MAX_ITEM_CHARS)}.`;
}

function sayPasses({ iterations, item }: Frame): string {
  const most =
    iterations === null ? 'iterations without limit' : `at most ${plural(iterations, 'iteration')}`;
  return item === null ? most : `${most} for each item`;
}

function sayDone(loop: Loop): string {
  const { frame } = loop;
  const line = claimLine(frame);
  const gates = [...(line === null ? [] : [line]), ...byGateKind(WANTED, frame)];
  const kept = loop.protection.protect.length === 0 ? '' : `, and ${sayProtect(loop.protection.protect)}`;
  const joined = gates.join(frame.require === 'any' ? ' or ' : ' and ');
  const confirmed = loop.people.approvals?.done ? ', and you confirm it' : '';
  return `${joined}${kept}${sayNotBefore(frame)}${confirmed}`;
}

const WANTED: ByGateKind = {
  promise: () => [],
  signal: () => [],
  check: (frame) => few(checksOf(frame), (check) => `${sayCheck(check)} passes`, MAX_CHECKS_LISTED),
  features: (frame) => {
    const features = featuresOf(frame);
    return features === null ? [] : [`every item of ${oneLine(features.file, 120)} passes`];
  },
  moved: (frame) => {
    const move = movedBaselineOf(frame);
    return move === null ? [] : [`${oneLine(move.file, 120)} is in ${oneLine(move.folder, 120)}`];
  },
  hooks: (frame) => {
    const hooks = hooksOf(frame);
    return hooks === null ? [] : [sayHooks(hooks)];
  },
  measures: (frame) => (frame.measures ? sayGoalsOf(frame) : []),
  review: sayReviews,
};

export function sayWarnings(loop: Loop): string[] {
  const { unmatched } = loop.protection;
  const kept =
    unmatched.length === 0 ? [] : [`Note: ${sayUnmatched(few(unmatched, (glob) => glob, MAX_NAMES_LISTED))}`];
  return [...frameWarnings(loop), ...kept, ...sayKeptGround(loop)];
}

/** Allowed, since a fresh agent has not seen the work; but another one sees other things. */
function saySameReviewer(loop: Loop): string | null {
  const { host, run } = loop;
  const isSame = (review: ReviewGate) =>
    review.host === host && (review.model === null || review.model === run.plan?.model);
  const reviews = reviewsOf(outermostOf(loop));
  if (reviews.length === 0 || !reviews.every(isSame)) return null;
  return (
    `the reviewer may be the same model as the agent that works; --review ${host}:MODEL or another ` +
    'host gives a second opinion.'
  );
}

/** An agent that changes what decides a check decides its result, so the person knows what that is. */
function sayKeptGround({ ground }: Loop): string[] {
  if (ground === null) return [];
  const { digest, why = 'could not be read', tests, configs } = ground;
  if (digest === null) return [`Note: what the checks depend on ${why}, so changes to it can't be seen.`];
  const unseen = ground.hasUnseenPackages ? [UNSEEN_PACKAGES] : [];
  if (tests + configs.length === 0) return unseen;
  const then = ground.mayChange
    ? 'With --tests-may-change they may change; nothing is called proven then.'
    : 'If they change, the checks have to pass with those of the start as well.';
  return [`The checks depend on: ${sayGround(tests, configs)}. ${then}`, ...unseen];
}

const UNSEEN_PACKAGES =
  "Note: the dependencies of this project are too many to be compared, so a swapped one can't be " +
  'seen. --setup CMD makes them for the clean copy.';

function frameWarnings(loop: Loop): string[] {
  const { frame } = loop;
  const features = featuresOf(frame);
  const move = movedBaselineOf(frame);
  const warnings = [
    ...(features === null ? [] : sayFeaturesNotes(features.file, features.begun)),
    move === null ? null : sayMovedWarning(move),
    ...sayBegun(frame),
    saySameReviewer(loop),
    ...sayItemsNotes(loop),
  ];
  return warnings.filter((warning) => warning !== null).map((warning) => `Note: ${warning}`);
}

/** About the list that begins, or whose first item does. */
function sayItemsNotes(loop: Loop): string[] {
  return framesOf(loop)
    .slice(-2)
    .flatMap(({ items }) => {
      if (items?.from.is !== 'file') return [];
      const name = oneLine(items.from.file, 120);
      return (items.notes ?? []).map((words) => `${name} ${words}.`);
    });
}

function sayBegun(frame: Frame): string[] {
  if (frame.items !== null) return [];
  const checks = frame.gates.filter((gate) => gate.kind === 'check');
  const passed = checks.filter(({ begun }) => begun === 'passed');
  const unknown = asksToClaim(frame) ? checks.filter(({ begun }) => begun === undefined) : [];
  const names = (gates: typeof checks) => few(gates, sayCheck, MAX_CHECKS_LISTED).join(', ');
  const enough = takesAny(frame) ? ', so it is not enough' : '';
  const why = asksToClaim(frame)
    ? ', which proves nothing by itself: the agent also has to say that it is done'
    : enough;
  const late = 'did not finish before the first iteration, so the agent also has to say that it is done';
  return [
    ...(passed.length === 0 ? [] : [`${names(passed)} passes already${why}.`]),
    ...(unknown.length === 0 ? [] : [`${names(unknown)} ${late}.`]),
  ];
}

export function sayCap(cap: number): string {
  return (
    `Note: this host ends a turn after ${cap} stops in a row without a tool call. \`dacapo init\`, or ` +
    `the plugin's option lift_cap, turns that off.`
  );
}

export function sayContinue(
  loop: Loop,
  verdict: ContinueVerdict,
  { resume }: Pick<Commands, 'resume'>,
): string {
  const [first, ...others] = verdict.missing;
  // Without the promise, the other gates may not have been tested at all.
  const untold = first?.gate === 'promise' ? 0 : others.length;
  const more = untold === 0 ? '' : `; ${untold} more ${untold === 1 ? 'is' : 'are'} open`;
  const capped = verdict.capped ? sayCapped(loop, resume) : '';
  return (
    'Da Capo: iteration ' +
    `${ofIterations(loop)}${first === undefined ? '' : `; ${sayOpen(first)}${more}`}.${capped}`
  );
}

export function sayGoesOn(loop: Loop): string {
  return `Da Capo: loop ${title(loop)} continues: iteration ${ofIterations(loop)}.`;
}

/**
 * Its session is open again after `dacapo resume`. The next thing the person types continues it, so they are
 * told before.
 */
export function sayAwaits(loop: Loop, { cancel }: Pick<Commands, 'cancel'>): string {
  return (
    `Da Capo: loop ${title(loop)} continues with your next prompt: iteration ${ofIterations(loop)}. ` +
    `${cancel} ends it.`
  );
}

export function sayPaused(loop: Loop, commands: Controls): string {
  return `Da Capo: loop ${title(loop)} is ${sayStatus(loop)}. ${goOnOrCancel(loop, commands)}`;
}

/** `loop`: as the fault left it. The person's prompt has just continued it. */
export function sayGoesOnAfter(loop: Loop, { cancel }: Controls): string {
  return (
    `Da Capo: loop ${title(loop)} was ${sayStatus(loop)}. It continues with this prompt: iteration ` +
    `${ofIterations(loop)}. ${cancel} ends it.`
  );
}

/** Esc ended the pass, and nothing says so but that the person can type. To follow "loop X". */
export function sayIdle(loop: Loop): string {
  return `stands still: iteration ${ofIterations(loop)} was interrupted`;
}

export function goOnOrCancel(loop: Loop | null, { resume, cancel }: Controls): string {
  return `${loop !== null && isCutOff(loop) ? 'Your next prompt' : resume} continues it, ${cancel} ends it.`;
}

export const NO_LOOP = 'No active Ralph loop in this session.';
