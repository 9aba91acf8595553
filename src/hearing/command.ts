/** Slash commands: heard before the host expands them, with their arguments verbatim and no shell in between. */
import { parseStart, type StartRequest } from '../flags/arguments.ts';
import { hasEnded, isLive, type Loop } from '../core/loop.ts';
import type { Refusal } from '../core/refusal.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { asShown, report } from '../text/report.ts';
import { brief, startBrief } from '../text/agent/to-agent.ts';
import { sayStatus } from '../text/status.ts';
import {
  NO_LOOP,
  goOnOrCancel,
  sayCap,
  sayEnded,
  sayGoesOn,
  sayInner,
  sayLast,
  sayPushed,
  sayStarted,
  sayWarnings,
  title,
} from '../text/to-person.ts';
import { SILENCE, type Answer, type CommandArrival } from '../hosts/arrival.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { cancelLoop, pauseLoop } from '../operations/steer/control.ts';
import { loopsOf } from '../operations/look/find.ts';
import { pushFrame } from '../operations/begin/push.ts';
import { start } from '../operations/begin/start.ts';
import { takeUpInSession } from '../operations/begin/take-up.ts';
import { adoptHandWritten } from './hand-written.ts';
import { close, lastOf, resume, resumeEnded, told } from './resume.ts';
import { taskOf } from '../views/task.ts';
import { showViews } from '../views/views.ts';
import type { Runtime } from '../store/runtime.ts';

/** Long enough for an error with a path in it. */
const WHY = 300;

export async function hearCommand(arrival: CommandArrival, world: Runtime): Promise<Answer> {
  world.log(
    `command=${arrival.command} session=${arrival.from.session} prompt=${arrival.from.prompt ?? '-'}`,
  );
  switch (arrival.command) {
    case 'start':
      return startHere(arrival, world);
    case 'cancel':
      return withLoop(arrival, world, (open) => cancel(open, arrival, world));
    case 'resume':
      if (arrival.args.trim() !== '') return takeUp(arrival, world);
      return (
        (await resumeEnded(arrival, world)) ??
        adoptIfNone(arrival, world) ??
        withLoop(arrival, world, (open) => resume(open, arrival, world))
      );
    case 'status':
      return withLoop(arrival, world, (open) => status(open, arrival, world));
  }
}

/** With this command a person confirms a state file that was written by hand. */
function adoptIfNone({ from }: CommandArrival, world: Runtime): Answer | null {
  return world.store.sessions.find(from.session) === null ? adoptHandWritten(from, world) : null;
}

async function startHere(arrival: CommandArrival, world: Runtime): Promise<Answer> {
  const { from } = arrival;
  const request = parseStart(arrival.args);
  if (!request.ok) return refused(request);
  if (request.nest) return nest(arrival, request, world);
  const fresh = request.driver === 'fresh';
  const { host, project } = from;
  const owns = fresh ? null : 'command';
  const started = await start({ request, project, host, hand: 'session', from, owns, view: true }, world);
  switch (started.is) {
    case 'again':
      return SILENCE;
    case 'refused':
      return started.inTheWay?.owner?.session === from.session
        ? refused({
            message: started.message,
            next: `${goOnOrCancel(from.commands)} With --nest the task goes inside it.`,
          })
        : refused(started);
    case 'started': {
      const loop = started.open.loop();
      const task = taskOf(started.open, loop, from.limits.text);
      started.open.close();
      if (fresh)
        return close(
          [
            `Da Capo: loop ${title(loop)} is ready. Run it in a terminal with: dacapo run --loop ${loop.id}`,
            ...sayWarnings(loop),
          ].join('\n'),
        );
      return {
        is: 'brief',
        toAgent: startBrief(loop, task),
        toPerson: [sayStarted(loop), capWord(arrival, world)].filter(Boolean).join('\n'),
      };
    }
  }
}

function refused({ message, next }: Pick<Refusal, 'message' | 'next'>): Answer {
  return close(`Da Capo: ${message} ${next}`);
}

/** A command typed in the middle of a loop waits in the host's queue until rule 6 lets it through. */
async function nest(arrival: CommandArrival, request: StartRequest, world: Runtime): Promise<Answer> {
  const { session, prompt } = arrival.from;
  const entry = world.store.sessions.find(session);
  const open = entry === null ? null : world.store.open(entry.loop);
  try {
    if (open === null || hasEnded(open.loop()) || open.loop().owner?.session !== session)
      return close(
        'Da Capo: this session has no loop that the task could go inside. Leave --nest out to start one.',
      );
    // Delivered twice (plugin and `init` both installed): only one delivery pushes.
    if (prompt !== null && !world.store.once.isNews(`${session} ${prompt} pushed`)) return SILENCE;
    const pushed = await pushFrame(open, { request, by: 'session', prompt }, world);
    if (!pushed.ok) return refused(pushed);
    if (hasEnded(pushed.loop)) return told(pushed.loop, arrival.from, world);
    return {
      is: 'brief',
      toAgent: startBrief(pushed.loop, taskOf(open, pushed.loop, arrival.from.limits.text)),
      toPerson: sayPushed(pushed.loop),
    };
  } finally {
    open?.close();
  }
}

