/** The message to the agent when the loop continues: short, exact, bounded. Every stop loads this file. */
import { few, ofIterations, sayMissingToAgent } from '#law/words/phrases.ts';
import { requirementsOf, type Requirements } from '#law/gates.ts';
import { type Frame, type Loop } from '#law/loop.ts';
import { oneLine } from '#base/words/sanitize.ts';
import type { ContinueVerdict, Missing } from '#law/record/verdict.ts';
import { longTask, restOfTask } from '../context-warnings.ts';

/** The longest message to an agent whose host names no limit of its own. */
const SMALLEST_HOST_ROOM_CHARS = 9_000;

/**
 * A prompt up to this length is repeated whole at every continue. For a longer one the agent gets a pointer,
 * because the host shows the person the whole message.
 */
export const SHORT_PROMPT_CHARS = 500;
const SHORT_LINES = 1;
export const WHOLE_PROMPT_CHARS = 6_000;
/** The most for a new agent. It knows nothing else, and its host reads the prompt from a pipe. */
export const WHOLE_BRIEF_CHARS = 200_000;
const MAX_CHECKS_LISTED = 5;
const MAX_COMMAND_CHARS = 120;

export interface TaskText {
  readonly prompt: string;
  readonly file: string | null;
  /** The most characters that the host takes at once, including all other words. */
  readonly room?: number;
}

export interface MoreWords {
  readonly news?: string;
  readonly open?: string;
  readonly acts?: readonly string[];
  /** From `sayTurn`: another frame is at work now, so its task is given whole. */
  readonly turn?: string;
}

/**
 * `loop`: after the verdict. `more`: words that the hook program loads only if more than the promise is
 * missing.
 */
export function continuation(
  loop: Loop,
  verdict: ContinueVerdict,
  task: TaskText,
  wasCompacted: boolean,
  { news = '', open = '', acts = [], turn = '' }: MoreWords = {},
): string {
  const { frame } = loop;
  // Last, so that the person still sees it: the host shows them what the agent is told.
  const isBack = verdict.popped.length > 0 && verdict.item === null;
  const stands =
    `Da Capo: iteration ${ofIterations(loop)} ${isBack ? 'continues' : 'begins'}. The task is not ` +
    `proven done yet.${whyNot(verdict.missing)}`;
  const most = wasCompacted || turn ? WHOLE_PROMPT_CHARS : SHORT_PROMPT_CHARS;
  return withTask(task, most, [news, turn, open], [howToEnd(frame, acts), stands]);
}

function whyNot(missing: readonly Missing[]): string {
  const [first, ...others] = missing;
  if (first === undefined) return '';
  if (lacksOnlyPromise(missing)) return ' The promise has not been given.';
  const said = oneLine(sayMissingToAgent(first), MAX_COMMAND_CHARS);
  // The words about the next item give the count.
  const list = first.gate === 'features' ? 'the feature list' : said;
  const what = first.gate === 'promise' ? 'the promise' : list;
  return ` Still open: ${what}${others.length === 0 ? '' : `, and ${others.length} more`}.`.replace(
    '….',
    '…',
  );
}

export function hasMoreOpen({ missing, shells }: ContinueVerdict): boolean {
  return shells.length > 0 || !lacksOnlyPromise(missing);
}

export function withTask(
  task: TaskText,
  most: number,
  before: readonly string[],
  after: readonly string[],
): string {
  const whole = task.room ?? Math.max(SMALLEST_HOST_ROOM_CHARS, most);
  const room = whole - paragraphs([...before, ...after]).length - '\n\n\n\n'.length;
  return paragraphs([...before, theTask(task, most, room), ...after]);
}

/** The most common case needs no list: the end of the message says how to give the promise anyway. */
export function lacksOnlyPromise([first, ...others]: readonly Missing[]): boolean {
  return first?.gate === 'promise' && !(first.seen ?? first.questioned) && others.length === 0;
}

function theTask({ prompt, file }: TaskText, most: number, room: number): string {
  const whole = `The task:\n\n${prompt}`;
  const isLong = most < WHOLE_PROMPT_CHARS && file !== null && prompt.split('\n').length > SHORT_LINES;
  if (!isLong && prompt.length <= most && whole.length <= room) return whole;
  if (file === null) return longTask(prompt, '', most, room);
  if (most === WHOLE_BRIEF_CHARS) return longTask(prompt, restOfTask(file), most, room);
  const pointer = `The whole task is in ${file}: read it again now if you no longer see all of it.`;
  return most < WHOLE_PROMPT_CHARS ? pointer : longTask(prompt, pointer, most, room);
}

export function howToEnd(frame: Frame, acts: readonly string[]): string {
  const required = requirementsOf(frame);
  const { claim: line, hasChoice: any } = required;
  const proof = sayChecked(required, acts);
  const claim =
    line === null
      ? `The loop ends when ${any ? 'any of these' : 'this'} holds at one of your stops.`
      : 'When all of it is really done, and not before, end your message with this line, outside any ' +
        `code block or quote:\n\n${line}`;
  return paragraphs([
    line === null ? `${proof} ${claim}` : [claim, proof].filter(Boolean).join('\n\n'),
    any && line !== null ? 'Any one of these is enough, the promise or what Da Capo sees.' : '',
    frame.atLeast > frame.passes + 1 ? `The loop does not end before iteration ${frame.atLeast}.` : '',
    `If you can't continue without a person, end with <promise>BLOCKED: the reason</promise> instead.`,
  ]);
}

export function sayChecked(required: Requirements, gateActs: readonly string[]): string {
  const seen = required.checks.filter(({ heldOut }) => !heldOut);
  const unseen = required.checks.length - seen.length;
  const checks = [
    ...few(seen, ({ command }) => `\`${oneLine(command, MAX_COMMAND_CHARS)}\``, MAX_CHECKS_LISTED),
    ...(unseen === 0 ? [] : [`${unseen === 1 ? 'a check' : `${unseen} checks`} that you can't see`]),
  ];
  const acts = [...(checks.length === 0 ? [] : [`runs ${checks.join(', ')}`]), ...gateActs];
  if (acts.length === 0) return '';
  return (
    'Da Capo checks this itself: it ' +
    `${acts.join(', and ')}.${required.hasChoice ? '' : ' Only that counts as proof.'}`
  );
}

export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
