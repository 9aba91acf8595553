/** Our own tools: a loop, by the operations that a person and a program have too. */
import { block, claim } from '../../claims/claim.ts';
import type { Judgement } from '../../claims/judgement.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { StartRequest } from '../../flags/arguments.ts';
import { DEFAULT_NAME } from '../../hosts/names.ts';
import { nestForTool } from '../../operations/agent/nest-for-tool.ts';
import { LONGEST_NOTE, note } from '../../operations/agent/note.ts';
import { startForTool } from '../../operations/agent/start-for-tool.ts';
import type { Runtime } from '../../store/runtime.ts';
import { flag, list, word } from '../../stop-hooks/schema.ts';
import type { Report } from '../../text/report.ts';
import type { Call, Desk } from '../desk.ts';
import { ANSWER } from '../fields.ts';
import { lookAtLoop, meantLoop } from '../meant-loop.ts';
import { requestFor } from '../loop-request.ts';
import { amount, described, fields, optional, orNull, words } from '../schema.ts';
import { tool, type AnyTool } from '../tool.ts';

const PROMPT = 100_000;
const SUMMARY = 10_000;
const MOST_ITERATIONS = 10_000;

const loopId = words('The loop, for example RALPH_20260105_abc123.');
const whichLoop = optional(words('The loop. Leave it out for the loop of this session.'));
const count = (description: string) => amount(description, 0, Number.MAX_SAFE_INTEGER);

const gates = list(
  fields('a gate', {
    gate: words('Its kind.'),
    wanted: words('What it wants.', ANSWER),
    name: optional(words('Its name in the config.', ANSWER)),
    holds: orNull(described('Null: it has not been tested yet.', flag)),
    seen: orNull(words('The result of the last test.', ANSWER)),
    output: optional(words('The end of what a failed check printed.', ANSWER)),
    evidence: optional(words('The file with all of it.', ANSWER)),
  }),
  'a list of gates',
);

const LOOP = {
  loopId,
  status: words('Its status.'),
  reason: words('Its status in words.', ANSWER),
  iteration: count('The open iteration; of a loop that has ended, the last one.'),
  maxIterations: orNull(count('The most iterations.')),
  gates,
};

function shown({ id, status, reason, iteration, max_iterations }: Report, tested: Report['gates']) {
  return { loopId: id, status, reason, iteration, maxIterations: max_iterations, gates: tested };
}

const judged = fields('a judgement', {
  ...LOOP,
  decision: word('complete', 'continue', 'escalate', 'exhaust', 'allow'),
  words: words('The verdict in words.', ANSWER),
  missing: list(words('What is missing.', ANSWER), 'a list of texts'),
  next: words('What to do now.', ANSWER),
});

function judgedAs(answer: Judgement | Refusal) {
  if (!answer.ok) return answer;
  const { decision, reason, missing, toAgent, loop, gates: tested } = answer;
  return { ...shown(loop, tested), decision, words: reason, missing, next: nextAfter(answer, toAgent) };
}

function nextAfter({ decision, recorded }: Judgement, toAgent: string): string {
  if (recorded === 'said') return 'This is recorded. End your turn now: the loop ends when you stop.';
  if (decision === 'continue' || decision === 'allow')
    return toAgent === '' ? 'Continue with the task.' : toAgent;
  return 'The loop has ended. Nothing more is asked of you.';
}

/** What the agent says about the loop of its session, or about one that it names. */
function speech(id: string | undefined, call: Call, desk: Desk) {
  const meant = meantLoop(id, desk);
  if (!meant.ok) return meant;
  return {
    ok: true as const,
    loop: meant.loop,
    session: desk.session?.session ?? null,
    mode: 'record' as const,
    signal: call.signal,
    progress: (what: string, how: string | null) =>
      call.progress(how === null ? `running ${what}` : `${what}: ${how}`),
  };
}

async function nest(request: StartRequest, asked: number | undefined, desk: Desk, world: Runtime) {
  const meant = meantLoop(undefined, desk);
  if (!meant.ok) return meant;
  const session = desk.session?.session ?? null;
  return nestForTool({ loop: meant.loop, session, request, asked }, world);
}

