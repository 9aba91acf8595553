/** Tells the agent what a loop still lacks, if more than the promise is missing. */
import { few, sayMissingToAgent, sayReviewer } from '#law/words/phrases.ts';
import {
  byGateKind,
  featuresOf,
  hasChoice,
  hooksOf,
  movedBaselineOf,
  reviewsOf,
  unprovenItems,
  type ByGateKind,
} from '#law/gates.ts';
import { iterationsInAll, planOf, type Frame, type Loop } from '#law/loop.ts';
import { driftOf } from '#law/circuit.ts';
import { sayGoalsOf } from '#law/measures.ts';
import { endsOf, fenced, headOf, oneLine } from '#base/words/sanitize.ts';
import type { ContinueVerdict, Missing } from '#law/record/verdict.ts';
import { lacksOnlyPromise, paragraphs } from './continuation.ts';
import { failingLines } from '../failing.ts';
import { sayMend, sayNextFeature, sayRepair } from '../person/features.ts';

/** The most output of all failing checks together that a new agent gets. */
const MAX_OUTPUTS_CHARS = 1_500;
/**
 * In a session the host shows the person everything the agent is told. We use at most 25 lines, so that the
 * rest of their screen stays. This many are left for failing checks and their outputs. A file holds the full
 * output.
 */
const MAX_OUTPUT_LINES = 9;
const FEWEST_LINES = 4;
const MAX_LINE_CHARS = 160;
const MAX_HOOK_PROMPT_CHARS = 2_000;
const MAX_NOTE_CHARS = 500;
const MAX_SHELLS_LISTED = 5;
const MAX_CHECKS_LISTED = 5;
const MAX_PATH_CHARS = 120;
const shortPath = (path: string) => oneLine(path, MAX_PATH_CHARS);

export function whatIsOpen(loop: Loop, { missing, shells }: ContinueVerdict, knows = true): string {
  const rest = paragraphs([nextWords(loop, knows), runningShells(shells)]);
  const taken = rest === '' ? 0 : rest.split('\n').length + 1;
  const lines = Math.max(FEWEST_LINES, MAX_OUTPUT_LINES - taken);
  const { frame } = loop;
  // The words about the next item begin with the count, and once is enough.
  const isSaid = (item: Missing) =>
    item.gate === 'features' && !hasChoice(frame) && rest.startsWith(`${sayMissingToAgent(item)}.`);
  const unsaid = missing.filter((item) => !isSaid(item));
  return paragraphs([lacksOnlyPromise(missing) ? '' : stillMissing(loop, unsaid, lines), rest]);
}

/**
 * `knows`: the agent remembers the earlier passes, so of its own notes it gets only those of the last one.
 */
export function nextWords(loop: Loop, knows = false): string {
  return paragraphs([
    nextFeature(loop),
    driftWords(loop),
    hookWords(loop),
    checkpointWords(loop),
    noteWords(loop, knows),
  ]);
}

/** Said before the loop ends for it, while another way can still be tried. */
function driftWords(loop: Loop): string {
  const { trend } = loop.circuit;
  const drift = trend ? driftOf(loop) : null;
  if (drift === null) return '';
  const best = trend?.best;
  const known = best ? ` The best so far was iteration ${best.iteration}.` : '';
  return (
    `No progress: ${drift}.${known} Find out why before you change anything, and try another way. If ` +
    'this continues, the loop ends as stuck.'
  );
}

function noteWords(loop: Loop, onlyLast: boolean): string {
  const pass = onlyLast ? iterationsInAll(loop) : 0;
  const notes = loop.notes.filter((note) => note.pass >= pass);
  if (notes.length === 0) return '';
  return [
    'Notes from earlier passes:',
    ...notes.map(({ words }) => `- ${oneLine(words, MAX_NOTE_CHARS)}`),
  ].join('\n');
}

function nextFeature(loop: Loop): string {
  const { frame } = loop;
  const proof = loop.last?.features ?? featuresOf(frame)?.begun;
  if (proof === undefined) return '';
  if (proof.is === 'unreadable') return proof.broken === true ? sayMend(proof.why) : '';
  const { facts } = proof;
  const unproven = unprovenItems(loop);
  const commits = loop.driver === 'fresh' && planOf(loop).commit !== 'none';
  return unproven > 0 ? sayRepair(facts, unproven) : sayNextFeature(facts, commits);
}

