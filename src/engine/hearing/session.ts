/**
 * A session begins again or ends. Its loop moves with it, continues or is interrupted, so that nothing stale
 * revives.
 */
import { hasEnded, isLive, isStale, type Loop } from '#law/loop.ts';
import { brief } from '#telling/agent/to-agent.ts';
import { sayAwaits, sayPaused } from '#telling/person/to-person.ts';
import { SILENCE, type Answer, type Arrival, type Sender } from '#hosts/port/arrival.ts';
import type { FatalKind } from '#hosts/port/stream.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { interruptLoop, pauseLoop, resumeLoop } from '../steer/control.ts';
import { crowdedNews } from './answer.ts';
import { endedMeanwhile } from './ending.ts';
import { bind } from '../begin/bind.ts';
import { askAboutFault, deliverNews } from '../requests/ask.ts';
import { isOwner } from './own-loop.ts';
import { readTask } from '#store/prompts.ts';
import { showAndKeep } from '#evidence/views/views.ts';
import { ownerLives, isHere, isOwnedByProcess, type Runtime } from '#store/runtime.ts';
import { withLoop } from '../look/loops.ts';
import type { SessionEntry } from '#store/store.ts';
import { hearStop } from './stop.ts';

type ArrivalOf<K extends Arrival['is']> = Extract<Arrival, { is: K }>;

export function hearSessionStart(arrival: ArrivalOf<'session-start'>, runtime: Runtime): Answer {
  if (arrival.source === 'clear') return moveAlong(arrival.from, runtime);
  return withOwnLoop(arrival.from, runtime, (open) =>
    arrival.source === 'compact'
      ? briefAgain(open, arrival.from, runtime)
      : comeBack(open, arrival.from, runtime),
  );
}

export function hearSessionEnd(arrival: ArrivalOf<'session-end'>, runtime: Runtime): Answer {
  return withOwnLoop(arrival.from, runtime, (open) => {
    const loop = open.loop();
    if (hasEnded(loop)) runtime.store.sessions.drop(arrival.from.session);
    else if (!isOwner(loop, arrival.from, runtime)) return SILENCE;
    else if (arrival.reason === 'clear') pauseLoop(open, 'session', 'clear', runtime);
    // A host that gave up ends its session afterwards. The error is the reason, not the end.
    else if (isLive(loop)) interruptLoop(open, 'session-end', arrival.reason, runtime);
    return SILENCE;
  });
}

/** The host gave up on the model: the pass is not over, but nothing runs. */
export function hearFault(arrival: ArrivalOf<'fault'>, runtime: Runtime): Answer {
  return withOwnLoop(arrival.from, runtime, (open) => {
    if (!isLive(open.loop()) || !isOwner(open.loop(), arrival.from, runtime)) return SILENCE;
    const { error, detail, fatal, login } = arrival;
    const why = detail === '' ? error : `${error}: ${detail}`;
    if (fatal === null) interruptLoop(open, 'fault', why, runtime);
    else failForGood(open, { kind: fatal, why, login }, runtime);
    return SILENCE;
  });
}

/**
 * A person has to act before the loop can continue. The host shows nothing of our answer, so their next
 * prompt does.
 */
function failForGood(
  open: OpenLoop,
  {
    kind,
    why,
    login,
  }: { readonly kind: FatalKind; readonly why: string; readonly login?: string | undefined },
  runtime: Runtime,
): void {
  const attempt = open.loop().run.faults.inARow + 1;
  const fault = { fault: 'fatal', detail: `${kind}: ${why}`, attempt, until: null } as const;
  const account = login === undefined ? {} : { login };
  open.write({ type: 'faulted', at: runtime.now(), ...fault, ...account, evidence: null, used: null });
  askAboutFault(open, { kind, why }, null, runtime);
  showAndKeep(open, runtime);
}

function briefAgain(open: OpenLoop, from: Sender, runtime: Runtime): Answer {
  if (!isLive(open.loop())) return SILENCE;
  const loop = open.write({ type: 'compacted', at: runtime.now() });
  runtime.store.once.forget(crowdedNews(loop));
  open.keep();
  return { is: 'brief', toAgent: brief(loop, readTask(open, loop, from.limits.text)), toPerson: null };
}

/**
 * A session was opened again. If a person had stopped its loop, only their word continues it: they gave it
 * before (`dacapo resume`), or they are told here how to give it. A prompt of their own is no such word, as
 * after Esc. If the host had crashed, the next prompt continues it.
 */
