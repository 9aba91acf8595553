/**
 * The schemas of what tools take and answer, as the MCP library wants them, and the fields that several tools
 * have.
 */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { isToolSession } from '#law/loop.ts';
import { isRecord } from '#base/shape.ts';
import * as s from '#input/schema/schema.ts';
import { writtenRules } from '#input/config/validation-rules.ts';
import { STATUSES } from '../tasks/record.ts';
import type { LoopStatus } from '#telling/loop-status.ts';

/** Ids, names and other short words. */
const MAX_SHORT_CHARS = 200;

/** A text of bounded length. A model reads the description. */
export function words(description: string, most = MAX_SHORT_CHARS): s.Schema<string> {
  return s.value(
    `a text of at most ${most} characters`,
    { type: 'string', maxLength: most, description },
    (given): given is string => typeof given === 'string' && given.length <= most,
  );
}

export function amount(description: string, from: number, most: number): s.Schema<number> {
  return s.value(
    `a whole number from ${from} to ${most}`,
    { type: 'integer', minimum: from, maximum: most, description },
    (given): given is number => Number.isSafeInteger(given) && Number(given) >= from && Number(given) <= most,
  );
}

/** Values that another program chose: kept as they are, if their JSON is not too long. */
export function anything(description: string, most: number): s.Schema<Readonly<Record<string, unknown>>> {
  return s.value(
    `an object whose JSON has at most ${most} characters`,
    { type: 'object', description },
    (given): given is Readonly<Record<string, unknown>> =>
      isRecord(given) && JSON.stringify(given).length <= most,
  );
}

/** `name`: what the refusal calls the value. */
export function standard<T>(schema: s.Schema<T>, name: string): StandardSchemaWithJSON<T> {
  const json = () => {
    const $defs: Record<string, s.Json> = {};
    const own = schema.json($defs);
    return { ...own, ...(Object.keys($defs).length > 0 && { $defs }) };
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'dacapo',
      validate: (given) => {
        const read = s.readWith(schema, given ?? {}, name);
        return read.ok ? { value: read.value } : { issues: [{ message: read.misfit.message }] };
      },
      jsonSchema: { input: json, output: json },
    },
  };
}

/** As much as a model writes in one answer, and more. */
export const MAX_OUTPUT_CHARS = 200_000;
/** Reasons, results and other words of ours that go back to the model. */
export const MAX_ANSWER_CHARS = 400_000;
/** A description of the state of the work; it is not a backup. */
export const MAX_DATA_CHARS = 200_000;
const MAX_METADATA_CHARS = 10_000;

export const MAX_ITERATIONS = 10_000;
export const mostIterations = s.optional(amount('The most iterations; 50 if left out.', 1, MAX_ITERATIONS));

export const taskId = words('The task, for example TASK-k3j9x0a1b2, as task_create answered.');
export const iterationId = words('The run, for example IT-1735567890-abc123, as iteration_start answered.');
export const agentOutput = words(
  'What you would say as your last message now. Only a tag such as <promise>COMPLETE</promise> on a ' +
    'line of its own counts as a promise.',
  MAX_OUTPUT_CHARS,
);
export const metadata = anything('Anything you want to keep with it.', MAX_METADATA_CHARS);
export const taskStatus = s.described('The status of the task.', s.word(...STATUSES));

// A run as the tools show it.

export const count = (description: string) => amount(description, 0, Number.MAX_SAFE_INTEGER);
export const iteration = count('The iteration, the first is 1.');
export const RUN = {
  iterationId,
  taskId,
  iteration,
  maxIterations: s.orNull(count('The most iterations of this run.')),
};
export const loopOfRun = words('The loop of this run, as dacapo status shows it.');
export const action = s.word('complete', 'continue', 'escalate');
export const reason = words('Why, in words.', MAX_ANSWER_CHARS);
export const nextPrompt = s.orNull(words('What to do now.', MAX_ANSWER_CHARS));

// The validation rules of a run, for the model. `readRules` reads them strictly.

export const validationRules = s.described(
  'What has to hold besides the promise, tested by Da Capo. command: one that the user allows, ' +
    'exactly as it is in rules.commands of their config or in a check of the trusted config. pattern: ' +
    'a regular expression in a file, or in your output if no file is given. file-exists.',
  writtenRules,
);

// A loop as the tools show it.

export const loopId = words('The loop, for example RALPH_20260105_abc123.');
export const whichLoop = s.optional(words('The loop. Leave it out for the loop of this session.'));

const testedGates = s.list(
  s.fields('a gate', {
    gate: words('Its kind.'),
    wanted: words('What it wants.', MAX_ANSWER_CHARS),
    name: s.optional(words('Its name in the config.', MAX_ANSWER_CHARS)),
    holds: s.orNull(s.described('Null: it has not been tested yet.', s.flag)),
    seen: s.orNull(words('The result of the last test.', MAX_ANSWER_CHARS)),
    output: s.optional(words('The end of what a failed check printed.', MAX_ANSWER_CHARS)),
    evidence: s.optional(words('The file with all of it.', MAX_ANSWER_CHARS)),
  }),
  'a list of gates',
);

export const HELD_BY = s.described(
  'hook: when you stop before it is proven done, you are asked to continue. calls: nothing holds ' +
    'you; only what you say by tools is judged.',
  s.word('hook', 'calls'),
);

export const LOOP = {
  loopId,
  status: words('Its status.'),
  reason: words('Its status in words.', MAX_ANSWER_CHARS),
  iteration: count('The open iteration; of a loop that has ended, the last one.'),
  maxIterations: s.orNull(count('The most iterations.')),
  heldBy: HELD_BY,
  gates: testedGates,
};

export function loopFields(loop: LoopStatus, gates: LoopStatus['gates']) {
  const { id: loopId, status, reason, iteration, max_iterations: maxIterations } = loop;
  return { loopId, status, reason, iteration, maxIterations, heldBy: heldBy(loop), gates };
}

export function heldBy({ session_id: session }: LoopStatus): 'hook' | 'calls' {
  return isToolSession(session ?? '') ? 'calls' : 'hook';
}