/** Only from the hooks that were asked at the last stop. */
function hookWords({ noted: { asked }, last }: Loop): string {
  if (!asked?.next || asked.n !== last?.n) return '';
  return `A stop hook of this loop says:\n\n${endsOf(asked.next, MAX_HOOK_PROMPT_CHARS)}`;
}

function checkpointWords(loop: Loop): string {
  const { restored } = loop.noted;
  return restored !== undefined && isRestored(loop) ? endsOf(restored.words, MAX_HOOK_PROMPT_CHARS) : '';
}

/** The loop was resumed from a checkpoint, and no pass has ended since. */
export function isRestored({ noted: { restored }, last }: Loop): boolean {
  return restored !== undefined && (last === null || Date.parse(last.at) < Date.parse(restored.at));
}

/**
 * `most`: lines of all outputs together, if a person sees them too. Null: the larger bound for a new agent.
 */
export function stillMissing(loop: Loop, missing: readonly Missing[], most: number | null = null): string {
  const proofs = loop.last?.proofs ?? [];
  const failed = Math.max(1, proofs.filter(({ outcome }) => 'tail' in outcome).length);
  const shown = Math.min(MAX_CHECKS_LISTED, failed);
  const say = (item: Missing) => {
    const line = `- ${sayMissingToAgent(item)}`;
    const proof = item.gate === 'check' ? proofs.find(({ command }) => command === item.command) : undefined;
    const output = proof !== undefined && 'tail' in proof.outcome ? proof.outcome.tail : '';
    if (output === '') return line;
    if (most === null)
      return `${line}. From its output:\n${fenced(endsOf(output, Math.floor(MAX_OUTPUTS_CHARS / shown)))}`;
    const where = proof?.evidence ? ` (in full: ${proof.evidence})` : '';
    const lines = quoted(output, Math.floor((most - shown) / shown));
    return `${line}. From its output${where}${lines === '' ? '' : `:\n${lines}`}`;
  };
  const isCheck = ({ gate }: Missing) => gate === 'check';
  const said = [
    ...missing.filter((item) => !isCheck(item)).map(say),
    ...few(missing.filter(isCheck), say, MAX_CHECKS_LISTED),
  ];
  const choice = hasChoice(loop.frame) && said.length > 1 ? ' (any one of these is enough)' : '';
  return said.length === 0 ? '' : `Still missing${choice}:\n${said.join('\n')}`;
}

/** Each line is marked, so that none can be mistaken for ours. */
function quoted(output: string, most: number): string {
  return failingLines(output, most)
    .map((line) => `  | ${headOf(line, MAX_LINE_CHARS)}`)
    .join('\n');
}

function runningShells(shells: readonly string[]): string {
  if (shells.length === 0) return '';
  const names = few(shells, (shell) => `\`${oneLine(shell, 100)}\``, MAX_SHELLS_LISTED);
  return (
    `Still running in the background: ${names.join(', ')}. Nobody waits for it: look at its output if ` +
    `you need it, end it if you don't.`
  );
}

/** What Da Capo does at a stop, beside running the checks and reading the claim. */
export function gateActs(frame: Frame): string[] {
  const list = frame.items === null ? [] : ['reads the list of items again, where none may be left'];
  return [...list, ...byGateKind(ACTS, frame)];
}

const ACTS: ByGateKind = {
  promise: () => [],
  signal: () => [],
  check: () => [],
  features: (frame) => {
    const features = featuresOf(frame);
    return features === null ? [] : [`reads ${shortPath(features.file)}, where every item has to pass`];
  },
  moved: (frame) => {
    const move = movedBaselineOf(frame);
    if (move === null) return [];
    return [`checks whether ${shortPath(move.file)} has arrived in ${shortPath(move.folder)}`];
  },
  measures: (frame) => (frame.measures ? sayGoalsOf(frame) : []).map((goals) => `measures ${goals}`),
  hooks: (frame) => (hooksOf(frame) === null ? [] : ['asks the stop hooks']),
  review: (frame) =>
    reviewsOf(frame).map((gate) => `has ${sayReviewer(gate)} review the work once all else holds`),
};