function comeBack(open: OpenLoop, from: Sender, runtime: Runtime): Answer {
  const before = open.loop();
  if (hasEnded(before) || isHeldElsewhere(before, from, runtime)) return SILENCE;
  // A loop that a crash left running is stale by now. Its next stop says so (rule 7).
  if (isLive(before) && isStale(before, runtime.now())) return SILENCE;
  if (before.session.awaited) return continueAwaited(open, from, runtime);
  // Told once, even if the hook is registered twice.
  const news = runtime.store.once.isNews(`${from.session} ${from.process} ${before.updatedAt} back`);
  // A person may have deleted the view meanwhile, which cancels the loop.
  const loop = isLive(before) ? interruptLoop(open, 'gone', '', runtime) : showAndKeep(open, runtime);
  if (hasEnded(loop)) return endedMeanwhile(loop, from, runtime);
  return news ? { is: 'tell', toPerson: sayPaused(loop, from.commands) } : SILENCE;
}

function isHeldElsewhere(loop: Loop, from: Sender, runtime: Runtime): boolean {
  return (
    isLive(loop) && !isOwnedByProcess(loop.session.owner, from.process, runtime) && ownerLives(loop, runtime)
  );
}

/** The loop continues with the next prompt, whatever it says. */
function continueAwaited(open: OpenLoop, from: Sender, runtime: Runtime): Answer {
  const before = open.loop();
  const { session, process } = from;
  const loop = resumeLoop(open, { by: 'host', session, process, prompt: null, iterations: null }, runtime);
  if (hasEnded(loop)) return endedMeanwhile(loop, from, runtime);
  const isTold = isOwnedByProcess(before.session.owner, from.process, runtime);
  const toPerson = isTold ? null : sayAwaits(loop, from.commands);
  return { is: 'brief', toAgent: briefWithNews(open, loop, from, runtime), toPerson };
}

/** `/clear` gives the same process a new session id. The loop of that process moves to the new id, paused. */
function moveAlong(from: Sender, runtime: Runtime): Answer {
  if (from.process === null) return SILENCE;
  for (const { session, entry } of runtime.store.sessions.all()) {
    if (entry.process !== from.process || session === from.session || entry.project !== from.project)
      continue;
    const moved = withLoop(entry.loop, runtime, (open): Answer | null => {
      const { status, session: held } = open.loop();
      // A loop that ended with its process is not moved: another process may have got that process id since.
      if (hasEnded(open.loop()) || status.is === 'interrupted') return null;
      if (held.owner?.session !== session || !isHere(held.owner, runtime)) return null;
      bind(open, from, { how: 'clear', prompt: null }, runtime);
      runtime.store.sessions.drop(session);
      const loop = showAndKeep(open, runtime);
      if (hasEnded(loop)) return endedMeanwhile(loop, from, runtime);
      return { is: 'tell', toPerson: sayPaused(loop, from.commands) };
    });
    if (moved !== null) return moved;
  }
  return SILENCE;
}

function withOwnLoop({ session }: Sender, runtime: Runtime, act: (open: OpenLoop) => Answer): Answer {
  const entry = runtime.store.sessions.find(session);
  const isOwned = (open: OpenLoop) => open.loop().session.owner?.session === session;
  return (entry && withLoop(entry.loop, runtime, (open) => (isOwned(open) ? act(open) : null))) ?? SILENCE;
}

/** The brief for an agent that takes up its loop again, with what a person answered or said meanwhile. */
export function briefWithNews(open: OpenLoop, loop: Loop, from: Sender, runtime: Runtime): string {
  const news = deliverNews(open, runtime);
  const words = brief(loop, readTask(open, loop, from.limits.text - news.length));
  return news === '' ? words : `${news}\n\n${words}`;
}

/**
 * A stop of a host that does not send all of it. Asking for the rest takes time, so it is asked only where
 * there is a loop.
 */
export async function hearLateStop(
  { rest, ...arrival }: ArrivalOf<'stop'>,
  runtime: Runtime,
  entry: SessionEntry | null,
): Promise<Answer> {
  const { message, failed } = (await rest?.()) ?? { message: arrival.message, failed: null };
  // To continue would repeat the request that has failed.
  if (failed !== null) return hearFault({ is: 'fault', from: arrival.from, ...failed }, runtime);
  return hearStop({ ...arrival, message }, runtime, entry);
}
