/**
 * Imports a stack: the topic's message, a file that holds one, or the fallback file. A stale one is refused.
 */
import { basename, dirname, resolve } from 'node:path';
import { parseAs, isRecord } from '#base/shape.ts';
import { few } from '#law/words/phrases.ts';
import { MAX_FRAMES } from '#law/loop.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { isIn, realPath, seenFromFolder } from '#base/files/paths.ts';
import { readRegular } from '#base/files/read.ts';
import { findJwz } from './jwz.ts';
import { IDLE_FILE, STACK_TOPIC } from '../places.ts';
import { STATE_FOLDER } from '../state-folder.ts';
import { isStateStale, readIdleState, readStackState, type StackFrame, type StackState } from './format.ts';
import { AGAIN, FOREIGN_STATE, refuseUnreadable, refuseNoneLeft, sayNoPrompt } from '../imported.ts';
import type { BegunFrame, Imported, ImportPlaces } from '../imported.ts';
import type { Named } from '../view.ts';
import type { Runtime } from '#store/runtime.ts';

const NEW_LOOP = 'start a new loop.';

/** How many ignored fields we name. The copy has them all. */
const MAX_FILES_LISTED = 6;
const MAX_NAME_CHARS = 40;

interface Source {
  readonly name: string;
  readonly copy: { readonly name: string; readonly bytes: string | Uint8Array };
  /** Its age, if the state itself has no time. */
  readonly modifiedAt: string | null;
  readonly project: string;
  readonly places: Partial<ImportPlaces>;
}

/** The topic, a fallback file, or JSON that says it is a stack. */
export function knowsStack({ path, is }: Named): boolean {
  const name = basename(path);
  if (name === STACK_TOPIC) return true;
  return is === 'file' && (isIdleFile(name) || (/\.json$/i.test(name) && looksLikeStack(path)));
}

/** Under any of the names that other tools give it. */
function isIdleFile(name: string): boolean {
  return /^idle-loop\b.*\.md$/.test(name);
}

function looksLikeStack(file: string): boolean {
  const found = readRegular(file);
  if (found.is !== 'content') return false;
  const value = parseAs(isRecord, found.content.replace(/^\uFEFF/, ''));
  return value !== null && ('stack' in value || ('event' in value && 'schema' in value));
}

export function importStack(path: string, here: string, runtime: Runtime): Imported | Refusal {
  return basename(path) === STACK_TOPIC ? fromTopic(here, runtime) : fromFile(path, here, runtime);
}

function fromTopic(here: string, runtime: Runtime): Imported | Refusal {
  const jwz = findJwz(runtime.env, here);
  const message = jwz?.read() ?? null;
  if (message === null)
    return refuse(
      'no-topic',
      jwz === null ? 'there is no jwz on the PATH.' : `the topic ${STACK_TOPIC} holds no message.`,
      `name a file instead, such as ${IDLE_FILE}.`,
    );
  const source: Source = {
    name: `the topic ${STACK_TOPIC}`,
    copy: { name: 'adopted-loop-current.json', bytes: message },
    modifiedAt: null,
    project: here,
    places: {},
  };
  return fromState(readStackState(message), source, runtime);
}

/** A fallback file in its usual place becomes the view. Any other file is only read. */
function fromFile(file: string, here: string, runtime: Runtime): Imported | Refusal {
  const found = readRegular(file);
  if (found.is !== 'content') return refuseUnreadable(file, found);
  const isIdle = isIdleFile(basename(file));
  const inPlace = isIdle && basename(dirname(file)) === STATE_FOLDER;
  const project = inPlace ? dirname(dirname(file)) : here;
  const source: Source = {
    name: file,
    copy: { name: `adopted-${basename(file)}`, bytes: found.bytes },
    modifiedAt: new Date(found.modifiedMs).toISOString(),
    project,
    places: inPlace ? { files: { stack: seenFromFolder(project, file) } } : {},
  };
  return fromState((isIdle ? readIdleState : readStackState)(found.content), source, runtime);
}

