/** Our own tools: a loop, by the operations that a person has too. */
import { refuse } from '../../core/refusal.ts';
import { loopById } from '../../operations/look/find.ts';
import { flag, list } from '../../stop-hooks/schema.ts';
import { report } from '../../text/report.ts';
import { amount, fields, optional, orNull, words } from '../schema.ts';
import { tool, type AnyTool } from '../tool.ts';

const LONG = 100_000;

const gate = fields('a gate', {
  gate: words('its kind'),
  wanted: words('what it wants', LONG),
  name: optional(words('its name in the config')),
  holds: orNull(flag),
  seen: orNull(words('the result of the last test', LONG)),
});

const standing = fields('a loop', {
  loopId: words('the loop'),
  status: words('its status'),
  reason: words('its status in words', LONG),
  iteration: amount('the open pass; of an ended loop, the last one', 0, Number.MAX_SAFE_INTEGER),
  maxIterations: orNull(amount('the most passes', 1, Number.MAX_SAFE_INTEGER)),
  gates: list(gate, 'a list of gates'),
});

export const loopTools: readonly AnyTool[] = [
  tool({
    name: 'loop_status',
    title: 'Status of the loop',
    description:
      'How the loop stands: its status, the iteration, and each gate with the result of its last test. Changes nothing.',
    input: fields('loop_status', {
      loopId: optional(words('The loop. Leave it out for the loop of this session.')),
    }),
    output: standing,
    hints: 'reads',
    run: ({ loopId }, _call, { world, session }) => {
      const id = loopId ?? (session === null ? null : world.store.sessions.find(session.session)?.loop);
      const loop = id ? loopById(id, world) : null;
      if (loop === null)
        return refuse(
          'no-loop',
          'There is no such loop.',
          'Start one with loop_start, or give the id of one.',
        );
      const { id: loopOf, status, reason, iteration, max_iterations, gates } = report(loop, world.now());
      return { loopId: loopOf, status, reason, iteration, maxIterations: max_iterations, gates };
    },
  }),
];
