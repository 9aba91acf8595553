/** A loop as the tools show it. */
import { isToolSession } from '../core/loop.ts';
import type { Report } from '../text/report.ts';
import { ANSWER, count } from './fields.ts';
import { described, fields, flag, list, optional, orNull, word } from '../flags/schema/schema.ts';
import { words } from './schema.ts';

export const loopId = words('The loop, for example RALPH_20260105_abc123.');
export const whichLoop = optional(words('The loop. Leave it out for the loop of this session.'));

const testedGates = list(
  fields('a gate', {
    gate: words('Its kind.'),
    wanted: words('What it wants.', ANSWER),
    name: optional(words('Its name in the config.', ANSWER)),
    holds: orNull(described('Null: it has not been tested yet.', flag)),
    seen: orNull(words('The result of the last test.', ANSWER)),
    output: optional(words('The end of what a failed check printed.', ANSWER)),
    evidence: optional(words('The file with all of it.', ANSWER)),
  }),
  'a list of gates',
);

export const HELD_BY = described(
  'hook: when you stop before it is proven done, you are asked to continue. calls: nothing holds you; only what you say by tools is judged.',
  word('hook', 'calls'),
);

export const LOOP = {
  loopId,
  status: words('Its status.'),
  reason: words('Its status in words.', ANSWER),
  iteration: count('The open iteration; of a loop that has ended, the last one.'),
  maxIterations: orNull(count('The most iterations.')),
  heldBy: HELD_BY,
  gates: testedGates,
};

export function loopFields(loop: Report, gates: Report['gates']) {
  const { id: loopId, status, reason, iteration, max_iterations: maxIterations } = loop;
  return { loopId, status, reason, iteration, maxIterations, heldBy: heldBy(loop), gates };
}

export function heldBy({ session_id: session }: Report): 'hook' | 'calls' {
  return isToolSession(session ?? '') ? 'calls' : 'hook';
}
