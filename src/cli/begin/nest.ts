/** `dacapo start --nest`: a task inside a loop that runs, most often by the agent itself, in the middle of its pass. */
import type { StartRequest } from '../../flags/arguments.ts';
import { isLive } from '../../core/loop.ts';
import { sayPushed } from '../../text/to-person.ts';
import { pushFrame } from '../../operations/push.ts';
import type { World } from '../../store/runtime.ts';
import { sessionEntry } from '../../store/file/sessions.ts';
import { openLoop } from '../../store/open-loop.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { findLoops } from '../loops.ts';
import { fail, failFor, say } from '../terminal/terminal.ts';
import { hand } from '../runtime.ts';

export async function nest(request: StartRequest, world: World): Promise<number> {
  const [id, ...others] = ownLoop(world) ?? runningHere(world);
  const open = id === undefined ? null : openLoop(world.home, id);
  if (open === null)
    return fail('no loop runs here that the task could go inside.', 'leave --nest out to start one.');
  if (others.length > 0) {
    open.close();
    return fail(
      `${others.length + 1} loops run here, and it is not clear which the task is for.`,
      'type /ralph … --nest in the session that is meant.',
    );
  }
  try {
    const pushed = await pushFrame(open, { request, by: hand(), prompt: null }, world);
    if (!pushed.ok) return failFor(pushed);
    say(`${sayPushed(pushed.loop)} It is given to the agent at its next stop.`);
    return EXIT.ok;
  } finally {
    open.close();
  }
}

/** The loop of the session that this is called from: the host names it to the agent's own commands. */
function ownLoop({ home }: World): string[] | null {
  const session = process.env['CLAUDE_CODE_SESSION_ID'];
  const entry = session === undefined ? null : sessionEntry(home, session);
  return entry === null ? null : [entry.loop];
}

function runningHere(world: World): string[] {
  return findLoops(false, world)
    .filter(isLive)
    .map(({ id }) => id);
}