function capWord({ cap, liftCap }: CommandArrival, { store }: Runtime): string {
  if (cap === null || (liftCap !== null && liftCap(store.place()))) return '';
  return sayCap(cap);
}

function cancel(open: OpenLoop, arrival: CommandArrival, world: Runtime): Answer {
  const { prompt, session } = arrival.from;
  const loop = cancelLoop(open, 'session', prompt, world) ?? open.loop();
  const { status } = loop;
  const byThis = status.is === 'cancelled' && status.by === 'session' && status.prompt === prompt;
  const first = world.store.sessions.drop(session);
  // Delivered twice (plugin and `init` both installed): only one delivery answers.
  return byThis && !first ? SILENCE : close(sayEnded(loop, arrival.from.commands));
}

/** Takes up a loop by its id: one that `dacapo run` handed over, or that a gone session left behind. */
function takeUp({ from, args }: CommandArrival, world: Runtime): Answer {
  const taken = takeUpInSession(args.trim(), from, world);
  if (!taken.ok) return refused(taken);
  const { open } = taken;
  if (open === null) return SILENCE;
  const loop = open.loop();
  const answer: Answer = hasEnded(loop)
    ? told(loop, from, world)
    : { is: 'brief', toAgent: brief(loop, taskOf(open, loop, from.limits.text)), toPerson: sayGoesOn(loop) };
  open.close();
  return answer;
}

function status(open: OpenLoop, arrival: CommandArrival, world: Runtime): Answer {
  const loop = open.loop();
  // The other delivery of this command has already continued the loop.
  if (isLive(loop) && loop.chain !== null && loop.chain === arrival.from.prompt) return SILENCE;
  // The person could type this although no stop was allowed, so the pass was aborted and nothing runs.
  const brokenOff = loop.status.is === 'running' && !isCarriedBy(loop, arrival.from.prompt);
  const now = brokenOff ? (pauseLoop(open, 'session', 'prompt', world) ?? loop) : showViews(open, world);
  if (hasEnded(now)) return told(now, arrival.from, world);
  if (loop.yielded && isLive(now)) return goOnAfter(open, arrival, world);
  return close([...linesOn(now, world), goOnOrCancel(arrival.from.commands)].join('\n'));
}

function isCarriedBy(loop: Loop, prompt: string | null): boolean {
  return loop.chain === null || loop.chain === prompt || loop.yielded;
}

/**
 * The person asked in the middle of a loop, which yielded to the command. The command goes to the model, and the loop
 * continues.
 */
function goOnAfter(open: OpenLoop, arrival: CommandArrival, world: Runtime): Answer {
  const loop = open.write({ type: 'prompted', at: world.now(), prompt: arrival.from.prompt });
  open.keep();
  return {
    is: 'brief',
    toAgent: brief(loop, taskOf(open, loop, arrival.from.limits.text)),
    toPerson: linesOn(loop, world).join('\n'),
  };
}

function linesOn(loop: Loop, world: Runtime): string[] {
  const gates = report(loop, world.now()).gates.map(
    ({ gate, wanted, holds, seen }) =>
      `${gate} ${wanted}: ${holds === null ? 'not tested yet' : holds ? 'holds' : 'does not hold yet'}${seen === null ? '' : ` (${seen})`}`,
  );
  const inner = sayInner(loop);
  return [`Da Capo: loop ${title(loop)} ${sayStatus(asShown(loop))}.${inner && ` ${inner}`}`, ...gates];
}

async function withLoop(
  arrival: CommandArrival,
  world: Runtime,
  act: (open: OpenLoop) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { session, project } = arrival.from;
  const entry = world.store.sessions.find(session);
  if (entry === null) return nothingHere(arrival, project, world);
  let open: OpenLoop | null = null;
  try {
    open = world.store.open(entry.loop);
    if (open === null) return unopened(entry.loop, '`dacapo doctor` finds out why');
    return open.loop().owner?.session === session ? await act(open) : nothingHere(arrival, project, world);
  } catch (error) {
    // The command ends here, because the model could do nothing about the error.
    const { stack, message } = error instanceof Error ? error : new Error(String(error));
    world.log(`command=${arrival.command} failed: ${stack ?? message}`);
    return unopened(entry.loop, oneLine(message, WHY));
  } finally {
    open?.close();
  }
}

function unopened(loop: string, why: string): Answer {
  return close(`Da Capo: loop ${loop} can't be opened: ${why}.`);
}

function nothingHere(arrival: CommandArrival, project: string, world: Runtime): Answer {
  const others = loopsOf(project, world);
  // The other delivery of the same cancel has just done it and reported it.
  if (
    others.some(
      ({ status }) =>
        status.is === 'cancelled' && status.prompt === arrival.from.prompt && status.prompt !== null,
    )
  )
    return SILENCE;
  const live = others.filter((loop) => !hasEnded(loop));
  const hint = live.map(
    (loop) =>
      `Another session's loop in this project: ${title(loop)} ${sayStatus(loop)} (dacapo cancel ${loop.id}).`,
  );
  const last = arrival.command === 'cancel' ? null : lastOf(arrival.from, world);
  const past = last === null || !hasEnded(last) ? [] : [sayLast(last, arrival.from.commands)];
  return close([NO_LOOP, ...past, ...hint].join('\n'));
}
