/** Checkpoints of a task: where the work stands, to be taken up again later. */
import { fields, list, optional, orNull } from '../../flags/schema/schema.ts';
import { createCheckpoint, listCheckpoints, resumeCheckpoint } from '../../tasks/checkpoints.ts';
import { anything, count, LONGEST_DATA, taskId, words } from '../fields.ts';
import { callingSession } from '../tool-context.ts';
import { tool, type AnyTool } from '../tool.ts';

const CHECKPOINT = {
  checkpointId: words('The checkpoint, for example CP-1735567890-abc123.'),
  iteration: count('The iteration in which it was made; 0 before the first run.'),
  executionPhase: orNull(words('The phase of the work.', LONGEST_DATA)),
  hookId: orNull(words('The stop hook that gave it; null if a tool made it.', LONGEST_DATA)),
  createdAt: words('When it was made.'),
  data: anything('What was kept.', Number.MAX_SAFE_INTEGER),
};

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
    run: ({ taskId: task, ...data }, _call, context) =>
      createCheckpoint(task, data, callingSession(context), context.runtime),
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
      checkpoints: list(fields('a checkpoint', CHECKPOINT), 'a list of checkpoints'),
    }),
    hints: 'reads',
    run: ({ taskId: task }, _call, { runtime }) => listCheckpoints(task, runtime),
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
    run: ({ taskId: task, checkpointId: wanted }, _call, { runtime }) =>
      resumeCheckpoint(task, wanted, runtime),
  }),
];