function fromState(state: StackState, source: Source, runtime: Runtime): Imported | Refusal {
  const { name, project } = source;
  if (state.is !== 'active') return refuseState(state, name);
  const updatedAt = state.updatedAt ?? source.modifiedAt;
  if (isStateStale({ updatedAt }, runtime.now()))
    return refuse(
      'stale',
      `${name} is stale: ` +
        `${updatedAt === null ? 'it does not say when it was updated' : `last updated ${updatedAt}`}, ` +
        'and nothing older than 2 h is revived.',
      'start a new loop with its prompt: dacapo ready "PROMPT" --view stack',
    );
  const read = { ...state, prompt: state.prompt?.trim() || null };
  const frames = framesOf(read, name, project);
  if ('ok' in frames) return frames;
  const [outermost, ...inner] = frames;
  if (outermost === undefined) return refuse('no-loop', `${name} has no frames.`, NEW_LOOP);
  const { mode, prompt, iterations, passes } = outermost;
  return {
    ...FOREIGN_STATE,
    project,
    prompt,
    fields: { maxIterations: iterations ?? 'unlimited', view: 'stack' },
    imported: {
      mode,
      passes,
      inner,
      places: { ...source.places, stackRun: state.runId },
      copies: [source.copy],
    },
    known: state.runId,
    notes: lostIn(state.frames),
    outside: promptsOutside(read, project),
  };
}

type Active = Extract<StackState, { is: 'active' }>;

function refuseState(state: Exclude<StackState, Active>, name: string): Refusal {
  switch (state.is) {
    case 'idle':
      return refuse('no-loop', `${name} shows no loop: its stack is empty or not active.`, NEW_LOOP);
    case 'done':
      return refuse('ended', `${name} describes a loop that is over (${state.reason ?? 'DONE'}).`, NEW_LOOP);
    case 'aborted':
      return refuse('ended', `${name} describes a loop that was aborted (${state.why}).`, NEW_LOOP);
    case 'garbage':
      return refuse('no-loop', `${name} can't be trusted: ${state.why}.`, AGAIN);
  }
}

/** All frames, the outermost first. The loop could not return to one that we left out. */
function framesOf({ frames, prompt }: Active, name: string, project: string) {
  if (frames.length > MAX_FRAMES)
    return refuse(
      'too-deep',
      `${name} has ${frames.length} nested frames, the maximum here is ${MAX_FRAMES}.`,
      'let some of them end where they were begun, and try again.',
    );
  const begun: BegunFrame[] = [];
  for (const [k, frame] of frames.entries()) {
    const which = frames.length === 1 ? name : `frame ${k + 1} of ${frames.length} of ${name}`;
    const one = begunFrame(frame, prompt, which, project);
    if ('ok' in one) return one;
    begun.push(one);
  }
  return begun;
}

function begunFrame(frame: StackFrame, inside: string | null, name: string, project: string) {
  const { mode, iteration, iterations } = frame;
  if (iterations !== 'unlimited' && iteration > iterations)
    return refuseNoneLeft(name, iteration, iterations, 'max');
  const prompt = readStackPrompt(frame, inside, name, project);
  if (typeof prompt !== 'string') return prompt;
  return {
    mode,
    prompt,
    iterations: iterations === 'unlimited' ? null : iterations,
    passes: Math.max(0, iteration - 1),
  };
}

function readStackPrompt({ promptFile }: StackFrame, inside: string | null, name: string, project: string) {
  if (inside !== null) return inside;
  if (promptFile === null) return refuse('no-prompt', `${name} has no prompt.`, AGAIN);
  const found = readRegular(resolve(project, promptFile));
  if (found.is === 'content' && found.content.trim() !== '') return found.content.trim();
  return refuse(
    'no-prompt',
    `${name} has its prompt in ${promptFile}, which ${sayNoPrompt(found)}.`,
    'write the task into it and try again.',
  );
}

/** A stack in a project could name any file of this user's, and its text would go to the model. */
function promptsOutside({ frames, prompt }: Active, project: string): string[] {
  if (prompt !== null) return [];
  const named = frames.flatMap(({ promptFile }) =>
    promptFile === null ? [] : realPath(resolve(project, promptFile)),
  );
  return named.filter((file) => !isIn(file, realPath(project)));
}

function lostIn(frames: readonly StackFrame[]): string[] {
  return frames.flatMap(({ besides }, k) => {
    if (besides.length === 0) return [];
    const which = frames.length === 1 ? 'Its frame' : `Frame ${k + 1} of its stack`;
    const names = few(besides, (one) => oneLine(one, MAX_NAME_CHARS), MAX_FILES_LISTED).join(', ');
    const mode = besides.some((one) => one.startsWith('mode ')) ? ' Its mode is taken for loop.' : '';
    return [`${which} also says ${names}: that means nothing here; it is only in the copy.${mode}`];
  });
}
