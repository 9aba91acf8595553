/** A loop: starting one, and looking at it. */
import { resolve } from 'node:path';
import type { Request } from '#law/loop.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { isIn, realPath } from '#base/files/paths.ts';
import { readStartFields } from '#input/arguments.ts';
import { described, fields, flag, list, optional, orNull, type TypeOf } from '#input/schema/schema.ts';
import { nestForTool, startForTool } from '#engine/agent/start-for-tool.ts';
import { refuseUnknown } from '#engine/trust/trust.ts';
import * as f from '../fields.ts';
import { lookAtLoop, mayReadWords, loopForTool } from '../read-loop.ts';
import { holderForCall, type ToolContext } from '../tool-context.ts';
import { tool, type AnyTool } from '../tool.ts';

const MAX_PROMPT_CHARS = 100_000;

/** The answer to a question is its words; other requests are approved or rejected, perhaps with a note. */
function shownRequest({ id, what, answer }: Request) {
  const note = answer !== null && 'note' in answer ? answer.note : null;
  const isWords = answer?.is === 'text';
  return {
    requestId: id,
    question: what.text,
    answer: isWords ? note : (answer?.is ?? null),
    note: isWords ? null : note,
  };
}

const JUDGE = 'loop_claim';

const loopAsked = fields('loop_start', {
  prompt: f.words('The task, in full.', MAX_PROMPT_CHARS),
  completionPromise: optional(
    f.words('The words that mean done; COMPLETE if left out and there is no other gate.', 300),
  ),
  checks: optional(
    described(
      'Names of checks in the trusted config, or exactly their commands. All checks of the config ' +
        'are gates anyway; naming an unknown one is refused.',
      list(f.words('A check.', 2_000), 'a list of texts'),
    ),
  ),
  features: optional(f.words('A feature list in the project, whose items all have to pass.', 1_000)),
  maxIterations: f.mostIterations,
  minIterations: optional(f.amount('It is not complete before this many.', 0, f.MAX_ITERATIONS)),
  confirm: optional(
    f.amount('Complete after this many passes in a row without a change.', 1, f.MAX_ITERATIONS),
  ),
  review: optional(f.words('A host whose agent has to approve the work, and perhaps its model: HOST:MODEL.')),
  name: optional(f.words('A short name for lists.', 80)),
  nest: optional(described('An inner task of the loop that this session has.', flag)),
});

/** The input of loop_start, read as the flags of the command line are, so that both refuse the same. */
async function requestFor(given: TypeOf<typeof loopAsked>, context: ToolContext) {
  const refusal =
    refuseOutside(given.features, context.project) ??
    (await refuseUnknown(given.checks ?? [], context.project, context.runtime));
  if (refusal !== null) return refusal;
  // The checks are those of the trusted config, which is read anyway.
  const { prompt, completionPromise: promise, checks: _, ...rest } = given;
  return readStartFields(prompt, { ...rest, promise });
}

/** The text of a list goes to the agent, which may have no right to read files elsewhere. */
function refuseOutside(list: string | undefined, project: string): Refusal | null {
  if (list === undefined || isIn(realPath(resolve(project, list)), realPath(project))) return null;
  const why = `${JSON.stringify(oneLine(list, 80))} is not in the project.`;
  return refuse('outside', why, 'Name one that is.');
}

export const loopTools: readonly AnyTool[] = [
  tool({
    name: 'loop_start',
    title: 'Start a loop',
    description:
      'Starts a loop on a task, which has to be proven done. heldBy says whether you are held when ' +
      'you try to stop, or only your calls are judged. Its gates are the promise, the checks, ' +
      "measures and stop hooks of the project's trusted config, and a feature list if you name one. " +
      'It takes no commands: a person trusts those in the config. If this session has a loop ' +
      'already, it is refused; with nest it becomes an inner task of that loop, inside all of its ' +
      'limits.',
    input: loopAsked,
    output: fields('a started loop', {
      ...f.LOOP,
      depth: f.count('How many tasks are inside each other now; 1 for a loop of its own.'),
      brief: f.words('How it ends. Follow it.', f.MAX_ANSWER_CHARS),
      warnings: list(f.words('What a person should know.', f.MAX_ANSWER_CHARS), 'a list of texts'),
    }),
    run: async (given, call, context) => {
      const { runtime, project } = context;
      const request = await requestFor(given, context);
      if (!request.ok) return request;
      const telling = { ...runtime, proving: call.progress };
      const outer = request.nest ? loopForTool(undefined, context) : null;
      if (outer?.ok === false) return outer;
      const started =
        outer === null
          ? await startForTool({ request, project, ...holderForCall(context, JUDGE) }, telling)
          : await nestForTool({ ...outer, request, asked: given.maxIterations, judge: JUDGE }, telling);
      if (!started.ok) return started;
      const { loop, brief, warnings } = started;
      context.changes.begun(loop.id);
      return { ...f.loopFields(loop, loop.gates), depth: loop.frames.length, brief, warnings };
    },
  }),
  tool({
    name: 'loop_status',
    title: 'Status of the loop',
    description:
      'The state of the loop: its status, the iteration, each gate with the result of its last test, ' +
      'and what a person was asked. Changes nothing.',
    input: fields('loop_status', { loopId: f.whichLoop }),
    output: fields('a loop', {
      ...f.LOOP,
      requests: list(
        fields('a request', {
          requestId: f.words('The request.'),
          question: f.words('What was asked.', f.MAX_ANSWER_CHARS),
          answer: orNull(f.words('Null: it is open.', f.MAX_ANSWER_CHARS)),
          note: orNull(f.words('What the person added.', f.MAX_ANSWER_CHARS)),
        }),
        'a list of requests',
      ),
    }),
    hints: 'reads',
    run: ({ loopId: id }, _call, context) => {
      const found = lookAtLoop(id, context);
      if (!found.ok) return found;
      const requests = mayReadWords(found.loop, context) ? found.loop.people.requests.map(shownRequest) : [];
      return { ...f.loopFields(found.report, found.report.gates), requests };
    },
  }),
];
