/** The stack view: a message of the topic `loop:current` where there is a `jwz`, else the fallback file. */
import { hasEnded } from '#law/loop.ts';
import { keepEvidence } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { findJwz, type Jwz } from './jwz.ts';
import * as format from './format.ts';
import { aborted, fileView, keepRendering, readRenderings, sayAborted } from '../file-view.ts';
import { importStack, knowsStack } from './import.ts';
import { IDLE_FILE, STACK_TOPIC, idleFileOf } from '../places.ts';
import type { Settled, View } from '../view.ts';
import { readPromptOf, promptPlace } from '#store/prompts.ts';
import type { Runtime } from '#store/runtime.ts';

const FILE = fileView({
  kind: 'stack',
  render: (open, loop) => format.renderIdle(loop, readPromptOf(open, loop)),
  read: (open, content, last) => format.readIdle(content, open.loop(), last),
  places: ({ id }) => [IDLE_FILE, idleFileOf(id)],
  isOver: (content) => ['done', 'aborted'].includes(format.readIdleState(content).is),
  // Other tools read the file as the state of a live loop.
  goes: ({ status }) => status.is === 'aborted',
});

export const stackView: View = {
  kind: 'stack',
  make: (open, places, runtime) => {
    const jwz = places.files?.stack === undefined ? findJwz(runtime.env, open.loop().project) : null;
    // The project has one topic: the loop that was first keeps it.
    const isFree =
      jwz !== null && !isHeld(format.readStackState(jwz.read() ?? ''), places.stackRun ?? null, runtime);
    return isFree && post(open, jwz) ? STACK_TOPIC : FILE.make(open, places, runtime);
  },
  read: (open, file, runtime) =>
    file === STACK_TOPIC ? readTopic(open, runtime) : FILE.read(open, file, runtime),
  render: (open, file, runtime) => {
    if (file === STACK_TOPIC) showInTopic(open, runtime);
    else FILE.render(open, file, runtime);
  },
  discard: (open, file) => (file === STACK_TOPIC ? undefined : FILE.discard?.(open, file)),
  restore: (open, file, runtime) => (file === STACK_TOPIC ? null : FILE.restore(open, file, runtime)),
  import: { place: IDLE_FILE, knows: knowsStack, from: importStack },
};

/** Whether another live loop holds the topic, as far as the format tells. */
function isHeld(state: format.StackState, ours: string | null, runtime: Runtime): boolean {
  return (
    state.is === 'active' &&
    (ours === null || state.runId !== ours) &&
    !format.isStateStale(state, runtime.now())
  );
}

/** A message is whole or absent, so we trust it at once. */
function readTopic(open: OpenLoop, runtime: Runtime): Settled {
  const loop = open.loop();
  const message = findJwz(runtime.env, loop.project)?.read() ?? null;
  const { last, isOurs } = readRenderings(open, 'stack');
  if (message === null || isOurs(message)) return 'settled';
  const change = format.readStack(message, loop, last);
  if (change.is !== 'aborted' && change.is !== 'garbage') return 'settled';
  const evidence = keepEvidence(open.blobs, 'rejected-loop-current.json', message);
  return aborted(open, `the topic ${STACK_TOPIC} ${sayAborted(change)}`, evidence, runtime);
}

function showInTopic(open: OpenLoop, runtime: Runtime): void {
  const loop = open.loop();
  if (messageOf(open) === readRenderings(open, 'stack').last) return;
  const jwz = findJwz(runtime.env, loop.project);
  if (jwz !== null) {
    const state = format.readStackState(jwz.read() ?? '');
    // A person's ABORT has ended the loop: we leave their message as it is.
    if (loop.status.is === 'aborted' && state.is === 'aborted') return;
    // If another loop has begun in the topic, we leave its state alone.
    if (isHeld(state, loop.id, runtime) || post(open, jwz)) return;
  }
  runtime.log(`loop=${loop.id} jwz can't be reached`);
  // `jwz` was there at the start and is gone: from now on the file shows the loop.
  if (!hasEnded(loop))
    open.write({ type: 'viewed', at: runtime.now(), kind: 'stack', file: FILE.make(open, {}, runtime) });
}

function post(open: OpenLoop, jwz: Jwz): boolean {
  const message = messageOf(open);
  return keepRendering(open, 'stack', message, () => jwz.post(message));
}

function messageOf(open: OpenLoop): string {
  return format.renderStack(open.loop(), ({ prompt }) => promptPlace(open.blobs, prompt));
}
