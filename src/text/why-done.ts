/** Why a loop is complete, in words: what was proven, or that the agent alone says so. */
import { checksOf, claimLine, featuresOf, hasChoice, hooksOf, movedBaselineOf } from '../core/gates.ts';
import { topFrame, type Loop } from '../core/loop.ts';
import { ANSWERERS } from './answerers.ts';
import { sayCheck } from '../core/words/phrases.ts';
import { oneLine } from '../core/words/sanitize.ts';

/** More checks than these are counted, not named. */
const CHECKS_NAMED = 2;
const NAMED = 120;

export function sayWhyDone(loop: Loop): string {
  const asked = loop.requests.findLast(({ kind }) => kind === 'completion')?.answer;
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
