/** Tasks: what an agent works on in one or more runs. */
import { fields, optional, orNull } from '../../flags/schema/schema.ts';
import { createTask, getTask, updateTask } from '../../tasks/task.ts';
import { anything, count, metadata, taskId, taskStatus, words } from '../fields.ts';
import { tool, type AnyTool } from '../tool.ts';

const TITLE = 500;
const DESCRIPTION = 100_000;

const taskFields = fields('a task', {
  taskId,
  title: words('What is to be done, in one line.', TITLE),
  description: words('What is to be done, in full.', DESCRIPTION),
  status: taskStatus,
  notes: orNull(words('What was noted last.', DESCRIPTION)),
  metadata: anything('What was kept with it.', Number.MAX_SAFE_INTEGER),
  hookCount: count('How many stop hooks are registered.'),
  checkpointCount: count('How many checkpoints it has.'),
  iterationId: orNull(words('Its last run.')),
  loopId: orNull(words('The loop of that run, as dacapo status shows it.')),
  loopStatus: orNull(words('The status of that loop.')),
  createdAt: words('When it was made.'),
  updatedAt: words('When it was changed last.'),
});

export const taskTools: readonly AnyTool[] = [
  tool({
    name: 'task_create',
    title: 'Make a task',
    description:
      'Makes a task and answers with its id. It starts nothing: call iteration_start to begin a run that has to be proven done.',
    input: fields('task_create', {
      title: words('What is to be done, in one line.', TITLE),
      description: optional(
        words('What is to be done, in full. The agent gets it as its task.', DESCRIPTION),
      ),
      metadata: optional(metadata),
    }),
    output: taskFields,
    hints: 'adds',
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
      'Changes the title, description, notes, metadata or status of a task. Fields that are left out stay. While a run of the task is live its status follows from that run, and a change of the status is refused. The prompt and limits of a live run never change.',
    input: fields('task_update', {
      taskId,
      title: optional(words('The new title.', TITLE)),
      description: optional(words('The new description.', DESCRIPTION)),
      status: optional(taskStatus),
      notes: optional(words('What to note; replaces the last note.', DESCRIPTION)),
      metadata: optional(metadata),
    }),
    output: taskFields,
    hints: 'repeatable',
    run: ({ taskId: id, ...change }, _call, { runtime }) => updateTask(id, change, runtime),
  }),
];
