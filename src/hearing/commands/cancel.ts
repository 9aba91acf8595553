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

export function cancel(open: OpenLoop, arrival: CommandArrival, runtime: Runtime): Answer {
  const { prompt, session } = arrival.from;
  const loop = cancelLoop(open, 'session', prompt, runtime) ?? open.loop();
  const { status } = loop;
  const byThis = status.is === 'cancelled' && status.by === 'session' && status.prompt === prompt;
  const first = runtime.store.sessions.drop(session);
  // Delivered twice (plugin and `init` both installed): only one delivery answers.
  return byThis && !first ? SILENCE : endCommand(sayEnded(loop, arrival.from.commands));
}

/** By id, the end of an id, or name. Its own session learns of it at its next stop, as from a terminal. */
export function cancelNamed(arrival: CommandArrival, runtime: Runtime): Answer {
  const { session, project, prompt, commands } = arrival.from;
  const found = findLoop({ id: arrival.args.trim(), root: project }, (loop) => !hasEnded(loop), runtime);
  if (isUnclear(found)) {
    const { message, next } = refuseUnclear(found, 'cancel');
    return endCommand(`Da Capo: ${message} ${next}`);
  }
  if (found.is === 'none') return SILENCE;
  const { id, status } = found.loop;
  const { owner } = found.loop.session;
  // The other delivery of this command has done it and reported it.
  if (status.is === 'cancelled' && status.prompt === prompt && prompt !== null) return SILENCE;
  const answer = withLoop(id, runtime, (open) =>
    owner?.session === session
      ? cancel(open, arrival, runtime)
      : endCommand(sayEnded(cancelLoop(open, 'session', prompt, runtime) ?? open.loop(), commands)),
  );
  return (
    answer ?? endCommand(`Da Capo: loop ${id} can't be read any more. \`dacapo list\` shows what is there.`)
  );
}
