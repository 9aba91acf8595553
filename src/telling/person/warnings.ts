/** What a person should know when a loop begins. */
import { sayFeaturesNotes, sayMovedWarning } from './features.ts';
import { few, sayCheck, sayUnmatched } from '#law/words/phrases.ts';
import { sayGround } from '#law/proof/ground.ts';
import { oneLine } from '#base/words/sanitize.ts';
import {
  asksToClaim,
  featuresOf,
  movedBaselineOf,
  reviewsOf,
  takesAny,
  type ReviewGate,
} from '#law/gates.ts';
import { framesOf, outermostOf, type Frame, type Loop } from '#law/loop.ts';

const MAX_CHECKS_LISTED = 10;
const MAX_GLOBS_LISTED = 5;
const MAX_FILE_CHARS = 120;

export function sayWarnings(loop: Loop): string[] {
  const { unmatched } = loop.protection;
  const kept =
    unmatched.length === 0 ? [] : [`Note: ${sayUnmatched(few(unmatched, (glob) => glob, MAX_GLOBS_LISTED))}`];
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
    'host gives a second opinion'
  );
}

/** An agent that changes what decides a check decides its result, so the person knows what that is. */
function sayKeptGround({ ground }: Loop): string[] {
  if (ground === null) return [];
  const { digest, why = 'could not be read', tests, configs } = ground;
  if (digest === null) return [`Note: what the checks stand on ${why}, so changes to it can't be seen.`];
  const unseen = ground.hasUnseenPackages ? [UNSEEN_PACKAGES] : [];
  if (tests + configs.length === 0) return unseen;
  const then = ground.mayChange
    ? 'With --tests-may-change they may change; nothing is called proven then.'
    : 'If they change, the checks have to pass with those of the start as well.';
  return [`What the checks stand on: ${sayGround(tests, configs)}. ${then}`, ...unseen];
}

const UNSEEN_PACKAGES =
  "Note: the dependencies of this project are too many to be compared, so a swapped one can't be " +
  'seen. --setup CMD makes them for the clean copy.';

export function frameWarnings(loop: Loop): string[] {
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
      const name = oneLine(items.from.file, MAX_FILE_CHARS);
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
