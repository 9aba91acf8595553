/** `/cancel-ralph`, `/resume-ralph` and `/ralph-status`. */
import { hasEnded, isAwaitingCheck, type Loop, isLive } from '#law/loop.ts';
import { sayEnded, sayInner } from '#telling/person/ended.ts';
import { sayGoesOn, goOnOrCancel, sayIdle } from '#telling/person/to-person.ts';
import { sayAdvice } from '#telling/advice.ts';
import { inTerminal } from '#telling/audience.ts';
import { title, sayStatus, asShown } from '#telling/person/status.ts';
import { SILENCE, type Answer, type CommandArrival, type Sender } from '#hosts/port/arrival.ts';
import { cancelLoop, lookNow, resumeLoop } from '#engine/steer/control.ts';
import { refuseUnclear } from '#engine/look/find.ts';
import { goesOn, resolveLoop } from '#engine/steer/resolve.ts';
import { loopsOf } from '#engine/look/loops.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { waitsForPerson } from '#telling/next-step.ts';
import { briefWithNews } from '../session.ts';
import { continueList } from '#engine/asked/items.ts';
import { gateStatuses } from '#telling/gate-status.ts';
import { brief } from '#telling/agent/to-agent.ts';
import { readTask } from '#store/prompts.ts';
import { showViews } from '#evidence/views/views.ts';

export function cancelByCommand(open: OpenLoop, arrival: CommandArrival, runtime: Runtime): Answer {
  const { prompt, session } = arrival.from;
  const loop = cancelLoop(open, 'session', prompt, runtime) ?? open.loop();
  const { status } = loop;
  const byThis = status.is === 'cancelled' && status.by === 'session' && status.prompt === prompt;
  const first = runtime.store.sessions.drop(session);
  // Delivered twice (plugin and `init` both installed): only one delivery answers.
  return byThis && !first ? SILENCE : endCommand(sayEnded(loop, arrival.from.commands));
}

/**
 * By id, the end of an id, or name. The loop's own session learns of it at its next stop, as from a terminal.
 */
export function cancelNamed(arrival: CommandArrival, runtime: Runtime): Answer {
  const { session, project, prompt, commands } = arrival.from;
  const found = resolveLoop({ id: arrival.args.trim(), root: project }, { fits: goesOn }, runtime);
  if (found.is === 'none') return SILENCE;
  if (found.is !== 'one') {
    const { message, next } = refuseUnclear(found, { verb: 'cancel' });
    return endCommand(`Da Capo: ${message} ${sayAdvice(next, inTerminal)}`);
  }
  const { open } = found;
  try {
    const { status, session: held } = open.loop();
    // The other delivery of this command has done it and reported it.
    if (status.is === 'cancelled' && status.prompt === prompt && prompt !== null) return SILENCE;
    if (held.owner?.session === session) return cancelByCommand(open, arrival, runtime);
    return endCommand(sayEnded(cancelLoop(open, 'session', prompt, runtime) ?? open.loop(), commands));
  } finally {
    open.close();
  }
}

/** With words for the person, and without a call to the model. */
export function endCommand(toPerson: string): Answer {
  return { is: 'close', toPerson };
}

/** The person reads now how the loop ended, so the session lets go of it. */
export function tellEnded(loop: Loop, from: Sender, runtime: Runtime): Answer {
  runtime.store.sessions.drop(from.session);
  return endCommand(sayEnded(loop, from.commands));
}

/**
 * A loop that needs its person has ended and left the session. The person is in that session, so it may take
 * the loop up again.
 */
export async function resumeEnded(arrival: CommandArrival, runtime: Runtime): Promise<Answer | null> {
  const { from } = arrival;
  if (runtime.store.sessions.find(from.session) !== null) return null;
  const last = lastOf(from, runtime);
  const open = last === null || !waitsForPerson(last) ? null : runtime.store.open(last.id);
  if (open === null) return null;
  try {
    return await continueResumed(open, from, runtime);
  } finally {
    open.close();
  }
}

