/** Slash commands: heard before the host expands them, with their arguments verbatim and no shell in between. */
import { parseStart, type StartRequest } from '../../flags/arguments.ts';
import { hasEnded } from '../../core/loop.ts';
import type { Refusal } from '../../core/refusal.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import { startBrief } from '../../text/agent/to-agent.ts';
import { sayStatus } from '../../text/status.ts';
import {
  NO_LOOP,
  goOnOrCancel,
  sayGoesOn,
  sayLast,
  sayPushed,
  sayStarted,
  sayWarnings,
  title,
} from '../../text/to-person.ts';
import { SILENCE, type Answer, type CommandArrival } from '../../hosts/arrival.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { withSetupWords } from '../prompt.ts';
import { briefWithNews } from '../session.ts';
import { loopsOf } from '../../operations/look/loops.ts';
import { pushFrame } from '../../operations/begin/push.ts';
import { start } from '../../operations/begin/start.ts';
import { takeUpInSession } from '../../operations/begin/take-up.ts';
import { answerHere } from './answer.ts';
import { cancel, cancelNamed } from './cancel.ts';
import { adoptHandWritten, cancelHandWritten } from '../hand-written.ts';
import { endCommand, tellEnded } from './end-command.ts';
import { lastOf, resume, resumeEnded } from './resume.ts';
import { showStatus } from './status.ts';
import { taskOf } from '../../store/prompts.ts';
import type { Runtime } from '../../store/runtime.ts';

/** The first letter of a plain word, not of a name such as `README`. */
const SENTENCE = /^[A-Z](?=[a-z]* )/;
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
      if (arrival.args.trim() !== '') return cancelNamed(arrival, world);
      return withLoop(arrival, world, (open) => cancel(open, arrival, world));
    case 'resume':
      if (arrival.args.trim() !== '') return takeUp(arrival, world);
      return (
        (await resumeEnded(arrival, world)) ??
        (await adoptIfNone(arrival, world)) ??
        withLoop(arrival, world, (open) => resume(open, arrival, world))
      );
    case 'status':
      return withLoop(arrival, world, (open) => showStatus(open, arrival, world));
    case 'approve':
    case 'reject':
    case 'answer': {
      const { command } = arrival;
      const { session, prompt } = arrival.from;
      // Delivered twice (plugin and `init` both installed): only one delivery answers.
      if (prompt !== null && !world.store.once.isNews(`${session} ${prompt} answers`)) return SILENCE;
      return withLoop(arrival, world, (open) => answerHere(open, command, arrival, world));
    }
  }
}

/** With this command a person confirms a state file that was written by hand. */
async function adoptIfNone(arrival: CommandArrival, world: Runtime): Promise<Answer | null> {
  const { from } = arrival;
  const isFree = world.store.sessions.find(from.session) === null;
  const adopted = isFree ? await adoptHandWritten(from, world) : null;
  if (adopted?.is !== 'brief' || adopted.toPerson === null) return adopted;
  return { ...adopted, toPerson: withSetupWords(adopted.toPerson, [], arrival, world) };
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
      return started.inTheWay?.session.owner?.session === from.session
        ? refused({
            message: started.message,
            next: `${goOnOrCancel(started.inTheWay, from.commands)} With --nest the task goes inside it.`,
          })
        : refused(started);
    case 'started': {
      const loop = started.open.loop();
      const task = taskOf(started.open, loop, from.limits.text);
      started.open.close();
      if (fresh)
        return endCommand(
          [
            `Da Capo: loop ${title(loop)} is ready. Run it in a terminal with: dacapo run --loop ${loop.id}`,
            ...sayWarnings(loop),
          ].join('\n'),
        );
      return {
        is: 'brief',
        toAgent: startBrief(loop, task),
        toPerson: withSetupWords(sayStarted(loop), loop.people.notify, arrival, world),
      };
    }
  }
}

function refused({ message, next }: Pick<Refusal, 'message' | 'next'>): Answer {
  return endCommand(`Da Capo: ${message.replace(SENTENCE, (first) => first.toLowerCase())} ${next}`);
}

/** A command typed in the middle of a loop waits in the host's queue until rule 6 lets it through. */
async function nest(arrival: CommandArrival, request: StartRequest, world: Runtime): Promise<Answer> {
  const { session, prompt } = arrival.from;
  const entry = world.store.sessions.find(session);
  const open = entry === null ? null : world.store.open(entry.loop);
  try {
    if (open === null || hasEnded(open.loop()) || open.loop().session.owner?.session !== session)
      return endCommand(
        'Da Capo: this session has no loop that the task could go inside. Leave --nest out to start one.',
      );
    // Delivered twice (plugin and `init` both installed): only one delivery pushes.
    if (prompt !== null && !world.store.once.isNews(`${session} ${prompt} pushed`)) return SILENCE;
    const pushed = await pushFrame(open, { request, by: 'session', prompt }, world);
    if (!pushed.ok) return refused(pushed);
    if (hasEnded(pushed.loop)) return tellEnded(pushed.loop, arrival.from, world);
    return {
      is: 'brief',
      toAgent: startBrief(pushed.loop, taskOf(open, pushed.loop, arrival.from.limits.text)),
      toPerson: sayPushed(pushed.loop),
    };
  } finally {
    open?.close();
  }
}

/** Takes up a loop by its id: one that `dacapo run` handed over, or that a gone session left behind. */
function takeUp({ from, args }: CommandArrival, world: Runtime): Answer {
  const taken = takeUpInSession(args.trim(), from, world);
  if (!taken.ok) return refused(taken);
  const { open } = taken;
  if (open === null) return SILENCE;
  const loop = open.loop();
  const answer: Answer = hasEnded(loop)
    ? tellEnded(loop, from, world)
    : { is: 'brief', toAgent: briefWithNews(open, loop, from, world), toPerson: sayGoesOn(loop) };
  open.close();
  return answer;
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
    return open.loop().session.owner?.session === session
      ? await act(open)
      : await nothingHere(arrival, project, world);
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
  return endCommand(`Da Capo: loop ${loop} can't be opened: ${why}.`);
}

async function nothingHere(arrival: CommandArrival, project: string, world: Runtime): Promise<Answer> {
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
      `Another session's loop in this project: ${title(loop)} ${sayStatus(loop)} (${arrival.from.commands.cancel} ${loop.id}).`,
  );
  const waiting = arrival.command === 'cancel' ? await cancelHandWritten(arrival.from, world) : null;
  if (waiting !== null) return waiting;
  const last = arrival.command === 'cancel' ? null : lastOf(arrival.from, world);
  const past = last === null || !hasEnded(last) ? [] : [sayLast(last, arrival.from.commands)];
  return endCommand([NO_LOOP, ...past, ...hint].join('\n'));
}
