/**
 * Gives a loop to a session, or to the first session that gets its prompt. The session's entry comes first,
 * then the record: a process that dies in between leaves an entry that nobody believes. The other way round,
 * the session would never hear of its loop.
 */
import type { EventOf } from '#law/record/events.ts';
import type { Loop } from '#law/loop.ts';
import type { Sender } from '#hosts/port/arrival.ts';
import { keepEnvironment } from '#evidence/proofs/environment.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { readPrompt } from '../look/loops.ts';

export function bind(
  open: OpenLoop,
  from: Sender,
  { how, prompt }: Pick<EventOf<'bound'>, 'how' | 'prompt'>,
  runtime: Runtime,
): Loop {
  const { session, process } = from;
  const { id, project, host: hostBefore } = open.loop();
  const machine = runtime.store.machine();
  const host = from.host === hostBefore ? {} : { host: from.host };
  runtime.store.sessions.keep(session, { loop: id, process, project });
  const at = runtime.now();
  const loop = open.write({ type: 'bound', at, session, process, machine, how, prompt, ...host });
  // A session that goes on by itself has done work already: what its environment is by now proves nothing.
  if (how !== 'takeover' && how !== 'clear') keepEnvironment(open, runtime);
  return loop;
}

export function awaitPrompt(open: OpenLoop, { store }: Runtime): void {
  const { project, id } = open.loop();
  store.ready.keep(project, readPrompt(open), id);
}

/** The loop was cancelled or taken up in another way. Another loop may wait for the same prompt by now. */
export function stopAwaitingPrompt(open: OpenLoop, { store }: Runtime): void {
  const { project, id } = open.loop();
  const prompt = readPrompt(open);
  if (store.ready.find(project, prompt) === id) store.ready.drop(project, prompt);
}
