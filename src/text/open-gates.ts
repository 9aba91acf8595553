/** What a loop still lacks, in words to the agent, where there is more to say than that the promise is missing. */
import { few } from '../core/abbreviate.ts';
import { featuresOf, hasChoice, hooksOf, movedBaselineOf } from '../core/gates.ts';
import { topFrame, type Frame, type Loop } from '../core/loop.ts';
import { sayMissing } from '../core/phrases.ts';
import { planOf } from '../core/plan.ts';
import { endsOf, fenced, oneLine } from '../core/sanitize.ts';
import type { CheckProof, Missing, Verdict } from '../core/verdict.ts';
import { lacksOnlyPromise, paragraphs } from './continuation.ts';
import { sayMend, sayNextFeature, sayRepair } from './features.ts';

/** What all failing checks together may show of their output. */
const TAILS = 1_500;
/** What a stop hook may tell the agent, and what a checkpoint may. */
const HOOK_WORDS = 2_000;
const SHELLS_NAMED = 5;
const CHECKS_NAMED = 5;
/** The most of a path. */
const NAMED = 120;

/** What the last stop lacked, what the next pass is to be told besides, and what still runs. */
export function whatIsOpen(loop: Loop, { missing, shells }: Extract<Verdict, { is: 'continue' }>): string {
  const lacks = lacksOnlyPromise(missing)
    ? ''
    : stillMissing(topFrame(loop), missing, loop.last?.proofs ?? []);
  return paragraphs([lacks, nextWords(loop), runningShells(shells)]);
}

/** The next open item of the list or what has to be repaired in it, the words of a stop hook, a checkpoint. */
export function nextWords(loop: Loop): string {
  return paragraphs([nextFeature(loop), hookWords(loop), checkpointWords(loop)]);
}

function nextFeature(loop: Loop): string {
  const frame = topFrame(loop);
  const proof = loop.last?.features ?? featuresOf(frame)?.begun;
  if (proof === undefined) return '';
  if (proof.is === 'unreadable') return proof.broken === true ? sayMend(proof.why) : '';
  const { facts } = proof;
  const fails = loop.last?.proofs.some(({ outcome }) => outcome.is !== 'passed') === true;
  const unproven = fails ? facts.passing - frame.itemsPassing : 0;
  const commits = loop.driver === 'fresh' && planOf(loop).commit !== 'none';
  return unproven > 0 ? sayRepair(facts, unproven) : sayNextFeature(facts, commits);
}

/** Of the hooks that were asked at the last stop, and of no earlier one. */
function hookWords({ noted: { asked }, last }: Loop): string {
  if (!asked?.next || asked.n !== last?.n) return '';
  return `A stop hook of this loop says:\n\n${endsOf(asked.next, HOOK_WORDS)}`;
}

function checkpointWords(loop: Loop): string {
  const { restored } = loop.noted;
  return restored !== undefined && isRestored(loop) ? endsOf(restored.words, HOOK_WORDS) : '';
}

/** Resumed from a checkpoint, and no pass has ended since. */
export function isRestored({ noted: { restored }, last }: Loop): boolean {
  return restored !== undefined && (last === null || Date.parse(last.at) < Date.parse(restored.at));
}

export function stillMissing(
  frame: Frame,
  missing: readonly Missing[],
  proofs: readonly CheckProof[],
): string {
  const share = Math.floor(TAILS / Math.min(CHECKS_NAMED, Math.max(1, proofs.length)));
  const say = (item: Missing) => {
    const tail = item.gate === 'check' ? endsOf(outputOf(item.command, proofs), share) : '';
    const line = `- ${sayMissing(item)}`;
    return tail === '' ? line : `${line}. Of its output:\n${fenced(tail)}`;
  };
  const isCheck = ({ gate }: Missing) => gate === 'check';
  const lines = [
    ...missing.filter((item) => !isCheck(item)).map(say),
    ...few(missing.filter(isCheck), say, CHECKS_NAMED),
  ];
  const choice = hasChoice(frame) && lines.length > 1 ? ' (any one of these is enough)' : '';
  return lines.length === 0 ? '' : `Still missing${choice}:\n${lines.join('\n')}`;
}

function outputOf(command: string, proofs: readonly CheckProof[]): string {
  const outcome = proofs.find((proof) => proof.command === command)?.outcome;
  return outcome !== undefined && 'tail' in outcome ? outcome.tail : '';
}

function runningShells(shells: readonly string[]): string {
  if (shells.length === 0) return '';
  const names = few(shells, (shell) => `\`${oneLine(shell, 100)}\``, SHELLS_NAMED);
  return `Still running in the background: ${names.join(', ')}. Nobody waits for it: look at its output if you need it, end it if you don't.`;
}

/** What Da Capo does to see for itself, besides running checks. */
export function sightActs(frame: Frame): string[] {
  const features = featuresOf(frame);
  const move = movedBaselineOf(frame);
  const hooks = hooksOf(frame);
  return [
    ...(frame.items === null ? [] : ['reads the list of items again, where none may be left']),
    ...(features === null ? [] : [`reads ${oneLine(features.file, NAMED)}, where every item has to pass`]),
    ...(move === null
      ? []
      : [`looks whether ${oneLine(move.file, NAMED)} has arrived in ${oneLine(move.folder, NAMED)}`]),
    ...(hooks === null ? [] : ['asks the stop hooks']),
  ];
}
