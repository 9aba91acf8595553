/** What the agent is told: few words, exact, bounded. Hosts cap such texts near 10,000 characters. */
import type { CheckProof, Missing, Verdict } from '../core/verdict.ts';
import { few } from '../core/abbreviate.ts';
import { endsOf, fenced, headOf, oneLine } from '../core/sanitize.ts';
import { sayNextFeature } from './features.ts';
import { checksOf, claimLine, featuresOf, hasChoice, hooksOf, movedBaselineOf } from '../core/gates.ts';
import { topFrame, type Frame, type Loop } from '../core/loop.ts';
import { ofIterations, sayMissing } from '../core/phrases.ts';

/** The most that is ever said at once: under the hosts' own bound. */
const MOST = 9_000;

/** A prompt up to here is repeated whole at every continue; a longer one is pointed to. */
const SHORT_PROMPT = 1_500;
/** The most of a prompt that is ever given at once in a session. */
const WHOLE_PROMPT = 6_000;
/** What a new agent is given: it has nothing else, and its host reads it from a pipe, which takes any length. */
const WHOLE_BRIEF = 200_000;
/** What all failing checks together may show of their output. */
const TAILS = 1_500;
/** What a stop hook may tell the agent, and what a checkpoint may. */
const HOOK_WORDS = 2_000;
const SHELLS_NAMED = 5;
const CHECKS_NAMED = 5;
/** The most of a command or a path. */
const NAMED = 120;

/** The prompt as the agent may get it, and where all of it stands. */
export interface Task {
  readonly prompt: string;
  /** A path; null where it stands nowhere. */
  readonly file: string | null;
}

/** At the start, with the command's arguments in front of the agent: a long task is not told once more, but an item is. */
export function startBrief(loop: Loop, task: Task): string {
  const most = topFrame(loop).item === null ? SHORT_PROMPT : WHOLE_PROMPT;
  return around(
    task,
    most,
    [opening(loop)],
    [nextWords(loop), protectedWords(loop), howToEnd(topFrame(loop), sightActs(topFrame(loop)))],
  );
}

/** Given again after compaction, resume or clear: the task and how it ends. */
export function brief(loop: Loop, task: Task): string {
  return around(
    task,
    WHOLE_PROMPT,
    [opening(loop)],
    [nextWords(loop), protectedWords(loop), howToEnd(topFrame(loop), sightActs(topFrame(loop)))],
  );
}

/** For a new agent that takes up the loop: the brief, who goes on after it, and what the last stop lacked. */
export function freshBrief(loop: Loop, task: Task, next: string): string {
  const last = loop.last !== null && 'missing' in loop.last.verdict ? loop.last.verdict.missing : [];
  const open =
    last.length === 0
      ? ''
      : `The pass before you left this open. ${stillMissing(topFrame(loop), last, loop.last?.proofs ?? [])}`;
  return around(
    task,
    WHOLE_BRIEF,
    [opening(loop, next)],
    [protectedWords(loop), howToEnd(topFrame(loop), sightActs(topFrame(loop))), open, nextWords(loop)],
  );
}

/** Once, at the start: whoever forgets it is told again when it matters. */
function protectedWords({ protect }: Loop): string {
  return protect.length === 0
    ? ''
    : `Protected, and not to be changed: ${oneLine(protect.join(', '), NAMED)}. Make the code pass them instead.`;
}

function opening(loop: Loop, next = 'you'): string {
  const iteration = topFrame(loop).passes + 1;
  return `Da Capo runs this session in a loop (${loop.id}). This is iteration ${ofIterations(loop, iteration)}. When you stop before the task is proven done, ${next} will be asked to go on.`;
}

/** For a prompt that the agent has in front of it already. */
export function shortBrief(loop: Loop): string {
  return paragraphs([
    `Da Capo runs this session in a loop (${loop.id}): the prompt above is its task, and this is iteration ${ofIterations(loop, topFrame(loop).passes + 1)}. When you stop before the task is proven done, you will be asked to go on.`,
    nextWords(loop),
    protectedWords(loop),
    howToEnd(topFrame(loop), sightActs(topFrame(loop))),
  ]);
}

/** What only some loops have to say. */
export interface MoreWords {
  /** What `whatIsOpen` says. */
  readonly open?: string;
  /** What `sightActs` says. */
  readonly acts?: readonly string[];
  /** That another frame is at work now (`sayTurn`), whose task is given whole. */
  readonly turn?: string;
}

/**
 * The continuation. `loop` is the loop after the verdict: its open pass is the one that begins now. `more`: what the hook
 * program loads only where there is more to say than that the promise is missing.
 */
