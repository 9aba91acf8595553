/** Runs of a task. A run is a loop: `dacapo status` shows it, and in a session the stop hook enforces it. */
import { described, fields, flag, list, optional, orNull, word } from '#input/schema/schema.ts';
import { completeRun, nextIteration, validateRun } from '#surfaces/tasks/judge-run.ts';
import { startRun } from '#surfaces/tasks/start-run.ts';
import * as f from '../fields.ts';
import { asCall, holderForCall } from '../tool-context.ts';
import { tool, type AnyTool } from '../tool.ts';

const MAX_PROMISE_CHARS = 300;

const results = list(
  fields('a result', {
    ruleName: f.words('The rule.', f.MAX_ANSWER_CHARS),
    passed: flag,
    message: f.words('What was seen.', f.MAX_ANSWER_CHARS),
    notRun: optional(described('True: it was not tested this time, so whether it passes is unknown.', flag)),
  }),
  'a list of results',
);
const hookResults = list(
  fields('a hook', {
    hookId: f.words('The hook.', f.MAX_ANSWER_CHARS),
    state: word('answered', 'abstained', 'failed', 'timed-out', 'disabled', 'not-reached'),
    action: orNull(f.action),
    reason: orNull(f.reason),
  }),
  'a list of hooks',
);

const judged = fields('a judged iteration', {
  ...f.RUN,
  completionSignal: described(
    'CONTINUE: something is missing, call iteration_next. COMPLETE: it is proven done, call ' +
      'iteration_complete. ESCALATE: the run has ended and a person is needed; stop.',
    word('CONTINUE', 'COMPLETE', 'ESCALATE'),
  ),
  reason: f.reason,
  missing: list(f.words('What is missing.', f.MAX_ANSWER_CHARS), 'a list of texts'),
  validationResults: results,
  hookResults,
  nextPrompt: f.nextPrompt,
  loopId: f.loopOfRun,
  loopStatus: f.words('The status of the loop now.'),
});

export const iterationTools: readonly AnyTool[] = [
  tool({
    name: 'iteration_start',
    title: 'Begin a run',
    description:
      'Begins a run of a task: from now on the task has to be proven done. heldBy says whether you ' +
      'are held when you try to stop, or only your calls are judged. The checks of the project and ' +
      'the hooks of the task are its gates. A task has one live run at a time, and its limits stay ' +
      'as they are given here.',
    input: fields('iteration_start', {
      taskId: f.taskId,
      maxIterations: f.mostIterations,
      completionPromises: optional(
        described(
          'The promises that you may give, for example ["COMPLETE", "BLOCKED"]: exactly one that ' +
            'means done, beside BLOCKED and ESCALATE.',
          list(f.words('A promise.', MAX_PROMISE_CHARS), 'a list of texts, and not empty', 1),
        ),
      ),
      validationRules: optional(f.validationRules),
    }),
    output: fields('a run', {
      ...f.RUN,
      loopId: f.loopOfRun,
      heldBy: f.HELD_BY,
      brief: f.words('How the run ends. Follow it.', f.MAX_ANSWER_CHARS),
      warnings: list(f.words('What a person should know.', f.MAX_ANSWER_CHARS), 'a list of texts'),
    }),
    run: async (asked, call, context) => {
      const { runtime, project } = context;
      const started = await startRun(
        { ...asked, project, ...holderForCall(context, 'iteration_validate') },
        { ...runtime, proving: call.progress },
      );
      if (!started.ok) return started;
      const { run, loop, brief, warnings } = started;
      context.changes.begun(loop.id);
      return {
        iterationId: run,
        taskId: asked.taskId,
        iteration: loop.iteration,
        maxIterations: loop.max_iterations,
        loopId: loop.id,
        heldBy: f.heldBy(loop),
        brief,
        warnings,
      };
    },
  }),
  tool({
    name: 'iteration_validate',
    title: 'Judge this iteration',
    description:
      'Judges the iteration: runs the checks if you claim to be done, asks the stop hooks, and ' +
      'answers with completionSignal. Each call ends an iteration and counts toward maxIterations. ' +
      'It may take minutes.',
    input: fields('iteration_validate', { iterationId: f.iterationId, agentOutput: f.agentOutput }),
    output: judged,
    run: ({ iterationId: run, agentOutput: output }, call, context) =>
      validateRun(asCall(run, call, context), output, context.runtime),
  }),
  tool({
    name: 'iteration_next',
    title: 'Begin the next iteration',
    description:
      'Begins the next iteration after iteration_validate said CONTINUE. Refused while the open ' +
      'iteration has not been validated.',
    input: fields('iteration_next', { iterationId: f.iterationId }),
    output: fields('an iteration', { ...f.RUN, nextPrompt: f.nextPrompt }),
    run: ({ iterationId: run }, call, context) => nextIteration(asCall(run, call, context), context.runtime),
  }),
  tool({
    name: 'iteration_complete',
    title: 'End the run with proof',
    description:
      'Ends a run that is proven done. If it was not validated as COMPLETE yet, it is judged now, ' +
      'which counts as an iteration; while a gate is open it is refused and says what is missing.',
    input: fields('iteration_complete', {
      iterationId: f.iterationId,
      completionPromise: f.words(
        'The promise that means done, for example COMPLETE. Give it only if it is true.',
        MAX_PROMISE_CHARS,
      ),
    }),
    output: fields('a completed run', {
      iterationId: f.iterationId,
      taskId: f.taskId,
      status: word('completed'),
      completionPromise: f.words('The promise.', MAX_PROMISE_CHARS),
      iterations: f.count('How many iterations it took.'),
      loopId: f.loopOfRun,
    }),
    hints: 'repeatable',
    run: ({ iterationId: run, completionPromise }, call, context) =>
      completeRun(asCall(run, call, context), completionPromise, context.runtime),
  }),
];
