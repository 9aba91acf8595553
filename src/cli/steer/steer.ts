/** `dacapo steer`: puts a word into the next iteration of a loop. */
import { loopsUnder } from '../../operations/look/loops.ts';
import { steer } from '../../operations/steer/steer.ts';
import { report } from '../../text/report.ts';
import { title } from '../../text/to-person.ts';
import { choiceOf, sayResume } from '../loops.ts';
import { cliWorld, hand } from '../runtime.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { fail, failFor, say, sayJson } from '../terminal/terminal.ts';

export interface SteerOptions {
  readonly first: string | undefined;
  readonly second: string | undefined;
  readonly json: boolean;
}

export async function runSteer({ first, second, json }: SteerOptions): Promise<number> {
  const world = cliWorld();
  // One argument is what to say, unless it is a loop.
  const isLoop = (word: string) =>
    loopsUnder(null, world).some(({ id, name }) => id === word || name === word);
  const isId = second !== undefined || (first !== undefined && isLoop(first));
  const [id, words = ''] = isId ? [first, second] : [undefined, first];
  if (words.trim() === '')
    return fail(
      'there is nothing to say to the agent.',
      ['dacapo steer', id, '"…"'].filter(Boolean).join(' '),
      EXIT.usage,
    );
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
