/** The stack view: a message of the topic `loop:current` where there is a `jwz`, else the fallback file. */
import { basename, resolve } from 'node:path';
import { hasEnded, type Loop } from '../../core/loop.ts';
import { keepCopy, keepRendering, renderingsOf } from '../renderings.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { readRegular } from '../../files/read.ts';
import { removeViewFile } from '../file.ts';
import { findJwz, type Jwz } from './jwz.ts';
import {
  isStale,
  readIdle,
  readIdleState,
  readStack,
  readStackState,
  renderIdle,
  renderStack,
  type StackReading,
  type StackState,
} from './format.ts';
import {
  aborted,
  makeFile,
  readInFile,
  showInFile,
  takeFile,
  type FileChange,
  type FileView,
} from '../file-view.ts';
import { importStack, knowsStack } from './import.ts';
import { IDLE_FILE, STACK_FILES, STACK_TOPIC, idleFileOf } from './names.ts';
import type { Settled, View } from '../view.ts';
import { promptOf, promptPlace } from '../../store/prompts.ts';
import type { Runtime } from '../../store/runtime.ts';

const FILE: FileView = {
  kind: 'stack',
  read: (open, content, last) => asChange(readIdle(content, open.loop(), last)),
  render: (open, loop) => renderIdle(loop, promptOf(open, loop)),
};

export const stackView: View = {
  kind: 'stack',
  files: STACK_FILES,
  make: (open, { files, stackRun = null }, runtime) => {
    if (files?.stack !== undefined && takeFile(FILE, open, files.stack)) return files.stack;
    const jwz = findJwz(runtime.env, open.loop().project);
    // The project has one topic: the loop that was first keeps it.
    if (jwz === null || isHeld(readStackState(jwz.read() ?? ''), stackRun, runtime)) return makeIdle(open);
    return post(open, jwz) ? STACK_TOPIC : makeIdle(open);
  },
  read: (open, file, runtime) =>
    file === STACK_TOPIC ? readTopic(open, runtime) : readInFile(FILE, open, file, runtime),
  render: (open, file, runtime) => {
    if (file === STACK_TOPIC) showInTopic(open, runtime);
    else if (open.loop().status.is === 'aborted') removeAborted(open, file);
    else showInFile(FILE, open, file, runtime);
  },
  restore: (open, file) => (file !== STACK_TOPIC && makeFile(FILE, open, file) ? file : null),
  import: { place: IDLE_FILE, knows: knowsStack, from: importStack },
};

/** A person's ABORT has ended the loop. We leave their message as it is. */
function saysAbort(open: OpenLoop, state: StackState): boolean {
  return open.loop().status.is === 'aborted' && state.is === 'aborted' && state.by === 'event';
}

/** Other tools read the file as the state of a live loop, so that of an aborted one goes. Others' words are copied. */
function removeAborted(open: OpenLoop, file: string): void {
  const path = resolve(open.loop().project, file);
  const found = readRegular(path);
  if (found.is !== 'content') return;
  const { last, isOurs } = renderingsOf(open, FILE.kind);
  if (!isOurs(found.content)) {
    if (FILE.read(open, found.content, last).is === 'foreign') return;
    keepCopy(open, `last-${basename(path)}`, found.bytes);
  }
  removeViewFile(path);
}

function asChange(reading: StackReading): FileChange {
  if (reading.is !== 'aborted') return reading;
  return { is: reading.by === 'event' ? 'aborted' : 'garbage', why: reading.why };
}

/** Whether another live loop holds the topic, as far as the format tells. */
function isHeld(state: StackState, ours: string | null, runtime: Runtime): boolean {
  return state.is === 'active' && (ours === null || state.runId !== ours) && !isStale(state, runtime.now());
}

/** Replaces the state of an ended loop, after a copy; any other file of that name stays. */
function makeIdle(open: OpenLoop): string {
  const loop = open.loop();
  if (makeFile(FILE, open, IDLE_FILE) || takesOver(open, IDLE_FILE)) return IDLE_FILE;
  const own = idleFileOf(loop.id);
  if (!makeFile(FILE, open, own)) throw new Error(`${own} is there already`);
  return own;
}

function takesOver(open: OpenLoop, file: string): boolean {
  const path = resolve(open.loop().project, file);
  const found = readRegular(path);
  if (found.is !== 'content') return false;
  const state = readIdleState(found.content);
  if (state.is !== 'done' && !(state.is === 'aborted' && state.by === 'event')) return false;
  keepCopy(open, `before-${basename(path)}`, found.bytes);
  return takeFile(FILE, open, file);
}

/** A message is whole or absent, so we trust it at once. */
function readTopic(open: OpenLoop, runtime: Runtime): Settled {
  const loop = open.loop();
  const message = findJwz(runtime.env, loop.project)?.read() ?? null;
  const { last, isOurs } = renderingsOf(open, FILE.kind);
  if (message === null || isOurs(message)) return 'settled';
  const reading = readStack(message, loop, last);
  if (reading.is !== 'aborted') return 'settled';
  const evidence = keepCopy(open, 'rejected-loop-current.json', message);
  const says = reading.by === 'event' ? `says ABORT (${reading.why})` : `can't be trusted: ${reading.why}`;
  return aborted(open, `the topic ${STACK_TOPIC} ${says}`, evidence, runtime);
}

function showInTopic(open: OpenLoop, runtime: Runtime): void {
  const loop = open.loop();
  const { last } = renderingsOf(open, FILE.kind);
  if (messageOf(open, loop) === last) return;
  const jwz = findJwz(runtime.env, loop.project);
  // If another loop has begun in the topic, we leave its state alone.
  if (jwz !== null) {
    const state = readStackState(jwz.read() ?? '');
    if (saysAbort(open, state) || isHeld(state, loop.id, runtime) || post(open, jwz)) return;
  }
  runtime.log(`loop=${loop.id} jwz can't be reached`);
  // `jwz` was there at the start and is gone: from now on the file shows the loop.
  if (!hasEnded(loop))
    open.write({ type: 'viewed', at: runtime.now(), kind: FILE.kind, file: makeIdle(open) });
}

function post(open: OpenLoop, jwz: Jwz): boolean {
  const message = messageOf(open, open.loop());
  return keepRendering(open, FILE.kind, message, () => jwz.post(message));
}

function messageOf(open: OpenLoop, loop: Loop): string {
  return renderStack(loop, ({ prompt }) => promptPlace(open.blobs, prompt));
}
