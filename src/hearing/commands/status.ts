/** `/ralph-status`: shows the loop of this session. It changes nothing, except that a loop that yielded to it continues. */
import { hasEnded, isLive, type Loop } from '../../core/loop.ts';
import { asShown, report } from '../../text/report.ts';
import { brief } from '../../text/agent/to-agent.ts';
import { sayStatus } from '../../text/status.ts';
import { goOnOrCancel, sayIdle, sayInner, title } from '../../text/to-person.ts';
import { SILENCE, type Answer, type CommandArrival } from '../../hosts/arrival.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { taskOf } from '../../store/prompts.ts';
import { showViews } from '../../views/views.ts';
import type { Runtime } from '../../store/runtime.ts';
import { endCommand, tellEnded } from './end-command.ts';

export function showStatus(open: OpenLoop, arrival: CommandArrival, runtime: Runtime): Answer {
  const loop = open.loop();
  // The other delivery of this command has already continued the loop.
  if (isLive(loop) && loop.session.chain !== null && loop.session.chain === arrival.from.prompt)
    return SILENCE;
  const now = showViews(open, runtime);
  if (hasEnded(now)) return tellEnded(now, arrival.from, runtime);
  if (loop.session.yielded && isLive(now)) return goOnAfter(open, arrival, runtime);
  // The person could type this although no stop was allowed, so the pass was aborted and nothing runs.
  const shown = asShown(now);
  const idle = shown.status.is === 'running' && !isCarriedBy(now, arrival.from.prompt);
  const stands = idle ? sayIdle(now) : sayStatus(shown);
  return endCommand(
    [...linesOn(now, stands, runtime), goOnOrCancel(shown, arrival.from.commands)].join('\n'),
  );
}

function isCarriedBy(loop: Loop, prompt: string | null): boolean {
  return loop.session.chain === null || loop.session.chain === prompt || loop.session.yielded;
}

/**
 * The person asked in the middle of a loop, which yielded to the command. The command goes to the model, and the loop
 * continues.
 */
function goOnAfter(open: OpenLoop, arrival: CommandArrival, runtime: Runtime): Answer {
  const loop = open.write({ type: 'prompted', at: runtime.now(), prompt: arrival.from.prompt });
  open.keep();
  return {
    is: 'brief',
    toAgent: brief(loop, taskOf(open, loop, arrival.from.limits.text)),
    toPerson: linesOn(loop, sayStatus(asShown(loop)), runtime).join('\n'),
  };
}

function linesOn(loop: Loop, stands: string, runtime: Runtime): string[] {
  const gates = report(loop, runtime.now()).gates.map(
    ({ gate, wanted, holds, seen }) =>
      `${gate} ${wanted}: ${holds === null ? 'not tested yet' : holds ? 'holds' : 'does not hold yet'}${seen === null ? '' : ` (${seen})`}`,
  );
  const inner = sayInner(loop);
  return [`Da Capo: loop ${title(loop)} ${stands}.${inner && ` ${inner}`}`, ...gates];
}
