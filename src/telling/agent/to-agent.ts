/** The briefs: what an agent is told at the start of its work on a loop, or when it has lost the task. */
import { few, ofIterations } from '#law/words/phrases.ts';
import { asksToClaim, checksOf, requirementsOf, type CheckGate } from '#law/gates.ts';
import { type Frame, type Loop } from '#law/loop.ts';
import { oneLine } from '#base/words/sanitize.ts';
import {
  howToEnd,
  paragraphs,
  SHORT_PROMPT_CHARS,
  sayChecked,
  WHOLE_BRIEF_CHARS,
  WHOLE_PROMPT_CHARS,
  withTask,
  type TaskText,
} from './continuation.ts';
import { saySoFar } from '../person/requests.ts';
import { nextWords, gateActs, stillMissing } from './open-gates.ts';

const MAX_NAMES_CHARS = 120;
const MAX_CHECKS_LISTED = 5;

const ASK =
  'To ask a person something and continue with the answer, end with <promise>ASK: your ' +
  'question</promise>. If no gate can show that the task is done, end with <promise>UNVERIFIABLE: ' +
  'why</promise>, and a person decides.';

const BY_TOOLS =
  "Nobody reads your messages here. If you can't continue without a person, call loop_block; to ask " +
  'one something, call loop_ask.';

/**
 * The tool that an agent calls to be judged. The one is the claim; the other reads a message, with its
 * promise.
 */
export type Judge = 'loop_claim' | 'iteration_validate';

/**
 * The agent already has the command's arguments, so a long task is not repeated. With a judge, nothing else
 * holds it.
 */
export function startBrief(loop: Loop, task: TaskText, judge: Judge | null = null): string {
  const { frame } = loop;
  const most = frame.item === null ? SHORT_PROMPT_CHARS : WHOLE_PROMPT_CHARS;
  const first = judge === null ? opening(loop) : unheld(loop, judge);
  const last =
    judge === 'loop_claim'
      ? paragraphs([sayChecked(requirementsOf(frame), gateActs(frame)), BY_TOOLS])
      : ending(loop);
  return withTask(task, most, [first], [nextWords(loop), startWords(loop), last]);
}

/** Given again after compaction, resume or clear: the task, what a person said about it, and how it ends. */
export function brief(loop: Loop, task: TaskText): string {
  const after = [saySoFar(loop), nextWords(loop), startWords(loop), ending(loop)];
  return withTask(task, WHOLE_PROMPT_CHARS, [opening(loop)], after);
}

/**
 * For a new agent that takes up the loop: the brief, who continues after it, and what the last stop lacked.
 */
export function freshBrief(loop: Loop, task: TaskText, next: string): string {
  const last = loop.last !== null && 'missing' in loop.last.verdict ? loop.last.verdict.missing : [];
  // A pass that confirms has nothing open, and begins with what it is for.
  const left = last.length === 0 ? '' : `The pass before you left this open. ${stillMissing(loop, last)}`;
  const open =
    last[0]?.gate === 'confirmed' ? `Your pass confirms the work of others: ${last[0].says}.` : left;
  const { requests, steers } = loop.people;
  const soFar = requests.length + steers.length === 0 ? '' : saySoFar(loop);
  const after = [soFar, startWords(loop), ending(loop), open, nextWords(loop)];
  return withTask(task, WHOLE_BRIEF_CHARS, [opening(loop, next)], after);
}

function ending(loop: Loop): string {
  return paragraphs([howToEnd(loop.frame, gateActs(loop.frame)), ASK]);
}

/** Said once, at the start. An agent that forgets it is told again when it matters. */
function startWords(loop: Loop): string {
  const { protect } = loop.protection;
  return paragraphs([
    protect.length === 0
      ? ''
      : `Do not change these protected files: ${oneLine(protect.join(', '), MAX_NAMES_CHARS)}. ` +
        'Make the code pass them instead.',
    begunWords(loop.frame),
    loop.ground?.redFirst
      ? 'A test of yours has to fail without your work: Da Capo also runs the tests on the code of the ' +
        'start.'
      : '',
    approvalWords(loop),
  ]);
}

/** An agent that knows it beforehand does other work first. */
function approvalWords({ people: { approvals } }: Loop): string {
  if (approvals === null || approvals.rules.length === 0) return '';
  return (
    `A person has to approve these calls: ${oneLine(approvals.rules.join(', '), MAX_NAMES_CHARS)}. ` +
    'Make such a call when you need it; Da Capo then tells you how to wait.'
  );
}

/** An honest agent loses no pass if it knows from the start that it has to claim the task as done. */
function begunWords(frame: Frame): string {
  const passed = checksOf(frame).filter(({ begun }) => begun === 'passed');
  if (passed.length === 0 || !asksToClaim(frame)) return '';
  const say = ({ command, heldOut }: CheckGate) =>
    heldOut ? `${command} (which you can't see)` : `\`${oneLine(command, MAX_NAMES_CHARS)}\``;
  const names = few(passed, say, MAX_CHECKS_LISTED).join(', ');
  return `${names} passed before you began, so that alone does not show that the task is done.`;
}

function opening(loop: Loop, next = 'you'): string {
  return (
    `Da Capo runs this session in a loop (${loop.id}). This is iteration ${ofIterations(loop)}. When ` +
    `you stop before the task is proven done, ${next} will be asked to continue.`
  );
}

/** Nobody asks the agent to continue, so it has to know that only its own calls are judged. */
function unheld(loop: Loop, judge: Judge): string {
  return (
    `Da Capo keeps this task as a loop (${loop.id}). This is iteration ${ofIterations(loop)}. Nothing ` +
    `holds you when you stop: call ${judge} when you believe that the task is done, and continue until ` +
    'its answer says so.'
  );
}

export function shortBrief(loop: Loop): string {
  return paragraphs([
    `Da Capo runs this session in a loop (${loop.id}): the prompt above is its task, and this is ` +
      `iteration ${ofIterations(loop)}. When you stop before the task is proven done, you will be ` +
      'asked to continue.',
    nextWords(loop),
    startWords(loop),
    ending(loop),
  ]);
}

interface CheckpointWords {
  readonly iteration: number;
  readonly data: Readonly<Record<string, unknown>>;
}

const MAX_FIELD_CHARS = 120;
const MAX_DRAFT_CHARS = 4_000;

export function sayCheckpoint(kept: CheckpointWords): string {
  const phase = checkpointField(kept, 'executionPhase');
  const step = checkpointField(kept, 'executionStep');
  const draft = checkpointField(kept, 'draftContent');
  const context = kept.data['agentContext'];
  return [
    `This loop is resumed from a checkpoint of iteration ${kept.iteration}. The files are as they ` +
      'are now. Continue from the checkpoint.',
    ...(phase === '' ? [] : [`Phase: ${oneLine(phase, MAX_FIELD_CHARS)}`]),
    ...(step === '' ? [] : [`Step: ${oneLine(step, MAX_FIELD_CHARS)}`]),
    ...(context === undefined ? [] : [`Context: ${oneLine(JSON.stringify(context), 10 * MAX_FIELD_CHARS)}`]),
    ...(draft === '' ? [] : [`Draft:\n${draft.slice(0, MAX_DRAFT_CHARS)}`]),
  ].join('\n');
}

export function checkpointField({ data }: CheckpointWords, key: string): string {
  const value = data[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
