/** Runs of a task. A run is a loop: `dacapo status` shows it, and in a session the stop hook enforces it. */
import { wasAsked } from '../../core/stop-hooks.ts';
import { topFrame } from '../../core/loop.ts';
import { completeRun, nextIteration, validateRun, type RunJudged } from '../../tasks/judge-run.ts';
import { hookAccounts, validationResults } from '../../tasks/results.ts';
import { startRun } from '../../tasks/start-run.ts';
import {
  agentOutput,
  ANSWER,
  iterationId,
  taskId,
  validationRules,
  action,
  count,
  iteration,
  loopOfRun,
  maxIterations,
  nextPrompt,
  reason,
} from '../fields.ts';
import { asCall, holderOf, sayingProof } from '../tool-context.ts';
import { heldBy, HELD_BY } from '../loop-fields.ts';
import { described, fields, flag, list, optional, orNull, word } from '../../flags/schema/schema.ts';
import { amount, words } from '../schema.ts';
import { tool, type AnyTool } from '../tool.ts';

const MOST_ITERATIONS = 10_000;
const PROMISE = 300;

const results = list(
  fields('a result', {
    ruleName: words('The rule.', ANSWER),
    passed: flag,
    message: words('What was seen.', ANSWER),
    notRun: optional(described('True: it was not tested this time, so whether it passes is unknown.', flag)),
  }),
  'a list of results',
);
const hookResults = list(
  fields('a hook', {
    hookId: words('The hook.', ANSWER),
    state: word('answered', 'abstained', 'failed', 'timed-out', 'disabled', 'not-reached'),
    action: orNull(action),
    reason: orNull(reason),
  }),
  'a list of hooks',
);

const judged = fields('a judged iteration', {
  iterationId,
  taskId,
  iteration,
  maxIterations,
  completionSignal: described(
    'CONTINUE: something is missing, go on with iteration_next. COMPLETE: it is proven done, call iteration_complete. ESCALATE: the run has ended and a person is needed; stop.',
    word('CONTINUE', 'COMPLETE', 'ESCALATE'),
  ),
  reason,
  missing: list(words('What is missing.', ANSWER), 'a list of texts'),
  validationResults: results,
  hookResults,
  nextPrompt,
  loopId: loopOfRun,
  loopStatus: words('The status of the loop now.'),
});

const SIGNALS = {
  complete: 'COMPLETE',
  continue: 'CONTINUE',
  allow: 'CONTINUE',
  escalate: 'ESCALATE',
  exhaust: 'ESCALATE',
} as const;

function judgedFields({
  run,
  judged: { decision, reason: why, missing, toAgent },
  loop,
  iteration: n,
}: RunJudged) {
  const asked = loop.noted.asked?.n === loop.last?.n ? loop.noted.asked : undefined;
  const next = [toAgent, asked?.next ?? ''].filter((text) => text !== '').join('\n\n');
  return {
    iterationId: run.id,
    taskId: run.task,
    iteration: n,
    maxIterations: topFrame(loop).iterations,
    completionSignal: SIGNALS[decision],
    reason: why,
    missing,
    validationResults: validationResults(loop),
    hookResults: hookAccounts(loop).map((account) => ({
      hookId: account.hook,
      state: account.is,
      action: wasAsked(account) ? account.action : null,
      reason: wasAsked(account) ? account.reason : null,
    })),
    nextPrompt: decision === 'continue' && next !== '' ? next : null,
    loopId: loop.id,
    loopStatus: loop.status.is,
  };
}

