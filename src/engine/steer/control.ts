/** Cancels, pauses, steers, interrupts and resumes a loop, for a session or a terminal. */
import type { Actor, AnswerActor, EventOf } from '#law/record/events.ts';
import { hasEnded, type Loop } from '#law/loop.ts';
import { refuse } from '#base/refusal.ts';
import { NOTE_LIMIT } from '#law/waiting/requests.ts';
import { headOf } from '#base/words/sanitize.ts';
import type { Runtime } from '#store/runtime.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { remakeViews } from '#evidence/views/registry.ts';
import { showAndKeep } from '#evidence/views/views.ts';
import { stopAwaitingPrompt } from '../begin/bind.ts';
import { actOn, findLoop, isUnclear, loopsToActOn, refuseEnded, refuseUnclear } from '../look/find.ts';
import type { ActedOn, Choice } from '../look/find.ts';
import { knownLoop, withLoop } from '../look/loops.ts';
import { refuseToAgents, refuseToLift } from '../trust/people-only.ts';

const goesOn = (loop: Loop) => !hasEnded(loop);

/** Cancelling a loop that has ended is not an error. */
export function cancel(choice: Choice, by: Actor, runtime: Runtime) {
  const found = findLoop(choice, goesOn, runtime);
  if (isUnclear(found)) return refuseUnclear(found, 'cancel');
  return cancelEach(found.is === 'one' ? [found.loop] : [], by, runtime);
}

export function cancelAll(choice: Omit<Choice, 'id'>, by: Actor, runtime: Runtime) {
  const { own, below } = loopsToActOn(choice, runtime);
  const meant = own.filter(goesOn);
  const others = below.filter(goesOn);
  if (meant.length === 0 && others.length > 0) return refuseUnclear({ is: 'below', loops: others }, 'cancel');
  return cancelEach(meant, by, runtime);
}

/** `meant`: the loops that the choice could mean, as they were before. */
function cancelEach(meant: readonly Loop[], by: Actor, runtime: Runtime) {
  const [refusal] = meant.flatMap((one) => refuseToLift(`dacapo cancel ${one.id}`, one, runtime.env) ?? []);
  if (refusal !== undefined) return refusal;
  const cancelled = meant.flatMap(
    ({ id }) => withLoop(id, runtime, (open) => cancelOne(open, by, null, runtime)) ?? [],
  );
  return { ok: true as const, meant, cancelled };
}

const NONE_TO_PAUSE = refuse(
  'none-to-pause',
  'No loop of this project can be paused.',
  'dacapo status shows how they stand.',
);
const NONE_TO_STEER = refuse(
  'none-to-steer',
  'No loop of this project is going on.',
  'dacapo list --all shows those of others.',
);

/** Pausing a paused loop is not an error. Showing its view may end the loop: a person may have deleted it. */
export function pause(choice: Choice, by: Actor, runtime: Runtime): ActedOn {
  const going = findLoop(choice, (loop) => goesOn(loop) && loop.status.is !== 'paused', runtime);
  const found = going.is === 'none' ? findLoop(choice, goesOn, runtime) : going;
  return actOn(found, 'pause', NONE_TO_PAUSE, runtime, (open) => {
    const loop = knownLoop(open, runtime);
    if (hasEnded(loop)) return refuseEnded(loop, runtime.now());
    const refusal = refuseToLift(`dacapo pause ${loop.id}`, loop, runtime.env);
    if (refusal !== null) return refusal;
    pauseLoop(open, by, 'command', runtime);
    return { ok: true as const, loop: knownLoop(open, runtime) };
  });
}

type SteerOrder = Choice & { readonly words: string; readonly by: Actor | AnswerActor };

/** Each agent after it gets the word, too. */
export function steer(order: SteerOrder, runtime: Runtime): ActedOn {
  const refusal = refuseToAgents('dacapo steer', runtime.env);
  if (refusal !== null) return refusal;
  const words = headOf(order.words.trim(), NOTE_LIMIT);
  if (words === '')
    return refuse('no-words', 'There is nothing to say to the agent.', 'Give them: dacapo steer LOOP "…"');
  return actOn(findLoop(order, goesOn, runtime), 'steer ID "…"', NONE_TO_STEER, runtime, (open) => {
    if (hasEnded(open.look())) return refuseEnded(open.loop(), runtime.now());
    open.write({ type: 'steered', at: runtime.now(), by: order.by, words });
    open.keep();
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
 * Restores the views and the session's entry, which an ending removed; the entry last, because a stop begins
 * there.
 */
export function resumeLoop(open: OpenLoop, resumption: Resumption, runtime: Runtime): Loop {
  const before = open.look();
  const machine = runtime.store.machine();
  const loop = open.write({ type: 'resumed', at: runtime.now(), machine, ...resumption });
  if (hasEnded(before) && !hasEnded(loop)) remakeViews(open, runtime);
  const settled = showAndKeep(open, runtime);
  const { id, project, session } = settled;
  const { owner } = session;
  if (owner !== null && !hasEnded(settled))
    runtime.store.sessions.keep(owner.session, { loop: id, process: owner.process, project });
  return settled;
}

/** A check that said "not yet" is due now. Whoever waits for it sees that. */
export function lookNow(open: OpenLoop, runtime: Runtime): Loop {
  const at = runtime.now();
  open.write({ type: 'held', at, for: 'check', until: at });
  return showAndKeep(open, runtime);
}