export function continuation(
  loop: Loop,
  verdict: Extract<Verdict, { is: 'continue' }>,
  task: Task,
  wasCompacted: boolean,
  { open = '', acts = [], turn = '' }: MoreWords = {},
): string {
  const frame = topFrame(loop);
  const lone = lacksOnlyPromise(verdict.missing);
  const head = [
    turn ||
      `Da Capo: iteration ${ofIterations(loop, frame.passes + 1)} begins. The task is not proven done yet.${lone ? ' The promise has not been given.' : ''}`,
    open,
  ];
  return around(task, wasCompacted || turn ? WHOLE_PROMPT : SHORT_PROMPT, head, [howToEnd(frame, acts)]);
}

/** Whether a stop has more to say than that the promise is missing. */
export function hasMoreOpen({ missing, shells }: Extract<Verdict, { is: 'continue' }>): boolean {
  return shells.length > 0 || !lacksOnlyPromise(missing);
}

/** What the last stop lacked, what the next pass is to be told besides, and what still runs. */
export function whatIsOpen(loop: Loop, { missing, shells }: Extract<Verdict, { is: 'continue' }>): string {
  const lacks = lacksOnlyPromise(missing)
    ? ''
    : stillMissing(topFrame(loop), missing, loop.last?.proofs ?? []);
  return paragraphs([lacks, nextWords(loop), runningShells(shells)]);
}

/** The next open item of the list, the words of a stop hook, a checkpoint. */
export function nextWords(loop: Loop): string {
  return paragraphs([nextFeature(loop), hookWords(loop), checkpointWords(loop)]);
}

function nextFeature(loop: Loop): string {
  const proof = loop.last?.features ?? featuresOf(topFrame(loop))?.begun;
  return proof?.is === 'read' ? sayNextFeature(proof.facts) : '';
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

/** The task gets the room that the rest leaves. */
function around(task: Task, most: number, before: readonly string[], after: readonly string[]): string {
  const room = Math.max(MOST, most) - paragraphs([...before, ...after]).length - '\n\n\n\n'.length;
  return paragraphs([...before, theTask(task, most, room), ...after]);
}

/** The commonest case needs no list: how to give the promise stands at the end anyway. */
function lacksOnlyPromise([first, ...others]: readonly Missing[]): boolean {
  return first?.gate === 'promise' && first.seen === null && others.length === 0;
}

function stillMissing(frame: Frame, missing: readonly Missing[], proofs: readonly CheckProof[]): string {
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

function theTask({ prompt, file }: Task, most: number, room: number): string {
  const whole = `The task:\n\n${prompt}`;
  if (prompt.length <= most && whole.length <= room) return whole;
  const pointer =
    file === null
      ? ''
      : most === WHOLE_BRIEF
        ? `That is not all: the whole task stands in ${file}. Read the rest of it before you begin.`
        : `The whole task stands in ${file}: read it again now if any of it is no longer before you.`;
  if (most < WHOLE_PROMPT && file !== null) return pointer;
  const head = 'The task (its beginning):\n\n';
  const shown = Math.max(0, Math.min(most, room - head.length - pointer.length - '…\n\n'.length));
  return paragraphs([`${head}${headOf(prompt, shown)}…`, pointer]);
}

function howToEnd(frame: Frame, sights: readonly string[]): string {
  const line = claimLine(frame);
  const checks = few(checksOf(frame), ({ command }) => `\`${oneLine(command, NAMED)}\``, CHECKS_NAMED);
  const acts = [...(checks.length === 0 ? [] : [`runs ${checks.join(', ')}`]), ...sights];
  const any = hasChoice(frame);
  const proof =
    acts.length === 0 ? '' : `Da Capo itself ${acts.join(', ')}${any ? '' : ', and believes only that'}.`;
  const claim =
    line === null
      ? `The loop ends when ${any ? 'any of these' : 'this'} holds at one of your stops.`
      : `When all of it is really done, and not before, end your message with this line, outside any code block or quote:\n\n${line}`;
  return paragraphs([
    line === null ? `${proof} ${claim}` : [claim, proof].filter(Boolean).join('\n\n'),
    any && line !== null ? 'Any one of these is enough, the promise or what Da Capo sees.' : '',
    frame.atLeast > frame.passes + 1 ? `The loop does not end before iteration ${frame.atLeast}.` : '',
    `If you can't go on without a person, end with <promise>BLOCKED: the reason</promise> instead.`,
  ]);
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

function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