export function lastOf({ session, project }: Sender, runtime: Runtime): Loop | null {
  const had = loopsOf(project, runtime).filter((loop) => loop.session.owner?.session === session);
  return had.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))[0] ?? null;
}

async function continueResumed(open: OpenLoop, from: Sender, runtime: Runtime): Promise<Answer> {
  const { session, process, prompt } = from;
  const resumed = resumeLoop(open, { by: 'session', session, process, prompt, iterations: null }, runtime);
  if (hasEnded(resumed)) return tellEnded(resumed, from, runtime);
  const loop = await continueList(open, 'session', prompt, runtime);
  return { is: 'brief', toAgent: briefWithNews(open, loop, from, runtime), toPerson: sayGoesOn(loop) };
}

export async function resumeByCommand(
  open: OpenLoop,
  arrival: CommandArrival,
  runtime: Runtime,
): Promise<Answer> {
  const { prompt } = arrival.from;
  const before = open.loop();
  if (hasEnded(before) && !waitsForPerson(before)) {
    const record = runtime.store.place(before.id);
    const next =
      open.broken() === null
        ? `\`dacapo resume ${before.id}\` reopens it.`
        : `It can't be reopened: its record (${record}) can't be trusted. Start a new loop.`;
    return endCommand(`Da Capo: loop ${title(before)} ${sayStatus(before)}. ${next}`);
  }
  if (isLive(before) && before.session.chain === prompt) return SILENCE;
  // The hook that waits for it in the background sees this, and the agent is not needed.
  if (isAwaitingCheck(before))
    return endCommand(`Da Capo: loop ${title(before)} ${sayStatus(lookNow(open, runtime))}.`);
  return continueResumed(open, arrival.from, runtime);
}

/** It changes nothing, except that a loop that yielded to the command continues. */
export function showStatus(open: OpenLoop, arrival: CommandArrival, runtime: Runtime): Answer {
  const loop = open.loop();
  const { chain, yielded } = loop.session;
  // The other delivery of this command has already continued the loop.
  if (isLive(loop) && chain !== null && chain === arrival.from.prompt) return SILENCE;
  const now = showViews(open, runtime);
  if (hasEnded(now)) return tellEnded(now, arrival.from, runtime);
  if (yielded && isLive(now)) return continueAfterCommand(open, arrival, runtime);
  // The person could type this although no stop was allowed, so the pass was aborted and nothing runs.
  const shown = asShown(now);
  const isCarried = now.session.yielded || [null, arrival.from.prompt].includes(now.session.chain);
  const stands = shown.status.is === 'running' && !isCarried ? sayIdle(now) : sayStatus(shown);
  const next = goOnOrCancel(shown, arrival.from.commands);
  return endCommand([...linesOn(now, stands), next].join('\n'));
}

/**
 * The person asked in the middle of a loop, which yielded to the command. The command goes to the model, and
 * the loop continues.
 */
function continueAfterCommand(open: OpenLoop, arrival: CommandArrival, runtime: Runtime): Answer {
  const loop = open.write({ type: 'prompted', at: runtime.now(), prompt: arrival.from.prompt });
  open.keep();
  return {
    is: 'brief',
    toAgent: brief(loop, readTask(open, loop, arrival.from.limits.text)),
    toPerson: linesOn(loop, sayStatus(asShown(loop))).join('\n'),
  };
}

function linesOn(loop: Loop, stands: string): string[] {
  const gates = gateStatuses(loop).map(({ gate, wanted, holds, seen }) => {
    const state = holds === null ? 'not tested yet' : holds ? 'holds' : 'does not hold yet';
    return `${gate} ${wanted}: ${state}${seen === null ? '' : ` (${seen})`}`;
  });
  const inner = sayInner(loop);
  return [`Da Capo: loop ${title(loop)} ${stands}.${inner && ` ${inner}`}`, ...gates];
}
