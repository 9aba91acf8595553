/** `/cancel-ralph`: ends the loop of this session, or the one that the person names. */
import { hasEnded } from '../../core/loop.ts';
import { sayEnded } from '../../text/to-person.ts';
import { SILENCE, type Answer, type CommandArrival } from '../../hosts/arrival.ts';
import { cancelLoop } from '../../operations/steer/control.ts';
import { findLoop, isUnclear, refuseUnclear } from '../../operations/look/find.ts';
import { withLoop } from '../../operations/look/loops.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { endCommand } from './end-command.ts';

export function cancel(open: OpenLoop, arrival: CommandArrival, world: Runtime): Answer {
  const { prompt, session } = arrival.from;
  const loop = cancelLoop(open, 'session', prompt, world) ?? open.loop();
  const { status } = loop;
  const byThis = status.is === 'cancelled' && status.by === 'session' && status.prompt === prompt;
  const first = world.store.sessions.drop(session);
  // Delivered twice (plugin and `init` both installed): only one delivery answers.
  return byThis && !first ? SILENCE : endCommand(sayEnded(loop, arrival.from.commands));
}

/** By id, the end of an id, or name. Its own session learns of it at its next stop, as from a terminal. */
export function cancelNamed(arrival: CommandArrival, world: Runtime): Answer {
  const { session, project, prompt, commands } = arrival.from;
  const found = findLoop({ id: arrival.args.trim(), root: project }, (loop) => !hasEnded(loop), world);
  if (isUnclear(found)) {
    const { message, next } = refuseUnclear(found, 'cancel');
    return endCommand(`Da Capo: ${message} ${next}`);
  }
  if (found.is === 'none') return SILENCE;
  const { id, status } = found.loop;
  const { owner } = found.loop.session;
  // The other delivery of this command has done it and reported it.
  if (status.is === 'cancelled' && status.prompt === prompt && prompt !== null) return SILENCE;
  const answer = withLoop(id, world, (open) =>
    owner?.session === session
      ? cancel(open, arrival, world)
      : endCommand(sayEnded(cancelLoop(open, 'session', prompt, world) ?? open.loop(), commands)),
  );
  return (
    answer ?? endCommand(`Da Capo: loop ${id} can't be read any more. \`dacapo list\` shows what is there.`)
  );
}
