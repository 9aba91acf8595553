/** `dacapo steer`: puts a word into the next iteration of a loop. */
import { steer } from '../../operations/steer/steer.ts';
import { report } from '../../text/report.ts';
import { title } from '../../text/to-person.ts';
import { choiceOf, sayResume } from '../loops.ts';
import { cliWorld, hand } from '../runtime.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { fail, failFor, say, sayJson } from '../terminal/terminal.ts';

export interface SteerOptions {
  readonly id: string;
  readonly words: string;
  readonly json: boolean;
}

export async function runSteer({ id, words, json }: SteerOptions): Promise<number> {
  if (words.trim() === '')
    return fail('there is nothing to say to the agent.', `dacapo steer ${id} "…"`, EXIT.usage);
  const world = cliWorld();
  const steered = steer({ ...choiceOf(id), words, by: hand() }, world);
  if (!steered.ok) return failFor(steered);
  if (json) sayJson(report(steered.loop, world.now()));
  else
    say(
      `Da Capo: the agent of loop ${title(steered.loop)} gets that with its next iteration, once.`,
      ...sayResume(steered.loop),
    );
  return EXIT.ok;
}
