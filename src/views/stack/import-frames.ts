/** Imports the frames of a stack, each with its task, or says why the stack can't be continued. */
import { resolve } from 'node:path';
import { few } from '../../core/words/phrases.ts';
import { MOST_FRAMES } from '../../core/loop.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { isIn, realPath } from '../../files/paths.ts';
import { readRegular } from '../../files/read.ts';
import type { StackFrame, StackState } from './format.ts';
import type { BegunFrame } from '../imported.ts';

export const AGAIN = 'nothing was changed; correct it and try again.';

/** How many ignored fields we name. The copy has them all. */
const NAMED = 6;
const NAME = 40;

type Active = Extract<StackState, { is: 'active' }>;

/** All frames, the outermost first. The loop could not return to one that we left out. */
export function framesOf(
  { frames, prompt }: Active,
  name: string,
  project: string,
): readonly [BegunFrame, ...BegunFrame[]] | Refusal {
  if (frames.length > MOST_FRAMES)
    return refuse(
      'too-deep',
      `${name} has ${frames.length} frames in each other, and ${MOST_FRAMES} is the most here.`,
      'let some of them end where they were begun, and try again.',
    );
  const [first, ...rest] = frames;
  const outermost = begunFrame(first, prompt, nth(1, frames, name), project);
  if ('ok' in outermost) return outermost;
  const inner: BegunFrame[] = [];
  for (const [k, frame] of rest.entries()) {
    const begun = begunFrame(frame, prompt, nth(k + 2, frames, name), project);
    if ('ok' in begun) return begun;
    inner.push(begun);
  }
  return [outermost, ...inner];
}

function nth(n: number, { length }: Active['frames'], name: string): string {
  return length === 1 ? name : `frame ${n} of ${length} of ${name}`;
}

function begunFrame(
  frame: StackFrame,
  inside: string | null,
  name: string,
  project: string,
): BegunFrame | Refusal {
  const { mode, iteration, iterations } = frame;
  if (iterations !== 'unlimited' && iteration > iterations)
    return refuse(
      'used-up',
      `${name} is at iteration ${iteration} of ${iterations}: none is left.`,
      'raise max and try again.',
    );
  const prompt = promptOf(frame, inside, name, project);
  if (typeof prompt !== 'string') return prompt;
  return {
    mode,
    prompt,
    iterations: iterations === 'unlimited' ? null : iterations,
    passes: Math.max(0, iteration - 1),
  };
}

function promptOf(
  { promptFile }: StackFrame,
  inside: string | null,
  name: string,
  project: string,
): string | Refusal {
  if (hasPrompt(inside)) return inside.trim();
  if (promptFile === null) return refuse('no-prompt', `${name} has no prompt.`, AGAIN);
  const found = readRegular(resolve(project, promptFile));
  if (found.is === 'content' && found.content.trim() !== '') return found.content.trim();
  const why =
    found.is === 'gone'
      ? 'is not there'
      : found.is === 'content'
        ? 'is empty'
        : `can't be read (${found.why})`;
  return refuse(
    'no-prompt',
    `${name} has its prompt in ${promptFile}, which ${why}.`,
    'write the task into it and try again.',
  );
}

function hasPrompt(inside: string | null): inside is string {
  return inside !== null && inside.trim() !== '';
}

/** A stack in a project could name any file of this user's, and its text would go to the model. */
export function promptsOutside({ frames, prompt }: Active, project: string): string[] {
  if (hasPrompt(prompt)) return [];
  const named = frames.flatMap(({ promptFile }) =>
    promptFile === null ? [] : realPath(resolve(project, promptFile)),
  );
  return named.filter((file) => !isIn(file, realPath(project)));
}

/** Tells the person which parts of the frames we ignore. */
export function lostIn(frames: readonly StackFrame[]): string[] {
  return frames.flatMap(({ besides }, k) => {
    if (besides.length === 0) return [];
    const which = frames.length === 1 ? 'Its frame' : `Frame ${k + 1} of its stack`;
    const names = few(besides, (one) => oneLine(one, NAME), NAMED).join(', ');
    const mode = besides.some((one) => one.startsWith('mode ')) ? ' Its mode is taken for loop.' : '';
    return [`${which} also says ${names}: that means nothing here; it is only in the copy.${mode}`];
  });
}
