/** `dacapo fleet submit`: gives the fleet a loop, or with `--loops` one for each item of a list. */
import { submit } from '../../fleet/submit.ts';
import { EXIT, failFor, say, sayJson } from '../terminal/terminal.ts';
import { withFleet } from './fleet.ts';
import { readSubmitLine } from './submit-line.ts';
import { submitSet } from './submit-set.ts';

export async function runSubmit(words: readonly string[]): Promise<number> {
  const read = readSubmitLine(words);
  if (!read.ok) return failFor(read, EXIT.usage);
  const { submission, loops, json, ...line } = read.value;
  return withFleet(line, async (fleet, address) => {
    if (loops !== null) return submitSet({ ...line, submission, loops, json }, fleet, address);
    const id = await submit(fleet, submission);
    if (json) sayJson({ id });
    else say(`Da Capo: the fleet has loop ${id}.`, `dacapo fleet status ${id} shows how it stands.`);
    return EXIT.ok;
  });
}
