/** Slash commands: heard before the host expands them, with their arguments verbatim and no shell in between. */
import { parseStart } from '../core/arguments.ts';
import { hasEnded, isLive, type Loop } from '../core/loop.ts';
import { report } from '../core/report.ts';
import { brief, startBrief } from '../core/words-to-agent.ts';
import {
  NO_LOOP,
  goOnOrCancel,
  sayCap,
  sayEnded,
  sayGoesOn,
  sayStarted,
  sayStatus,
  sayWarnings,
  title,
} from '../core/words-to-person.ts';
import { SILENCE, type Answer, type CommandArrival } from '../hosts/host.ts';
import { dropSession, sessionEntry } from '../journal/sessions.ts';
import { openLoop, type OpenLoop } from '../journal/store.ts';
import { cancelLoop, pauseLoop, resumeLoop } from './control.ts';
import { otherLoops } from './find.ts';
import { protectionFor } from './protection.ts';
import { startLoop } from './start.ts';
import { taskOf } from './task.ts';
import { renderView } from './view.ts';
import type { World } from './world.ts';

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
      return withLoop(arrival, world, (open) => resume(open, arrival, world));
    case 'status':
      return withLoop(arrival, world, (open) => status(open, arrival, world));
  }
}

async function start(arrival: CommandArrival, world: World): Promise<Answer> {
  const request = parseStart(arrival.args);
  if (!request.ok) return close(`Da Capo: ${request.message} ${request.next}`);
  const protection = protectionFor(request, arrival.from.project);
  if (protection?.ok === false) return close(`Da Capo: ${protection.message} ${protection.next}`);
  const fresh = request.mode === 'fresh';
  const owns = fresh ? null : 'command';
  const started = startLoop(
    {
      request,
      project: arrival.from.project,
      host: 'claude-code',
      hand: 'session',
      from: arrival.from,
      owns,
      view: true,
      protection,
    },
    world,
  );
  switch (started.is) {
    case 'again':
      return SILENCE;
    case 'refused':
      return close(`Da Capo: ${started.why}. ${goOnOrCancel(arrival.from.commands)}`);
    case 'started': {
      const loop = started.open.loop();
      const task = taskOf(started.open, loop);
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
        toPerson: [sayStarted(loop), await capWord(arrival, world)].filter(Boolean).join('\n'),
      };
    }
  }
}

async function capWord({ cap, liftCap }: CommandArrival, { home }: World): Promise<string> {
  if (cap === null || (liftCap !== null && (await liftCap(home.dir)))) return '';
  return sayCap(cap);
}

function cancel(open: OpenLoop, arrival: CommandArrival, world: World): Answer {
  const { prompt, session } = arrival.from;
  const loop = cancelLoop(open, 'session', prompt, world) ?? open.loop();
  const { status } = loop;
  const byThis = status.is === 'cancelled' && status.by === 'session' && status.prompt === prompt;
  const first = dropSession(world.home, session);
  // Delivered twice (plugin and `init` both installed): one of the two speaks.
  return byThis && !first ? SILENCE : close(sayEnded(loop));
}

/** Its person has read how the loop ended: from here on it is nobody's. */
function told(loop: Loop, session: string, world: World): Answer {
  dropSession(world.home, session);
  return close(sayEnded(loop));
}

function resume(open: OpenLoop, arrival: CommandArrival, world: World): Answer {
  const { session, process, prompt } = arrival.from;
  const before = open.loop();
  if (hasEnded(before))
    return close(
      `Da Capo: loop ${title(before)} ${sayStatus(before)}. ${open.broken() === null ? `\`dacapo resume ${before.id}\` reopens it.` : `It can't be reopened: its record (${open.dir}) can't be trusted. Start a new loop.`}`,
    );
  if (isLive(before) && before.chain === prompt) return SILENCE;
  const loop = resumeLoop(open, { by: 'session', session, process, prompt, iterations: null }, world);
  if (hasEnded(loop)) return told(loop, session, world);
  return {
    is: 'brief',
    toAgent: brief(loop, taskOf(open, loop)),
    toPerson: sayGoesOn(loop),
  };
}

function status(open: OpenLoop, arrival: CommandArrival, world: World): Answer {
  const loop = open.loop();
  // The other delivery of this command has carried the loop on already.
  if (isLive(loop) && loop.chain !== null && loop.chain === arrival.from.prompt) return SILENCE;
  // It could be asked while nothing was allowed to stop: so the pass was broken off, and nothing runs.
  const brokenOff = loop.status.is === 'running' && !isCarriedBy(loop, arrival.from.prompt);
  const now = brokenOff ? (pauseLoop(open, 'session', 'prompt', world) ?? loop) : renderView(open, world);
  if (hasEnded(now)) return told(now, arrival.from.session, world);
  if (loop.yielded && isLive(now)) return goOnAfter(open, arrival, world);
  return close([...standing(now, world), goOnOrCancel(arrival.from.commands)].join('\n'));
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
    toAgent: brief(loop, taskOf(open, loop)),
    toPerson: standing(loop, world).join('\n'),
  };
}

function standing(loop: Loop, world: World): string[] {
  const gates = report(loop, world.now()).gates.map(
    ({ gate, wanted, holds, seen }) =>
      `${gate} ${wanted}: ${holds === null ? 'not tested yet' : holds ? 'holds' : 'does not hold yet'}${seen === null ? '' : ` (${seen})`}`,
  );
  return [`Da Capo: loop ${title(loop)} ${sayStatus(loop)}.`, ...gates];
}

function withLoop(arrival: CommandArrival, world: World, act: (open: OpenLoop) => Answer): Answer {
  const { session, project } = arrival.from;
  const entry = sessionEntry(world.home, session);
  if (entry === null) return nothingHere(arrival, project, world);
  const open = openLoop(world.home, entry.loop);
  if (open === null)
    return close(`Da Capo: loop ${entry.loop} can't be opened; \`dacapo doctor\` finds out why.`);
  try {
    return open.loop().owner?.session === session ? act(open) : nothingHere(arrival, project, world);
  } finally {
    open.close();
  }
}

function nothingHere(arrival: CommandArrival, project: string, world: World): Answer {
  const others = otherLoops(project, world);
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
  return close([NO_LOOP, ...hint].join('\n'));
}

function close(toPerson: string): Answer {
  return { is: 'close', toPerson };
}
