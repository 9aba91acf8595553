/** Fields that several tools have, each with the words that the model reads. */
import { word } from '../stop-hooks/config/schema.ts';
import { STATUSES } from '../tasks/record.ts';
import { anything, described, words } from './schema.ts';

/** As much as a model writes in one answer, and more. */
export const LONGEST_OUTPUT = 200_000;
/** Reasons, results and other words of ours that go back to the model. */
export const ANSWER = 400_000;
/** A description of the state of the work; it is no backup. */
export const LONGEST_DATA = 200_000;
const LONGEST_METADATA = 10_000;

export const taskId = words('The task, for example TASK-k3j9x0a1b2, as task_create answered.');
export const iterationId = words('The run, for example IT-1735567890-abc123, as iteration_start answered.');
export const agentOutput = words(
  'What you would say as your last message now. Only a tag such as <promise>COMPLETE</promise> on a line of its own counts as a promise.',
  LONGEST_OUTPUT,
);
export const metadata = anything('Anything you want to keep with it.', LONGEST_METADATA);
export const taskStatus = described('Where the task stands.', word(...STATUSES));
