/**
 * Slash commands: heard before the host expands them, with their arguments verbatim and no shell in between.
 */
import { parseStart, type StartRequest } from '#input/arguments.ts';
import { hasEnded, type Loop } from '#law/loop.ts';
import type { Refusal } from '#base/refusal.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { startBrief } from '#telling/agent/to-agent.ts';
import { sayRedChecks } from '#telling/person/red-check.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { sayLast } from '#telling/person/ended.ts';
import {
  NO_LOOP,
  goOnOrCancel,
  sayGoesOn,
  sayPushed,
  sayStarted,
  sayCap,
  sayWarnings,
} from '#telling/person/to-person.ts';
import { SILENCE, type Answer, type CommandArrival, type HostSetup } from '#hosts/port/arrival.ts';
import { sayUnreachable } from '#engine/notices/notify.ts';
import { mayHaveTarget } from '#engine/notices/tell-sinks.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { briefWithNews } from '../session.ts';
import { loopsOf } from '#engine/look/loops.ts';
import { pushFrame } from '#engine/begin/push.ts';
import { start } from '#engine/begin/start.ts';
import { continueInSession } from '#engine/begin/continue-loop.ts';
import { answerHere } from './answer.ts';
import {
  cancelByCommand,
  cancelNamed,
  endCommand,
  tellEnded,
  lastOf,
  resumeByCommand,
  resumeEnded,
  showStatus,
} from './steer.ts';
import { adoptHandWritten, cancelHandWritten } from '../hand-written.ts';
import { readTask } from '#store/prompts.ts';
import type { Runtime } from '#store/runtime.ts';

/** The first letter of a plain word, not of a name such as `README`. */
const SENTENCE = /^[A-Z](?=[a-z]* )/;
const MAX_ERROR_CHARS = 300;

export async function hearCommand(arrival: CommandArrival, runtime: Runtime): Promise<Answer> {
  runtime.log(
    `command=${arrival.command} session=${arrival.from.session} prompt=${arrival.from.prompt ?? '-'}`,
  );
  switch (arrival.command) {
    case 'start':
      return startHere(arrival, runtime);
    case 'cancel':
      if (arrival.args.trim() !== '') return cancelNamed(arrival, runtime);
      return withLoop(arrival, runtime, (open) => cancelByCommand(open, arrival, runtime));
    case 'resume':
      if (arrival.args.trim() !== '') return continueNamedLoop(arrival, runtime);
      return (
        (await resumeEnded(arrival, runtime)) ??
        (await adoptIfNone(arrival, runtime)) ??
        withLoop(arrival, runtime, (open) => resumeByCommand(open, arrival, runtime))
      );
    case 'status':
      return withLoop(arrival, runtime, (open) => showStatus(open, arrival, runtime));
    case 'approve':
    case 'reject':
    case 'answer': {
      const { command } = arrival;
      if (isSecond(arrival, 'answers', runtime)) return SILENCE;
      return withLoop(arrival, runtime, (open) => answerHere(open, command, arrival, runtime));
    }
  }
}

/** Delivered twice (plugin and `init` both installed): only one delivery acts. */
function isSecond({ from: { session, prompt } }: CommandArrival, acts: string, { store }: Runtime): boolean {
  return prompt !== null && !store.once.isNews(`${session} ${prompt} ${acts}`);
}

/** With this command a person confirms a state file that was written by hand. */
async function adoptIfNone(arrival: CommandArrival, runtime: Runtime): Promise<Answer | null> {
  const { from } = arrival;
  const isFree = runtime.store.sessions.find(from.session) === null;
  const adopted = isFree ? await adoptHandWritten(from, runtime) : null;
  if (adopted?.is !== 'brief' || adopted.toPerson === null) return adopted;
  return { ...adopted, toPerson: withSetupWords(adopted.toPerson, [], arrival, runtime) };
}

/** What a person types in a session, the agent reads. */
const SEEN_HERE = {
  message: '--held-out is a check that the agent never sees, and it sees what is typed in its session.',
  next: 'Start the loop in a terminal: dacapo start "PROMPT" --held-out CMD, or dacapo run.',
};

async function startHere(arrival: CommandArrival, runtime: Runtime): Promise<Answer> {
  const { from } = arrival;
  const request = parseStart(arrival.args);
  if (!request.ok) return refuseCommand(request);
  if (request.nest) return nest(arrival, request, runtime);
  if (request.heldOut.length > 0) return refuseCommand(SEEN_HERE);
  const fresh = request.driver === 'fresh';
  const { host, project } = from;
  const owns = fresh ? null : 'command';
  const started = await start({ request, project, host, actor: 'session', from, owns, view: true }, runtime);
  switch (started.is) {
    case 'again':
      return SILENCE;
    case 'refused':
      if (started.inTheWay?.session.owner?.session !== from.session) return refuseCommand(started);
      return refuseCommand({
        message: started.message,
        next: `${goOnOrCancel(started.inTheWay, from.commands)} With --nest the task goes inside it.`,
      });
    case 'started': {
      const loop = started.open.loop();
      const task = readTask(started.open, loop, from.limits.text);
      started.open.close();
      const ready =
        `Da Capo: loop ${title(loop)} is ready. Run it in a terminal with: dacapo run --loop ` + `${loop.id}`;
      if (fresh) return endCommand([ready, ...sayWarnings(loop)].join('\n'));
      return {
        is: 'brief',
        toAgent: startBrief(loop, task),
        toPerson: withSetupWords(
          [
            sayStarted(loop),
            ...(started.proofs.length > 0 ? sayRedChecks(started.proofs, 'Note: ', loop.project) : []),
          ].join('\n'),
          loop.people.notify,
          arrival,
          runtime,
        ),
      };
    }
  }
}