export const iterationTools: readonly AnyTool[] = [
  tool({
    name: 'iteration_start',
    title: 'Begin a run',
    description:
      'Begins a run of a task: from now on the task has to be proven done. heldBy says whether you are held when you try to stop, or only your calls are judged. The checks of the project and the hooks of the task are its gates. A task has one live run at a time, and its limits stay as they are given here.',
    input: fields('iteration_start', {
      taskId,
      maxIterations: optional(amount('The most iterations; 50 if left out.', 1, MOST_ITERATIONS)),
      completionPromises: optional(
        described(
          'The promises that you may give, for example ["COMPLETE", "BLOCKED"]: exactly one that means done, beside BLOCKED and ESCALATE.',
          list(words('A promise.', PROMISE), 'a list of texts, and not empty', 1),
        ),
      ),
      validationRules: optional(validationRules),
    }),
    output: fields('a run', {
      iterationId,
      taskId,
      iteration,
      maxIterations,
      loopId: loopOfRun,
      heldBy: HELD_BY,
      brief: words('How the run ends. Follow it.', ANSWER),
      warnings: list(words('What a person should know.', ANSWER), 'a list of texts'),
    }),
    hints: 'adds',
    run: async (
      { taskId: task, maxIterations: most, completionPromises, validationRules: rules = [] },
      call,
      context,
    ) => {
      const { runtime, project } = context;
      const started = await startRun(
        {
          task,
          project,
          ...holderOf(context, 'iteration_validate'),
          maxIterations: most,
          promises: completionPromises,
          rules,
        },
        { ...runtime, proving: sayingProof(call) },
      );
      if (!started.ok) return started;
      const { run, loop, brief, warnings } = started;
      context.changes.begun(loop.id);
      return {
        iterationId: run,
        taskId: task,
        iteration: loop.iteration,
        maxIterations: loop.max_iterations,
        loopId: loop.id,
        heldBy: heldBy(loop),
        brief,
        warnings,
      };
    },
  }),
  tool({
    name: 'iteration_validate',
    title: 'Judge this iteration',
    description:
      'Judges the iteration: runs the checks if you claim to be done, asks the stop hooks, and answers with completionSignal. Each call ends an iteration and counts toward maxIterations. It may take minutes.',
    input: fields('iteration_validate', { iterationId, agentOutput }),
    output: judged,
    hints: 'adds',
    run: async ({ iterationId: run, agentOutput: output }, call, context) => {
      const answer = await validateRun({ ...asCall(run, call, context), output }, context.runtime);
      if (!answer.ok) return answer;
      call.answered(answer.delivered);
      return judgedFields(answer);
    },
  }),
  tool({
    name: 'iteration_next',
    title: 'Go on to the next iteration',
    description:
      'Goes on to the next iteration after iteration_validate said CONTINUE. Refused while the open iteration has not been validated.',
    input: fields('iteration_next', { iterationId }),
    output: fields('an iteration', { iterationId, taskId, iteration, maxIterations, nextPrompt }),
    hints: 'adds',
    run: ({ iterationId: id }, call, context) => {
      const next = nextIteration(asCall(id, call, context), context.runtime);
      if (!next.ok) return next;
      const { run, loop } = next;
      const { passes, iterations } = topFrame(loop);
      return {
        iterationId: id,
        taskId: run.task,
        iteration: passes + 1,
        maxIterations: iterations,
        nextPrompt: loop.noted.asked?.next ?? null,
      };
    },
  }),
  tool({
    name: 'iteration_complete',
    title: 'End the run with proof',
    description:
      'Ends a run that is proven done. If it was not validated as COMPLETE yet, it is judged now, which counts as an iteration; while a gate is open it is refused and says what is missing.',
    input: fields('iteration_complete', {
      iterationId,
      completionPromise: words(
        'The promise that means done, for example COMPLETE. Give it only if it is true.',
        PROMISE,
      ),
    }),
    output: fields('a completed run', {
      iterationId,
      taskId,
      status: word('completed'),
      completionPromise: words('The promise.', PROMISE),
      iterations: count('How many iterations it took.'),
      loopId: loopOfRun,
    }),
    hints: 'repeatable',
    run: async ({ iterationId: run, completionPromise }, call, context) => {
      const answer = await completeRun(
        { ...asCall(run, call, context), promise: completionPromise },
        context.runtime,
      );
      if (!answer.ok) return answer;
      call.answered(answer.delivered);
      return {
        iterationId: run,
        taskId: answer.run.task,
        status: 'completed' as const,
        completionPromise,
        iterations: topFrame(answer.loop).passes,
        loopId: answer.loop.id,
      };
    },
  }),
];
