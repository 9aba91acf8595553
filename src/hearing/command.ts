/** Slash commands: heard before the host expands them, with their arguments verbatim and no shell in between. */
import { parseStart, type StartRequest } from '../flags/arguments.ts';
import { oneLine } from '../core/sanitize.ts';
import { hasEnded, isLive, type Loop } from '../core/loop.ts';
import { asShown, report } from '../text/report.ts';
import { brief, startBrief } from '../text/to-agent.ts';
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
import { SILENCE, type Answer, type CommandArrival, type Sender } from '../hosts/arrival.ts';
import { isNews } from '../store/file/once.ts';
import { dropSession, sessionEntry } from '../store/file/sessions.ts';
import { openLoop, type OpenLoop } from '../store/open-loop.ts';
import { cancelLoop, pauseLoop } from '../operations/control.ts';
import { loopsOf } from '../operations/find.ts';
import { configuredFor } from '../proofs/stop-hooks/configured-for.ts';
import { firstItem } from '../operations/items.ts';
import { bind } from '../operations/ownership.ts';
import { protectionFor } from '../operations/protection.ts';
import { pushFrame } from '../operations/push.ts';
import { close, lastOf, resume, resumeEnded, told } from '../operations/resume-in-session.ts';
import { startLoop } from '../operations/start.ts';
import { taskOf } from '../views/task.ts';
import { renderView } from '../views/markdown/view.ts';
import type { World } from '../store/runtime.ts';

export async function hearCommand(arrival: CommandArrival, world: World): Promise<Answer> {
  world.log(
    `command=${arrival.command} session=${arrival.from.session} prompt=${arrival.from.prompt ?? '-'}`,
  );
  switch (arrival.command) {
    case 'start':
      return start(arrival, world);
    case 'cancel':
      return withLoop(arrival, world, (open) => cancel(open, arrival, world));
    case 'resume':
      if (arrival.args.trim() !== '') return takeUp(arrival, world);
      return (
        (await resumeEnded(arrival, world)) ??
        withLoop(arrival, world, (open) => resume(open, arrival, world))
      );
    case 'status':
      return withLoop(arrival, world, (open) => status(open, arrival, world));
  }
}

