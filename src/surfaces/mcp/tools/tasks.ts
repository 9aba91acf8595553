/**
 * Tasks: what an agent works on in one or more runs; and checkpoints, where the work stands, to be taken up
 * again.
 */
import { fields, list, optional, orNull } from '#input/schema/schema.ts';
import { createCheckpoint, listCheckpoints, resumeCheckpoint } from '#surfaces/tasks/checkpoints.ts';
import { createTask, getTask, updateTask } from '#surfaces/tasks/task.ts';
import { anything, count, MAX_DATA_CHARS, metadata, taskId, taskStatus, words } from '../fields.ts';
import { tool, type AnyTool } from '../tool.ts';

const MAX_TITLE_CHARS = 500;
const MAX_DESCRIPTION_CHARS = 100_000;

const taskFields = fields('a task', {
  taskId,
  title: words('What is to be done, in one line.', MAX_TITLE_CHARS),
  description: words('What is to be done, in full.', MAX_DESCRIPTION_CHARS),
  status: taskStatus,
  notes: orNull(words('What was noted last.', MAX_DESCRIPTION_CHARS)),
  metadata: anything('What was kept with it.', Number.MAX_SAFE_INTEGER),
  hookCount: count('How many stop hooks are registered.'),
  checkpointCount: count('How many checkpoints it has.'),
  iterationId: orNull(words('Its last run.')),
  loopId: orNull(words('The loop of that run, as dacapo status shows it.')),
  loopStatus: orNull(words('The status of that loop.')),
  createdAt: words('When it was made.'),
  updatedAt: words('When it was changed last.'),
});

const CHECKPOINT = {
  checkpointId: words('The checkpoint, for example CP-1735567890-abc123.'),
  iteration: count('The iteration in which it was made; 0 before the first run.'),
  executionPhase: orNull(words('The phase of the work.', MAX_DATA_CHARS)),
  hookId: orNull(words('The stop hook that gave it; null if a tool made it.', MAX_DATA_CHARS)),
  createdAt: words('When it was made.'),
  data: anything('What was kept.', Number.MAX_SAFE_INTEGER),
};

export const taskTools: readonly AnyTool[] = [
  tool({
    name: 'task_create',
    title: 'Make a task',
    description:
      'Makes a task and answers with its id. It starts nothing: call iteration_start to begin a run ' +
      'that has to be proven done.',
    input: fields('task_create', {
      title: words('What is to be done, in one line.', MAX_TITLE_CHARS),
      description: optional(words("What is to be done, in full: the agent's task.", MAX_DESCRIPTION_CHARS)),
      metadata: optional(metadata),
    }),
    output: taskFields,
    run: (asked, _call, { runtime, project }) => createTask({ ...asked, project }, runtime),
  }),
  tool({
    name: 'task_get',
    title: 'Show a task',
    description: 'Shows a task: what is to be done, its status, and its last run. Changes nothing.',
    input: fields('task_get', { taskId }),
    output: taskFields,
    hints: 'reads',
    run: ({ taskId: id }, _call, { runtime }) => getTask(id, runtime),
  }),
  tool({
    name: 'task_update',
    title: 'Change a task',
    description:
      'Changes the title, description, notes, metadata or status of a task. Fields that are left out ' +
      'stay. While a run of the task is live its status follows from that run, and a change of the ' +
      'status is refused. The prompt and limits of a live run never change.',
    input: fields('task_update', {
      taskId,
      title: optional(words('The new title.', MAX_TITLE_CHARS)),
      description: optional(words('The new description.', MAX_DESCRIPTION_CHARS)),
      status: optional(taskStatus),
      notes: optional(words('What to note; replaces the last note.', MAX_DESCRIPTION_CHARS)),
      metadata: optional(metadata),
    }),
    output: taskFields,
    hints: 'repeatable',
    run: ({ taskId: id, ...change }, _call, { runtime }) => updateTask(id, change, runtime),
  }),
  tool({
    name: 'checkpoint_create',
    title: 'Make a checkpoint',
    description:
      'Saves the state of the work on a task, with the hooks that are registered now. It is a ' +
      'description, not a copy of files: dacapo rollback returns to files.',
    input: fields('checkpoint_create', {
      taskId,
      executionPhase: optional(words('The phase of the work, for example "testing".')),
      executionStep: optional(count('The step within it.')),
      agentContext: optional(anything('What you need to know to continue the work.', MAX_DATA_CHARS)),
      draftContent: optional(words('A draft of the work.', MAX_DATA_CHARS)),
      draftType: optional(words('What the draft is, for example "implementation".')),
    }),
    output: fields('a checkpoint', { taskId, ...CHECKPOINT }),
    run: ({ taskId: task, ...data }, _call, { session, runtime }) =>
      createCheckpoint(task, data, session?.session ?? null, runtime),
  }),
  tool({
    name: 'checkpoint_list',
    title: 'List checkpoints',
    description:
      'Lists the checkpoints of a task, also those that its stop hooks gave; the oldest first. ' +
      'Changes nothing.',
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
      'Gives back what a checkpoint kept, and registers its hooks again if they were cleared. It ' +
      'reopens no run that has ended and raises no limit: a person does that with dacapo resume. ' +
      'Without a live run, begin one with iteration_start.',
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
