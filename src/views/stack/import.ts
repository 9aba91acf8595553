/** Imports a stack: the topic's message, a file that holds one, or the fallback file. A stale one is refused. */
import { basename, dirname } from 'node:path';
import { parseAs, isRecord } from '../../core/shape.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { seenFromFolder } from '../../files/paths.ts';
import { readRegular, type FileReading } from '../../files/read.ts';
import { findJwz } from './jwz.ts';
import { STATE_FOLDER } from '../state-folder.ts';
import { IDLE_FILE, STACK_TOPIC } from './names.ts';
import { isStale, readIdleState, readStackState, type StackState } from './format.ts';
import { AGAIN, framesOf, lostIn, promptsOutside } from './import-frames.ts';
import { type Imported, type ImportPlaces } from '../imported.ts';
import type { Named } from '../view.ts';
import type { Runtime } from '../../store/runtime.ts';

/** Where a state was found, and which copy of it we keep. */
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

export function importStack(path: string, here: string, runtime: Runtime): Imported | Refusal {
  const name = basename(path);
  if (name === STACK_TOPIC) return fromTopic(here, runtime);
  return isIdleFile(name) ? fromIdleFile(path, here, runtime) : fromJson(path, here, runtime);
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

function fromJson(file: string, here: string, runtime: Runtime): Imported | Refusal {
  const found = readRegular(file);
  if (found.is !== 'content') return unreadable(file, found);
  return fromState(readStackState(found.content), sourceOf(file, found, here, {}), runtime);
}

function fromIdleFile(file: string, here: string, runtime: Runtime): Imported | Refusal {
  const found = readRegular(file);
  if (found.is !== 'content') return unreadable(file, found);
  const folder = dirname(file);
  const inPlace = basename(folder) === STATE_FOLDER;
  const project = inPlace ? dirname(folder) : here;
  // A state in another place is only read.
  const places = inPlace ? { files: { stack: seenFromFolder(project, file) } } : {};
  return fromState(readIdleState(found.content), sourceOf(file, found, project, places), runtime);
}

function unreadable(file: string, found: Exclude<FileReading, { is: 'content' }>): Refusal {
  return refuse('no-file', `${file} can't be read (${found.is === 'gone' ? 'gone' : found.why}).`, AGAIN);
}

function looksLikeStack(file: string): boolean {
  const found = readRegular(file);
  if (found.is !== 'content') return false;
  const value = parseAs(isRecord, found.content.replace(/^\uFEFF/, ''));
  return value !== null && ('stack' in value || ('event' in value && 'schema' in value));
}

function sourceOf(
  file: string,
  { bytes, modifiedMs }: Extract<FileReading, { is: 'content' }>,
  project: string,
  places: Partial<ImportPlaces>,
): Source {
  return {
    name: file,
    copy: { name: `adopted-${basename(file)}`, bytes },
    modifiedAt: new Date(modifiedMs).toISOString(),
    project,
    places,
  };
}

function fromState(state: StackState, source: Source, runtime: Runtime): Imported | Refusal {
  const { name, project } = source;
  switch (state.is) {
    case 'idle':
      return refuse(
        'no-loop',
        `${name} shows no loop: its stack is empty or not active.`,
        'start a new loop.',
      );
    case 'done':
      return refuse(
        'ended',
        `${name} tells of a loop that is over (${state.reason ?? 'DONE'}).`,
        'start a new loop.',
      );
    case 'aborted':
      return state.by === 'event'
        ? refuse('ended', `${name} tells of a loop that was aborted (${state.why}).`, 'start a new loop.')
        : refuse('no-loop', `${name} can't be trusted: ${state.why}.`, AGAIN);
    case 'active':
      break;
  }
  const updatedAt = state.updatedAt ?? source.modifiedAt;
  if (isStale({ updatedAt }, runtime.now()))
    return refuse(
      'stale',
      `${name} is stale: ${updatedAt === null ? 'it does not say when it was updated' : `last updated ${updatedAt}`}, and nothing older than 2 h is revived.`,
      'start a new loop with its prompt: dacapo ready "PROMPT" --view stack',
    );
  const frames = framesOf(state, name, project);
  if ('ok' in frames) return frames;
  const [{ mode, prompt, iterations, passes }, ...inner] = frames;
  return {
    ok: true,
    project,
    prompt,
    flags: [`--max-iterations=${iterations ?? 'unlimited'}`, '--view=stack'],
    imported: {
      mode,
      passes,
      inner,
      places: { ...source.places, stackRun: state.runId },
      copies: [source.copy],
    },
    session: null,
    known: state.runId,
    isOurs: false,
    notes: lostIn(state.frames),
    outside: promptsOutside(state, project),
  };
}
