/** Cancels, pauses, steers, interrupts and resumes a loop, for a session or a terminal. */
import type { Actor, AnswerActor, EventOf } from '#law/record/events.ts';
import { hasEnded, type Loop, type Owner } from '#law/loop.ts';
import { refuse } from '#base/refusal.ts';
import { MAX_NOTE_CHARS } from '#law/waiting/requests.ts';
import { headOf } from '#base/words/sanitize.ts';
import type { Runtime } from '#store/runtime.ts';
import { advise } from '#telling/advice.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { remakeViews } from '#evidence/views/registry.ts';
import { showAndKeep } from '#evidence/views/views.ts';
import { stopAwaitingPrompt } from '../begin/bind.ts';
import { refuseEnded, refuseUnclear, type ActedOn, type Choice } from '../look/find.ts';
import { knownLoop } from '../look/loops.ts';
import { actOnLoop, goesOn, resolveAll, resolveLoop } from './resolve.ts';
import { refuseToAgents, refuseToLift } from '../trust/people-only.ts';

/** Cancelling a loop that has ended is not an error. */
export function cancel(choice: Choice, by: Actor, runtime: Runtime) {
  const found = resolveLoop(choice, { fits: goesOn }, runtime);
  if (found.is === 'one') return cancelEach([found.open], by, runtime);
  return found.is === 'none' ? cancelEach([], by, runtime) : refuseUnclear(found, { verb: 'cancel' });
}

export function cancelAll(choice: Omit<Choice, 'id'>, by: Actor, runtime: Runtime) {
  const found = resolveAll(choice, goesOn, runtime);
  return found.is === 'all'
    ? cancelEach(found.opened, by, runtime)
    : refuseUnclear(found, { verb: 'cancel' });
}

/** Closes the loops. `meant`: those that the choice could mean, as they were before. */
function cancelEach(opened: readonly OpenLoop[], by: Actor, runtime: Runtime) {
  try {
    const meant = opened.map((open) => open.loop());
    const [refusal] = meant.flatMap((one) => refuseToLift(`dacapo cancel ${one.id}`, one, runtime.env) ?? []);
    if (refusal !== undefined) return refusal;
    const cancelled = opened.flatMap((open) => cancelOne(open, by, null, runtime) ?? []);
    return { ok: true as const, meant, cancelled };
  } finally {
    for (const open of opened) open.close();
  }
}

const NONE_TO_PAUSE = refuse(
  'none-to-pause',
  'No loop of this project can be paused.',
  advise`${{ verb: 'status' }} shows their status.`,
);
const NONE_TO_STEER = refuse(
  'none-to-steer',
  'No loop of this project is running.',
  advise`${{ verb: 'list-all' }} shows those of others.`,
);

/** Pausing a paused loop is not an error. Showing its view may end the loop: a person may have deleted it. */
export function pause(choice: Choice, by: Actor, runtime: Runtime): ActedOn {
  const rather = (open: OpenLoop) => open.loop().status.is !== 'paused';
  const found = resolveLoop(choice, { fits: goesOn, rather }, runtime);
  return actOnLoop(found, { verb: 'pause' }, NONE_TO_PAUSE, (open) => {
    const loop = knownLoop(open, runtime);
    if (hasEnded(loop)) return refuseEnded(loop, runtime.now());
    const refusal = refuseToLift(`dacapo pause ${loop.id}`, loop, runtime.env);
    if (refusal !== null) return refusal;
    pauseLoop(open, by, 'command', runtime);
    const after = knownLoop(open, runtime);
    return hasEnded(after) ? refuseEnded(after, runtime.now()) : { ok: true as const, loop: after };
  });
}

type SteerOrder = Choice & { readonly words: string; readonly by: Actor | AnswerActor };