export const loopTools: readonly AnyTool[] = [
  tool({
    name: 'loop_start',
    title: 'Start a loop',
    description:
      "Starts a loop on a task: in a session you are held to it until it is proven done. Its gates are the promise, the checks and stop hooks of the project's trusted config, and a feature list if you name one. It takes no commands: a person trusts those in the config. If this session has a loop already, it is refused; with nest it becomes an inner task of that loop, inside all of its limits.",
    input: fields('loop_start', {
      prompt: words('The task, in full.', PROMPT),
      completionPromise: optional(
        words('The words that mean done; COMPLETE if left out and no other gate is there.', 300),
      ),
      checks: optional(
        described(
          'Names of checks in the trusted config, or exactly their commands. All checks of the config are gates anyway; naming one that is not there is refused.',
          list(words('A check.', 2_000), 'a list of texts'),
        ),
      ),
      features: optional(words('A feature list in the project, whose items all have to pass.', 1_000)),
      maxIterations: optional(amount('The most iterations; 50 if left out.', 1, MOST_ITERATIONS)),
      minIterations: optional(amount('It is not complete before this many.', 0, MOST_ITERATIONS)),
      name: optional(words('A short name for lists.', 80)),
      nest: optional(described('An inner task of the loop that this session has.', flag)),
    }),
    output: fields('a started loop', {
      ...LOOP,
      depth: count('How many tasks are inside each other now; 1 for a loop of its own.'),
      brief: words('How it ends. Follow it.', ANSWER),
      warnings: list(words('What a person should know.', ANSWER), 'a list of texts'),
    }),
    hints: 'adds',
    run: async (asked, call, desk) => {
      const { world, session, project } = desk;
      const request = await requestFor(asked, desk);
      if (!request.ok) return request;
      const telling = {
        ...world,
        proving: (what: string, how: string | null) => call.progress(`${what}: ${how ?? 'running'}`),
      };
      const started = request.nest
        ? await nest(request, asked.maxIterations, desk, telling)
        : await startForTool(
            { request, project, host: session?.host ?? DEFAULT_NAME, session: session?.session ?? null },
            telling,
          );
      if (!started.ok) return started;
      const { loop, brief, warnings } = started;
      desk.changes.begun(loop.id);
      return { ...shown(loop, loop.gates), depth: loop.frames.length, brief, warnings };
    },
  }),
  tool({
    name: 'loop_status',
    title: 'Status of the loop',
    description:
      'How the loop stands: its status, the iteration, and each gate with the result of its last test. Changes nothing.',
    input: fields('loop_status', { loopId: whichLoop }),
    output: fields('a loop', LOOP),
    hints: 'reads',
    run: ({ loopId: id }, _call, desk) => {
      const found = lookAtLoop(id, desk);
      return found.ok ? shown(found.report, found.report.gates) : found;
    },
  }),
  tool({
    name: 'loop_claim',
    title: 'Claim that the task is done',
    description:
      'Claims that the task of the loop is done, with a summary of what you did. Da Capo runs the proof now and answers with what is missing. If every gate holds, end your turn: the loop ends then. Claim only what is true. It may take minutes.',
    input: fields('loop_claim', {
      summary: words('What you did, and how you know that it works.', SUMMARY),
      loopId: whichLoop,
    }),
    output: judged,
    hints: 'adds',
    run: async ({ summary, loopId: id }, call, desk) => {
      const said = speech(id, call, desk);
      return said.ok ? judgedAs(await claim({ ...said, summary }, desk.world)) : said;
    },
  }),
  tool({
    name: 'loop_block',
    title: 'Say that you need a person',
    description:
      "Says that you can't go on without a person, and why. The loop ends as blocked when you stop; a person reads the reason. Use loop_ask for a question that someone can answer meanwhile.",
    input: fields('loop_block', {
      reason: words('What you need, in words that a person can act on.', SUMMARY),
      loopId: whichLoop,
    }),
    output: judged,
    hints: 'adds',
    run: async ({ reason, loopId: id }, call, desk) => {
      const said = speech(id, call, desk);
      return said.ok ? judgedAs(await block({ ...said, reason }, desk.world)) : said;
    },
  }),
  tool({
    name: 'loop_note',
    title: 'Note something for later iterations',
    description:
      'Keeps one lesson for the next iterations: what you learned that the next pass should know. It is shown with the task. The last few are kept.',
    input: fields('loop_note', {
      text: words('The lesson, in a few sentences.', LONGEST_NOTE),
      loopId: whichLoop,
    }),
    output: fields('notes', {
      loopId,
      notes: list(
        fields('a note', { iteration: count('When it was noted.'), text: words('The note.', ANSWER) }),
        'a list of notes',
      ),
    }),
    hints: 'repeatable',
    run: ({ text, loopId: id }, _call, desk) => {
      const meant = meantLoop(id, desk);
      if (!meant.ok) return meant;
      const noted = note({ loop: meant.loop, session: desk.session?.session ?? null, text }, desk.world);
      if (!noted.ok) return noted;
      const notes = noted.notes.map(({ pass, words: kept }) => ({ iteration: pass, text: kept }));
      return { loopId: meant.loop, notes };
    },
  }),
];
