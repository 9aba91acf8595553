/**
 * A session begins again or ends. Its loop moves with it, continues or is interrupted, so that nothing stale revives.
 */
import { hasEnded, isLive } from '../core/loop.ts';
import { brief } from '../text/agent/to-agent.ts';
import { sayAwaits, sayPaused } from '../text/to-person.ts';
import { SILENCE, type Answer, type Arrival, type Sender } from '../hosts/arrival.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { interruptLoop, pauseLoop, resumeLoop } from '../operations/steer/control.ts';
import { crowdedNews } from './answer.ts';
import { endedMeanwhile } from './ending.ts';
import { bind } from '../operations/begin/bind.ts';
import { isOwner } from '../operations/begin/ownership.ts';
import { taskOf } from '../views/task.ts';
import { showViews } from '../views/views.ts';
import { isHere, ownerLives } from '../store/liveness.ts';
import type { Runtime } from '../store/runtime.ts';

type Of<K extends Arrival['is']> = Extract<Arrival, { is: K }>;

export function hearSessionStart(arrival: Of<'session-start'>, world: Runtime): Answer {
  if (arrival.source === 'clear') return moveAlong(arrival.from, world);
  return withLoop(arrival.from, world, (open) =>
    arrival.source === 'compact'
      ? briefAgain(open, arrival.from, world)
      : comeBack(open, arrival.from, world),
  );
}

export function hearSessionEnd(arrival: Of<'session-end'>, world: Runtime): Answer {
  return withLoop(arrival.from, world, (open) => {
    const loop = open.loop();
    if (hasEnded(loop)) world.store.sessions.drop(arrival.from.session);
    else if (!isOwner(loop, arrival.from)) return SILENCE;
    else if (arrival.reason === 'clear') pauseLoop(open, 'session', 'clear', world);
    else if (loop.status.is !== 'paused') interruptLoop(open, 'session-end', arrival.reason, world);
    return SILENCE;
  });
}

/** The host gave up on the model: the pass is not over, but nothing runs. */
export function hearFault(arrival: Of<'fault'>, world: Runtime): Answer {
  return withLoop(arrival.from, world, (open) => {
    const detail = arrival.detail === '' ? arrival.error : `${arrival.error}: ${arrival.detail}`;
    if (isLive(open.loop()) && isOwner(open.loop(), arrival.from))
      interruptLoop(open, 'fault', detail, world);
    return SILENCE;
  });
}

function briefAgain(open: OpenLoop, from: Sender, world: Runtime): Answer {
  if (!isLive(open.loop())) return SILENCE;
  const loop = open.write({ type: 'compacted', at: world.now() });
  world.store.once.forget(crowdedNews(loop));
  open.keep();
  return { is: 'brief', toAgent: brief(loop, taskOf(open, loop, from.limits.text)), toPerson: null };
}

/** Tells the person how the loop stands before they type: once, even if the hook is registered twice. */
function comeBack(open: OpenLoop, from: Sender, world: Runtime): Answer {
  const before = open.loop();
  if (before.status.is !== 'paused') return goOn(open, from, world);
  const news = world.store.once.isNews(`${from.session} ${from.process} ${before.updatedAt} back`);
  return news ? { is: 'tell', toPerson: sayPaused(before, from.commands) } : SILENCE;
}

/**
 * Until it is stale, the loop continues with the next prompt. After that a person has to resume it (`dacapo resume`).
 */
function goOn(open: OpenLoop, from: Sender, world: Runtime): Answer {
  const before = open.loop();
  const holder = before.owner?.process ?? null;
  // A process that ended its session may stay alive for a moment, or another process may have got its id. It holds
  // nothing.
  const hasLeft = before.status.is === 'interrupted' && before.status.why === 'session-end';
  const elsewhere = !hasLeft && holder !== null && holder !== from.process && ownerLives(before, world);
  const idleMs = Date.parse(world.now()) - Date.parse(before.activeAt);
  const wasLeft = before.status.is === 'interrupted' || isLive(before);
  if (elsewhere || !wasLeft || idleMs > before.staleMs) return SILENCE;
  const loop = resumeLoop(
    open,
    { by: 'host', session: from.session, process: from.process, prompt: null, iterations: null },
    world,
  );
  if (hasEnded(loop)) return endedMeanwhile(loop, from, world);
  const isTold = before.awaited && holder === from.process;
  const toPerson = isTold ? null : sayAwaits(loop, from.commands);
  return { is: 'brief', toAgent: brief(loop, taskOf(open, loop, from.limits.text)), toPerson };
}

/** `/clear` gives the same process a new session id. The loop of that process moves to the new id, paused. */
function moveAlong(from: Sender, world: Runtime): Answer {
  if (from.process === null) return SILENCE;
  for (const { session, entry } of world.store.sessions.all()) {
    if (entry.process !== from.process || session === from.session || entry.project !== from.project)
      continue;
    const open = world.store.open(entry.loop);
    if (open === null) continue;
    try {
      const before = open.loop();
      // A loop that ended with its process is not moved: another process may have got that process id since.
      if (hasEnded(before) || before.status.is === 'interrupted') continue;
      if (before.owner?.session !== session || !isHere(before.owner, world)) continue;
      bind(open, from, 'clear', null, world);
      world.store.sessions.drop(session);
      const loop = showViews(open, world);
      open.keep();
      if (hasEnded(loop)) return endedMeanwhile(loop, from, world);
      return { is: 'tell', toPerson: sayPaused(loop, from.commands) };
    } finally {
      open.close();
    }
  }
  return SILENCE;
}

function withLoop(from: Sender, world: Runtime, act: (open: OpenLoop) => Answer): Answer {
  const entry = world.store.sessions.find(from.session);
  const open = entry === null ? null : world.store.open(entry.loop);
  if (open === null) return SILENCE;
  try {
    return open.loop().owner?.session === from.session ? act(open) : SILENCE;
  } finally {
    open.close();
  }
}
