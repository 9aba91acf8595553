/** `dacapo pause`: the pass under way ends as it ends, and no further one begins. */
import { hasEnded } from '../../core/loop.ts';
import { report } from '../../text/report.ts';
import { sayStatus } from '../../text/status.ts';
import { TERMINAL, sayEnded, sayPaused, title } from '../../text/to-person.ts';
import { pauseLoop } from '../../operations/control.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { pickLoop, shown, withLoop } from '../loops.ts';
import { fail, say, sayJson } from '../terminal/terminal.ts';
import { cliWorld, hand } from '../runtime.ts';

export interface PauseOptions {
  readonly id: string | undefined;
  readonly json: boolean;
}

export async function runPause({ id, json }: PauseOptions): Promise<number> {
  const world = cliWorld();
  const going = pickLoop(id, 'pause', (loop) => !hasEnded(loop) && loop.status.is !== 'paused', world);
  // To pause what is paused is no error: what was asked for holds.
  const picked = going.is === 'none' ? pickLoop(id, 'pause', (loop) => !hasEnded(loop), world) : going;
  if (picked.is === 'refused') return picked.exit;
  if (picked.is === 'none')
    return fail('no loop of this project can be paused.', 'dacapo status shows how they stand.');
  if (hasEnded(picked.loop))
    return fail(
      `loop ${title(picked.loop)} ${sayStatus(picked.loop)}.`,
      `dacapo resume ${picked.loop.id} reopens it.`,
    );
  const loop = withLoop(picked.loop.id, world, (open) => {
    pauseLoop(open, hand(), 'command', world);
    return shown(open);
  });
  if (loop === null)
    return fail(`loop ${picked.loop.id} can't be read any more.`, 'dacapo list shows what is there.');
  if (json) sayJson(report(loop, world.now()));
  // The look at its view may have shown that a person deleted it.
  else if (hasEnded(loop)) say(sayEnded(loop));
  else
    say(
      sayPaused(loop, { resume: `${TERMINAL.resume} ${loop.id}`, cancel: `${TERMINAL.cancel} ${loop.id}` }),
    );
  return EXIT.ok;
}
