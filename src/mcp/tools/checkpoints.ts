/** Checkpoints of a task: where the work stands, to be taken up again later. */
import { phaseOf } from '../../proofs/stop-hooks/checkpoints.ts';
import {
  createCheckpoint,
  listCheckpoints,
  resumeCheckpoint,
  type ShownCheckpoint,
} from '../../tasks/checkpoints.ts';
import { callingSession } from '../tool-context.ts';
import { count, LONGEST_DATA, taskId } from '../fields.ts';
import { fields, list, optional, orNull } from '../../flags/schema/schema.ts';
import { anything, words } from '../schema.ts';
import { tool, type AnyTool } from '../tool.ts';

const checkpointId = words('The checkpoint, for example CP-1735567890-abc123.');

const CHECKPOINT = {
  checkpointId,
  iteration: count('The iteration in which it was made; 0 before the first run.'),
  executionPhase: orNull(words('The phase of the work.', LONGEST_DATA)),
  hookId: orNull(words('The stop hook that gave it; null if a tool made it.', LONGEST_DATA)),
  createdAt: words('When it was made.'),
  data: anything('What was kept.', Number.MAX_SAFE_INTEGER),
};
const checkpoint = fields('a checkpoint', CHECKPOINT);

function checkpointFields({ id, iteration, at, data, hook }: ShownCheckpoint) {
  return { checkpointId: id, iteration, executionPhase: phaseOf(data), hookId: hook, createdAt: at, data };
}

export const checkpointTools: readonly AnyTool[] = [
  tool({
    name: 'checkpoint_create',
    title: 'Make a checkpoint',
    description:
      'Keeps where the work on a task stands, with the hooks that are registered now. It is a description, not a copy of files: dacapo rollback returns to files.',
    input: fields('checkpoint_create', {
      taskId,
      executionPhase: optional(words('The phase of the work, for example "testing".')),
      executionStep: optional(count('The step within it.')),
      agentContext: optional(anything('What you need to know to take it up again.', LONGEST_DATA)),
      draftContent: optional(words('A draft of the work.', LONGEST_DATA)),
      draftType: optional(words('What the draft is, for example "implementation".')),
    }),
    output: fields('a checkpoint', { taskId, ...CHECKPOINT }),
    hints: 'adds',
    run: ({ taskId: task, ...data }, _call, context) => {
      const made = createCheckpoint({ task, data, session: callingSession(context) }, context.runtime);
      return made.ok ? { taskId: task, ...checkpointFields(made.checkpoint) } : made;
    },
  }),
  tool({
    name: 'checkpoint_list',
    title: 'List checkpoints',
    description:
      'Lists the checkpoints of a task, also those that its stop hooks gave; the oldest first. Changes nothing.',
    input: fields('checkpoint_list', { taskId }),
    output: fields('checkpoints', {
      taskId,
      checkpointCount: count('How many there are.'),
      checkpoints: list(checkpoint, 'a list of checkpoints'),
    }),
    hints: 'reads',
    run: ({ taskId: task }, _call, { runtime }) => {
      const listed = listCheckpoints(task, runtime);
      if (!listed.ok) return listed;
      const checkpoints = listed.checkpoints.map(checkpointFields);
      return { taskId: task, checkpointCount: checkpoints.length, checkpoints };
    },
  }),
  tool({
    name: 'checkpoint_resume',
    title: 'Take up a checkpoint',
    description:
      'Gives back what a checkpoint kept, and registers its hooks again if they were cleared. It reopens no run that has ended and raises no limit: a person does that with dacapo resume. Without a live run, begin one with iteration_start.',
    input: fields('checkpoint_resume', {
      taskId,
      checkpointId: optional(words('The checkpoint; the newest if left out.')),
    }),
    output: fields('a resumed checkpoint', {
      taskId,
      ...CHECKPOINT,
      hooksRestored: list(words('A hook.'), 'a list of hooks'),
      iterationId: orNull(words('The live run, if there is one.')),
    }),
    hints: 'repeatable',
    run: ({ taskId: task, checkpointId: wanted }, _call, { runtime }) => {
      const resumed = resumeCheckpoint({ task, checkpoint: wanted }, runtime);
      if (!resumed.ok) return resumed;
      return {
        taskId: task,
        ...checkpointFields(resumed.checkpoint),
        hooksRestored: resumed.hooks.map(({ id }) => id),
        iterationId: resumed.run,
      };
    },
  }),
];
