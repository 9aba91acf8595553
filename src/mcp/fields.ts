/** Fields that several tools have, each with the words that the model reads. */
import { writtenRules } from '../flags/validation-rules.ts';
import { STATUSES } from '../tasks/record.ts';
import { described, orNull, word } from '../flags/schema/schema.ts';
import { amount, anything, words } from './schema.ts';

/** As much as a model writes in one answer, and more. */
export const LONGEST_OUTPUT = 200_000;
/** Reasons, results and other words of ours that go back to the model. */
export const ANSWER = 400_000;
/** A description of the state of the work; it is not a backup. */
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

// A run as the tools show it.

export const count = (description: string) => amount(description, 0, Number.MAX_SAFE_INTEGER);
export const iteration = count('The iteration, the first is 1.');
export const maxIterations = orNull(count('The most iterations of this run.'));
export const loopOfRun = words('The loop of this run, as dacapo status shows it.');
export const action = word('complete', 'continue', 'escalate');
export const reason = words('Why, in words.', ANSWER);
export const nextPrompt = orNull(words('What to do now.', ANSWER));

// The validation rules of a run, for the model. `readRules` reads them strictly.

export const validationRules = described(
  'What has to hold besides the promise, tested by Da Capo. command: one that the user allows, exactly as it is in rules.commands of their config or in a check of the trusted config. pattern: a regular expression in a file, or in your output if no file is given. file-exists.',
  writtenRules,
);