async function start(arrival: CommandArrival, world: World): Promise<Answer> {
  const request = parseStart(arrival.args);
  if (!request.ok) return close(`Da Capo: ${request.message} ${request.next}`);
  if (request.nest) return nest(arrival, request, world);
  const first = await firstItem(request, arrival.from.project, world);
  if (!first.ok) return close(`Da Capo: ${first.message} ${first.next}`);
  const configured = await configuredFor({ project: arrival.from.project, config: request.config }, world);
  if (configured?.ok === false) return close(`Da Capo: ${configured.message} ${configured.next}`);
  const protection = protectionFor(request, arrival.from.project);
  if (protection?.ok === false) return close(`Da Capo: ${protection.message} ${protection.next}`);
  const fresh = request.driver === 'fresh';
  const owns = fresh ? null : 'command';
  const started = startLoop(
    {
      request,
      project: arrival.from.project,
      host: arrival.from.host,
      hand: 'session',
      from: arrival.from,
      owns,
      item: first.item,
      view: true,
      configured,
      protection,
    },
    world,
  );
  switch (started.is) {
    case 'again':
      return SILENCE;
    case 'refused':
      return close(
        `Da Capo: ${started.why}. ${
          started.loop.owner?.session === arrival.from.session
            ? `${goOnOrCancel(arrival.from.commands)} With --nest the task goes inside it.`
            : `dacapo cancel ${started.loop.id} ends it.`
        }`,
      );
    case 'started': {
      const loop = started.open.loop();
      const task = taskOf(started.open, loop, arrival.from.limits.text);
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

/** Typed in the middle of a loop, it waited in the host's queue until rule 6 let it through. */
async function nest(arrival: CommandArrival, request: StartRequest, world: World): Promise<Answer> {
  const { session, prompt } = arrival.from;
  const entry = sessionEntry(world.home, session);
  const open = entry === null ? null : openLoop(world.home, entry.loop);
  try {
    if (open === null || hasEnded(open.loop()) || open.loop().owner?.session !== session)
      return close(
        'Da Capo: this session has no loop that the task could go inside. Leave --nest out to start one.',
      );
    // Delivered twice (plugin and `init` both installed): one of the two pushes.
    if (prompt !== null && !isNews(world.home, `${session} ${prompt} pushed`)) return SILENCE;
    const pushed = await pushFrame(open, { request, by: 'session', prompt }, world);
    if (!pushed.ok) return close(`Da Capo: ${pushed.message} ${pushed.next}`);
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

function capWord({ cap, liftCap }: CommandArrival, { home }: World): string {
  if (cap === null || (liftCap !== null && liftCap(home.dir))) return '';
  return sayCap(cap);
}

function cancel(open: OpenLoop, arrival: CommandArrival, world: World): Answer {
  const { prompt, session } = arrival.from;
  const loop = cancelLoop(open, 'session', prompt, world) ?? open.loop();
  const { status } = loop;
  const byThis = status.is === 'cancelled' && status.by === 'session' && status.prompt === prompt;
  const first = dropSession(world.home, session);
  // Delivered twice (plugin and `init` both installed): one of the two speaks.
  return byThis && !first ? SILENCE : close(sayEnded(loop, arrival.from.commands));
}

/** A loop by its id: handed over by `dacapo run`, or left by a session that is gone. */
function takeUp(arrival: CommandArrival, world: World): Answer {
  const { from, args } = arrival;
  const id = args.trim();
  const open = openLoop(world.home, id);
  if (open === null)
    return close(`Da Capo: there is no loop ${oneLine(id, 80)}. \`dacapo list\` shows them.`);
  try {
    const before = open.loop();
    if (isLive(before) && before.chain === from.prompt) return SILENCE;
    const refusal = whyNot(before, from, world);
    if (refusal !== null) return close(`Da Capo: ${refusal}`);
    bind(open, from, 'command', from.prompt, world);
    const loop = renderView(open, world);
    open.keep();
    if (hasEnded(loop)) return told(loop, from, world);
    return {
      is: 'brief',
      toAgent: brief(loop, taskOf(open, loop, from.limits.text)),
      toPerson: sayGoesOn(loop),
    };
  } finally {
    open.close();
  }
}

function whyNot(loop: Loop, from: Sender, world: World): string | null {
  const name = `loop ${title(loop)}`;
  if (hasEnded(loop)) return `${name} ${sayStatus(loop)}. \`dacapo resume ${loop.id}\` reopens it.`;
  if (loop.project !== from.project) return `${name} belongs to another project: ${loop.project}.`;
  const holder = loop.owner?.process ?? null;
  if (isLive(loop) && holder !== null && holder !== from.process && world.isAlive(holder))
    return `${name} is held by process ${holder}. \`dacapo pause ${loop.id}\` asks it to let go.`;
  const own = sessionEntry(world.home, from.session);
  if (own !== null && own.loop !== loop.id)
    return `this session has loop ${own.loop} already. ${goOnOrCancel(from.commands)}`;
  return null;
}

function status(open: OpenLoop, arrival: CommandArrival, world: World): Answer {
  const loop = open.loop();
  // The other delivery of this command has carried the loop on already.
  if (isLive(loop) && loop.chain !== null && loop.chain === arrival.from.prompt) return SILENCE;
  // It could be asked while nothing was allowed to stop: so the pass was broken off, and nothing runs.
  const brokenOff = loop.status.is === 'running' && !isCarriedBy(loop, arrival.from.prompt);
  const now = brokenOff ? (pauseLoop(open, 'session', 'prompt', world) ?? loop) : renderView(open, world);
  if (hasEnded(now)) return told(now, arrival.from, world);
  if (loop.yielded && isLive(now)) return goOnAfter(open, arrival, world);
  return close([...linesOn(now, world), goOnOrCancel(arrival.from.commands)].join('\n'));
}

function isCarriedBy(loop: Loop, prompt: string | null): boolean {
  return loop.chain === null || loop.chain === prompt || loop.yielded;
}

/** Asked in the middle of a loop, which let it through: the command goes on to the model, and so does the loop. */
function goOnAfter(open: OpenLoop, arrival: CommandArrival, world: World): Answer {
  const loop = open.write({ type: 'prompted', at: world.now(), prompt: arrival.from.prompt });
  open.keep();
  return {
    is: 'brief',
    toAgent: brief(loop, taskOf(open, loop, arrival.from.limits.text)),
    toPerson: linesOn(loop, world).join('\n'),
  };
}

function linesOn(loop: Loop, world: World): string[] {
  const gates = report(loop, world.now()).gates.map(
    ({ gate, wanted, holds, seen }) =>
      `${gate} ${wanted}: ${holds === null ? 'not tested yet' : holds ? 'holds' : 'does not hold yet'}${seen === null ? '' : ` (${seen})`}`,
  );
  const inner = sayInner(loop);
  return [`Da Capo: loop ${title(loop)} ${sayStatus(asShown(loop))}.${inner && ` ${inner}`}`, ...gates];
}

async function withLoop(
  arrival: CommandArrival,
  world: World,
  act: (open: OpenLoop) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { session, project } = arrival.from;
  const entry = sessionEntry(world.home, session);
  if (entry === null) return nothingHere(arrival, project, world);
  const open = openLoop(world.home, entry.loop);
  if (open === null)
    return close(`Da Capo: loop ${entry.loop} can't be opened; \`dacapo doctor\` finds out why.`);
  try {
    return open.loop().owner?.session === session ? await act(open) : nothingHere(arrival, project, world);
  } finally {
    open.close();
  }
}

function nothingHere(arrival: CommandArrival, project: string, world: World): Answer {
  const others = loopsOf(project, world);
  // The other delivery of this very cancel has just done it, and told so.
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
