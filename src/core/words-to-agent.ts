/** What the agent is told: few words, exact, bounded. Hosts cap such texts near 10,000 characters. */
import type { CheckProof, Missing, Verdict } from './events.ts';
import { fenced, oneLine, tailOf } from './harmless.ts';
import { checksOf, promiseOf, topFrame, type Frame, type Loop } from './loop.ts';
import { ofIterations, sayMissing } from './say.ts';

/** A prompt up to here is repeated whole at every continue; a longer one is pointed to. */
const SHORT_PROMPT = 1_500;
/** The most of a prompt that is ever given at once. */
const WHOLE_PROMPT = 6_000;
/** What all failing checks together may show of their output. */
const TAILS = 2_000;
const SHELLS_NAMED = 5;

/** The prompt as the agent may get it, and where all of it stands. */
export interface Task {
  readonly prompt: string;
  /** The view's path, as seen from the project; null where the loop has no view. */
  readonly file: string | null;
}

/** Given when a loop starts, and again after compaction, resume or clear: the task and how it ends. */
export function brief(loop: Loop, task: Task): string {
  const iteration = topFrame(loop).passes + 1;
  return paragraphs([
    `Da Capo runs this session in a loop (${loop.id}). This is iteration ${ofIterations(loop, iteration)}. When you stop before the task is proven done, you will be asked to go on.`,
    theTask(task, WHOLE_PROMPT),
    howToEnd(topFrame(loop)),
  ]);
}

/** For a new agent that takes up the loop: the brief, and what the last stop lacked. */
export function freshBrief(loop: Loop, task: Task): string {
  const last = loop.last !== null && 'missing' in loop.last.verdict ? loop.last.verdict.missing : [];
  return paragraphs([
    brief(loop, task),
    last.length === 0
      ? ''
      : `The pass before you left this open. ${stillMissing(last, loop.last?.proofs ?? [])}`,
  ]);
}

/** For a prompt that the agent has in front of it already. */
export function shortBrief(loop: Loop): string {
  return paragraphs([
    `Da Capo runs this session in a loop (${loop.id}): the prompt above is its task, and this is iteration ${ofIterations(loop, topFrame(loop).passes + 1)}. When you stop before the task is proven done, you will be asked to go on.`,
    howToEnd(topFrame(loop)),
  ]);
}

/** The continuation. `loop` is the loop after the verdict: its open pass is the one that begins now. */
export function continuation(
  loop: Loop,
  verdict: Extract<Verdict, { is: 'continue' }>,
  task: Task,
  wasCompacted: boolean,
): string {
  const frame = topFrame(loop);
  return paragraphs([
    `Da Capo: iteration ${ofIterations(loop, frame.passes + 1)} begins. The task is not proven done yet.`,
    stillMissing(verdict.missing, loop.last?.proofs ?? []),
    runningShells(verdict.shells),
    theTask(task, wasCompacted ? WHOLE_PROMPT : SHORT_PROMPT),
    howToEnd(frame),
  ]);
}

function stillMissing(missing: readonly Missing[], proofs: readonly CheckProof[]): string {
  const share = Math.floor(TAILS / Math.max(1, proofs.length));
  const lines = missing.map((item) => {
    const tail = item.gate === 'check' ? tailOf(outputOf(item.command, proofs), share) : '';
    const line = `- ${sayMissing(item)}`;
    return tail === '' ? line : `${line}. The end of its output:\n${fenced(tail)}`;
  });
  return lines.length === 0 ? '' : `Still missing:\n${lines.join('\n')}`;
}

function outputOf(command: string, proofs: readonly CheckProof[]): string {
  const outcome = proofs.find((proof) => proof.command === command)?.outcome;
  return outcome !== undefined && 'tail' in outcome ? outcome.tail : '';
}

function runningShells(shells: readonly string[]): string {
  if (shells.length === 0) return '';
  const names = shells.slice(0, SHELLS_NAMED).map((shell) => `\`${oneLine(shell, 100)}\``);
  return `Still running in the background: ${names.join(', ')}. Nobody waits for it: look at its output if you need it, end it if you don't.`;
}

function theTask({ prompt, file }: Task, most: number): string {
  if (prompt.length <= most) return `The task:\n\n${prompt}`;
  const pointer =
    file === null
      ? ''
      : `The whole task stands in ${file}, below the front matter: read it again now if any of it is no longer before you.`;
  if (most < WHOLE_PROMPT && file !== null) return pointer;
  return `The task (its beginning):\n\n${prompt.slice(0, most)}…\n\n${pointer}`;
}

function howToEnd(frame: Frame): string {
  const promise = promiseOf(frame);
  const checks = checksOf(frame).map(({ command }) => `\`${oneLine(command, 200)}\``);
  const proof = checks.length === 0 ? '' : `Da Capo itself runs ${checks.join(', ')} and believes only that.`;
  const claim =
    promise === null
      ? 'The loop ends when this passes at one of your stops.'
      : `When all of it is really done, and not before, end your message with this line, outside any code block or quote:\n\n<promise>${promise}</promise>`;
  return paragraphs([
    promise === null ? `${proof} ${claim}` : [claim, proof].filter(Boolean).join('\n\n'),
    `If you can't go on without a person, end with <promise>BLOCKED: the reason</promise> instead.`,
  ]);
}

function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