/**
 * A loop begins: says what in the set-up of the host gets in its way and whom no message will reach, and
 * lifts the cap if the person asked for that. `notify`: the targets of the loop.
 */
export function withSetupWords(
  started: string,
  notify: readonly string[],
  setup: HostSetup,
  runtime: Runtime,
): string {
  const { cap, liftCap, hindrance } = setup;
  const isCapped = cap !== null && !(liftCap !== null && liftCap(runtime.store.place()));
  const unreachable = mayHaveTarget(notify, runtime) ? sayUnreachable(notify, runtime) : [];
  const notes = [...(hindrance === undefined ? [] : [hindrance]), ...unreachable];
  return [started, ...notes.map((words) => `Note: ${words}`), ...(isCapped ? [sayCap(cap)] : [])].join('\n');
}

function refuseCommand({ message, next }: Pick<Refusal, 'message' | 'next'>): Answer {
  return endCommand(`Da Capo: ${message.replace(SENTENCE, (first) => first.toLowerCase())} ${next}`);
}

/** A command typed in the middle of a loop waits in the host's queue until rule 6 lets it through. */
async function nest(arrival: CommandArrival, request: StartRequest, runtime: Runtime): Promise<Answer> {
  const { prompt, limits } = arrival.from;
  const push = async (open: OpenLoop): Promise<Answer> => {
    if (hasEnded(open.loop())) return NOTHING_AROUND;
    if (isSecond(arrival, 'pushed', runtime)) return SILENCE;
    const pushed = await pushFrame(open, { request, by: 'session', prompt }, runtime);
    if (!pushed.ok) return refuseCommand(pushed);
    if (hasEnded(pushed.loop)) return tellEnded(pushed.loop, arrival.from, runtime);
    const toAgent = startBrief(pushed.loop, readTask(open, pushed.loop, limits.text));
    return { is: 'brief', toAgent, toPerson: sayPushed(pushed.loop) };
  };
  return withLoop(arrival, runtime, push, NOTHING_AROUND);
}

const NOTHING_AROUND = endCommand(
  'Da Capo: this session has no loop that the task could go inside. Leave --nest out to start one.',
);

/** Takes up a loop by its id: one that `dacapo run` handed over, or that a gone session left behind. */
function continueNamedLoop({ from, args }: CommandArrival, runtime: Runtime): Answer {
  const taken = continueInSession(args.trim(), from, runtime);
  if (!taken.ok) return refuseCommand(taken);
  const { open } = taken;
  if (open === null) return SILENCE;
  const loop = open.loop();
  const answer: Answer = hasEnded(loop)
    ? tellEnded(loop, from, runtime)
    : { is: 'brief', toAgent: briefWithNews(open, loop, from, runtime), toPerson: sayGoesOn(loop) };
  open.close();
  return answer;
}

/** `none`: the answer in a session without a loop. */
async function withLoop(
  arrival: CommandArrival,
  runtime: Runtime,
  act: (open: OpenLoop) => Answer | Promise<Answer>,
  none: Answer | null = null,
): Promise<Answer> {
  const { session } = arrival.from;
  const entry = runtime.store.sessions.find(session);
  if (entry === null) return none ?? nothingHere(arrival, runtime);
  let open: OpenLoop | null = null;
  try {
    open = runtime.store.open(entry.loop);
    if (open === null) return unopened(entry.loop, '`dacapo doctor` finds out why');
    const isOwned = open.loop().session.owner?.session === session;
    return await (isOwned ? act(open) : (none ?? nothingHere(arrival, runtime)));
  } catch (error) {
    // The command ends here, because the model could do nothing about the error.
    const { stack, message } = error instanceof Error ? error : new Error(String(error));
    runtime.log(`command=${arrival.command} failed: ${stack ?? message}`);
    return unopened(entry.loop, oneLine(message, MAX_ERROR_CHARS));
  } finally {
    open?.close();
  }
}

function unopened(loop: string, why: string): Answer {
  return endCommand(`Da Capo: loop ${loop} can't be opened: ${why}.`);
}

async function nothingHere({ from, command }: CommandArrival, runtime: Runtime): Promise<Answer> {
  const { project, prompt, commands } = from;
  const others = loopsOf(project, runtime);
  // The other delivery of the same cancel has just done it and reported it.
  const isCancelled = ({ status }: Loop) => status.is === 'cancelled' && status.prompt === prompt;
  if (prompt !== null && others.some(isCancelled)) return SILENCE;
  const waiting = command === 'cancel' ? await cancelHandWritten(from, runtime) : null;
  if (waiting !== null) return waiting;
  const hint = others
    .filter((loop) => !hasEnded(loop))
    .map(
      (loop) =>
        `Another session's loop in this project: ${title(loop)} ${sayStatus(loop)} ` +
        `(${commands.cancel} ${loop.id}).`,
    );
  const last = command === 'cancel' ? null : lastOf(from, runtime);
  const past = last === null || !hasEnded(last) ? [] : [sayLast(last, commands)];
  return endCommand([NO_LOOP, ...past, ...hint].join('\n'));
}
