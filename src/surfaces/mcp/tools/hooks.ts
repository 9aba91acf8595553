/** Stop hooks of a task, as data: the three presets, and the templates and chains of the library. */
import { WORK_PRODUCTS } from '#law/proof/stop-hooks.ts';
import { described, fields, flag, list, optional, word } from '#input/schema/schema.ts';
import { HOOK_TYPES } from '#surfaces/stop-hooks/spec.ts';
import { askAbout, clearHooks, listHooks, registerHook } from '#surfaces/tasks/hooks.ts';
import * as f from '../fields.ts';
import { asCall } from '../tool-context.ts';
import { tool, type AnyTool } from '../tool.ts';

const MAX_OPTIONS_CHARS = 20_000;
const hookType = described(
  'default: a promise first, then the validation rules. validation: only the rules. promise: only ' +
    'promises. The others are templates and chains, which take their fields in options.',
  word(...HOOK_TYPES),
);
const hookId = f.words('The hook, for example HOOK-1735567890-xyz123.');
const note = optional(
  f.words('Given while a run is live: that keeps the hooks it began with.', f.MAX_ANSWER_CHARS),
);
const kept = f.anything('What was kept with it.', Number.MAX_SAFE_INTEGER);

export const hookTools: readonly AnyTool[] = [
  tool({
    name: 'hook_register',
    title: 'Register a stop hook',
    description:
      'Registers a stop hook for a task. Register hooks before iteration_start: a run has the hooks ' +
      'that were there when it began, and keeps them until it ends; a later one counts from the next ' +
      'run. They are asked in the order of registration; the first that says complete or escalate ' +
      'decides.',
    input: fields('hook_register', {
      taskId: f.taskId,
      hookType,
      options: optional(
        f.anything(
          'The fields of the type: {"files": 5} for max-files, {"iterations": 8} for max-iterations ' +
            'or checkpoint-every, {"iteration": 5} for checkpoint-at, {"rule": "tests_pass"} for tdd, ' +
            '{"rules": [...], "maxIterations": 10} for security, {"except": ["docs/"]} for real-work, ' +
            '{"hooks": [{"type": "default"}, ...]} for all-of and any-of, {"condition": ' +
            '{"fromIteration": 3}, "hook": {"type": "default"}} for when.',
          MAX_OPTIONS_CHARS,
        ),
      ),
      metadata: optional(f.metadata),
    }),
    output: fields('a hook', { hookId, taskId: f.taskId, hookType, enabled: flag, metadata: kept, note }),
    run: (asked, _call, { runtime }) => registerHook(asked, runtime),
  }),
  tool({
    name: 'hook_list',
    title: 'List the stop hooks of a task',
    description:
      'Lists the stop hooks that are registered for a task, in the order in which they are asked. ' +
      'Changes nothing.',
    input: fields('hook_list', { taskId: f.taskId }),
    output: fields('hooks', {
      taskId: f.taskId,
      hookCount: f.count('How many there are.'),
      hooks: list(fields('a hook', { id: hookId, enabled: flag, metadata: kept }), 'a list of hooks'),
    }),
    hints: 'reads',
    run: ({ taskId: task }, _call, { runtime }) => listHooks(task, runtime),
  }),
  tool({
    name: 'hook_clear',
    title: 'Clear the stop hooks of a task',
    description:
      'Clears the stop hooks that were registered for a task by hook_register. A live run keeps the ' +
      'hooks with which it began, and the hooks of the user and of the project always stay. Refused ' +
      'while the task is blocked: a person has to look first.',
    input: fields('hook_clear', { taskId: f.taskId }),
    output: fields('cleared hooks', {
      taskId: f.taskId,
      hooksCleared: f.count('How many were cleared.'),
      note,
    }),
    hints: 'destroys',
    run: ({ taskId: task }, _call, { runtime }) => clearHooks(task, runtime),
  }),
  tool({
    name: 'hook_evaluate',
    title: 'Ask the stop hooks',
    description:
      'Asks the stop hooks of a run about an output, with the results of the last validation, and ' +
      'answers with what they say: the same hooks that iteration_validate asks. It ends no iteration ' +
      'and runs no check; iteration_validate does both.',
    input: fields('hook_evaluate', {
      iterationId: f.iterationId,
      agentOutput: optional(f.agentOutput),
      filesModified: optional(
        described(
          'The files that you changed in this iteration.',
          list(f.words('A path.', 4_096), 'a list of paths'),
        ),
      ),
      draftContent: optional(f.words('A draft of the work.', f.MAX_OUTPUT_CHARS)),
      draftType: optional(word(...WORK_PRODUCTS)),
    }),
    output: fields('an evaluation', {
      hookId: f.words('The hook whose answer it is; "default" if none is registered.', f.MAX_ANSWER_CHARS),
      taskId: f.taskId,
      iteration: f.iteration,
      action: f.action,
      reason: f.reason,
      nextPrompt: f.nextPrompt,
      checkpointCreated: flag,
      metadata: f.anything('What the hook added.', Number.MAX_SAFE_INTEGER),
    }),
    run: ({ iterationId: run, ...question }, call, context) =>
      askAbout(asCall(run, call, context), question, context.runtime),
  }),
];