/** Each agent after it gets the word, too. */
export function steer(order: SteerOrder, runtime: Runtime): ActedOn {
  const refusal = refuseToAgents('dacapo steer', runtime.env);
  if (refusal !== null) return refusal;
  const words = headOf(order.words.trim(), MAX_NOTE_CHARS);
  if (words === '')
    return refuse('no-words', 'The message is empty.', advise`Give them: ${{ verb: 'steer', loop: 'LOOP' }}`);
  const found = resolveLoop(order, { fits: goesOn }, runtime);
  return actOnLoop(found, { verb: 'steer' }, NONE_TO_STEER, (open) => {
    if (hasEnded(open.look())) return refuseEnded(open.loop(), runtime.now());
    const after = open.write({ type: 'steered', at: runtime.now(), by: order.by, words });
    open.keep();
    // Somebody ended it between our look and our line, and nothing follows an ending.
    if (hasEnded(after)) return refuseEnded(after, runtime.now());
    return { ok: true as const, loop: knownLoop(open, runtime) };
  });
}

export function cancelOne(open: OpenLoop, by: Actor, prompt: string | null, runtime: Runtime): Loop | null {
  const { status } = open.loop();
  const cancelled = cancelLoop(open, by, prompt, runtime);
  if (status.is === 'pending') stopAwaitingPrompt(open, runtime);
  return cancelled;
}

/** Returns null if the loop had already ended. Of two cancels, the first in the file counts. */
export function cancelLoop(open: OpenLoop, by: Actor, prompt: string | null, runtime: Runtime): Loop | null {
  if (hasEnded(open.look())) return null;
  open.write({ type: 'cancelled', at: runtime.now(), by, prompt });
  return showAndKeep(open, runtime);
}

export function pauseLoop(
  open: OpenLoop,
  by: Actor,
  why: 'command' | 'prompt' | 'clear',
  runtime: Runtime,
): Loop | null {
  const loop = open.look();
  if (hasEnded(loop) || loop.status.is === 'paused') return null;
  open.write({ type: 'paused', at: runtime.now(), by, why });
  return showAndKeep(open, runtime);
}

/** Nothing is running now, but the pass is not over: the loop can continue from here. */
export function interruptLoop(
  open: OpenLoop,
  why: EventOf<'interrupted'>['why'],
  detail: string,
  runtime: Runtime,
): Loop {
  open.write({ type: 'interrupted', at: runtime.now(), why, detail });
  return showAndKeep(open, runtime);
}

/** `session`: the one that continues, if known by now; otherwise the one that had the loop. */
type Resumption = Omit<EventOf<'resumed'>, 'type' | 'at' | 'machine'>;

/**
 * Restores the views and the session's entry, which an ending removed. The entry comes first, so that a
 * process that dies after the record leaves a session that finds its loop. It is written again at the end:
 * a stop in between found the loop ended and removed it.
 */
export function resumeLoop(open: OpenLoop, resumption: Resumption, runtime: Runtime): Loop {
  const before = open.look();
  const { session, process } = resumption;
  if (session !== null) keepEntry(before, { session, process }, runtime);
  const machine = runtime.store.machine();
  const loop = open.write({ type: 'resumed', at: runtime.now(), machine, ...resumption });
  if (hasEnded(before) && !hasEnded(loop)) remakeViews(open, runtime);
  const settled = showAndKeep(open, runtime);
  const { owner } = settled.session;
  if (owner !== null && !hasEnded(settled)) keepEntry(settled, owner, runtime);
  return settled;
}

function keepEntry(
  { id, project }: Loop,
  { session, process }: Pick<Owner, 'session' | 'process'>,
  { store }: Runtime,
): void {
  store.sessions.keep(session, { loop: id, process, project });
}

/** A check that said "not yet" is due now. Whoever waits for it sees that. */
export function lookNow(open: OpenLoop, runtime: Runtime): Loop {
  const at = runtime.now();
  open.write({ type: 'held', at, for: 'check', until: at });
  return showAndKeep(open, runtime);
}
