/** `dacapo pause`: lets the current pass finish and starts no further one. */
import { hasEnded } from '../../core/loop.ts';
import { pause } from '../../operations/steer/pause.ts';
import { report } from '../../text/report.ts';
import { TERMINAL } from '../../text/commands.ts';
import { sayEnded, sayPaused } from '../../text/to-person.ts';
import { choiceOf } from '../loops.ts';
import { cliWorld, hand } from '../runtime.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { failFor, say, sayJson } from '../terminal/terminal.ts';

export interface PauseOptions {
  readonly id: string | undefined;
  readonly json: boolean;
}

export async function runPause({ id, json }: PauseOptions): Promise<number> {
  const world = cliWorld();
  const paused = pause(choiceOf(id), hand(), world);
  if (!paused.ok) return failFor(paused);
  const { loop } = paused;
  if (json) sayJson(report(loop, world.now()));
  else if (hasEnded(loop)) say(sayEnded(loop));
  else
    say(
      sayPaused(loop, { resume: `${TERMINAL.resume} ${loop.id}`, cancel: `${TERMINAL.cancel} ${loop.id}` }),
    );
  return EXIT.ok;
}
