/**
 * Judges what an agent says at the end of an iteration: the one sequence of every stop, asked for by a tool.
 */
import { endPass } from '#engine/claims/claim.ts';
import { judgement, loopAtStop, type Judgement } from '#engine/claims/judgement.ts';
import { claimLine, promiseOf } from '#law/gates.ts';
import { hash } from '#base/hash.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { wasAsked } from '#law/proof/stop-hooks.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { openOwn } from '#engine/look/tool-session.ts';
import { loopById, withLoop } from '#engine/look/loops.ts';
import type { Runtime } from '#store/runtime.ts';
import { paragraphs } from '#telling/agent/continuation.ts';
import { hookAccounts, validationResults } from './hooks.ts';
import type { Run, RunEntry } from './record.ts';
import { findRun, type RunCall } from './task.ts';

const SIGNALS = {
  complete: 'COMPLETE',
  continue: 'CONTINUE',
  allow: 'CONTINUE',
  escalate: 'ESCALATE',
  exhaust: 'ESCALATE',
} as const;

export async function validateRun(call: RunCall, output: string, runtime: Runtime) {
  const heard = await judgeRun(call, output, runtime);
  if (!heard.ok) return heard;
  const { run, loop } = heard;
  const { decision, reason, missing, toAgent } = heard.judged;
  const asked = loop.noted.asked?.n === loop.last?.n ? loop.noted.asked : undefined;
  const next = paragraphs([toAgent, asked?.next ?? '']);
  return {
    iterationId: run.id,
    taskId: run.task,
    iteration: loop.last?.iteration ?? 1,
    maxIterations: loop.frame.iterations,
    completionSignal: SIGNALS[decision],
    reason,
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

/**
 * Goes on to the next iteration, once the open one has been judged: by `validateRun`, or at a stop in the
 * session.
 */
export function nextIteration(call: RunCall, runtime: Runtime) {
  const found = findRun(call.run, runtime);
  if (!found.ok) return found;
  const { run } = found;
  const opened = openOwn({ loop: run.loop, session: call.session }, runtime);
  if (!opened.ok) return opened;
  const loop = opened.open.loop();
  opened.open.close();
  const { passes, iterations } = loop.frame;
  if (loop.stops <= run.begunAt)
    return refuse(
      'not-validated',
      `Iteration ${passes + 1} of ${run.id} has not been validated.`,
      'Call iteration_validate with what you would say now.',
    );
  runtime.store.tasks.append(run.id, { type: 'next', stops: loop.stops });
  return {
    iterationId: run.id,
    taskId: run.task,
    iteration: passes + 1,
    maxIterations: iterations,
    nextPrompt: loop.noted.asked?.next ?? null,
  };
}

/** Ends the run with proof. `promise`: the word that was promised at the start, without its tag. */
export async function completeRun(call: RunCall, promise: string, runtime: Runtime) {
  const found = openRun(call.run, runtime);
  if (!found.ok) return found;
  const isOver = found.loop.status.is === 'completed';
  const heard = isOver ? lastAnswer(found, call, runtime) : await judgeClaim(found, promise, call, runtime);
  if (!heard.ok) return heard;
  const { run, loop, judged } = heard;
  if (judged.decision === 'complete')
    return {
      iterationId: run.id,
      taskId: run.task,
      status: 'completed' as const,
      completionPromise: promise,
      iterations: loop.frame.passes,
      loopId: loop.id,
    };
  const { missing, reason } = judged;
  const why = `${run.id} is not complete: ${missing.length > 0 ? missing.join('; ') : reason}.`;
  return refuse('gates-open', why, 'Do what is missing, then call iteration_validate.');
}

async function judgeClaim({ run, loop }: OpenRun, promise: string, call: RunCall, runtime: Runtime) {
  const wanted = promiseOf(loop.frame);
  if (wanted !== null && promise !== wanted)
    return refuse(
      'another-promise',
      `The promise of ${run.id} is ${JSON.stringify(wanted)}, not ${JSON.stringify(oneLine(promise, 80))}.`,
      'Give that one, and only if it is true.',
    );
  return judgeRun(call, claimLine(loop.frame) ?? `<promise>${promise}</promise>`, runtime);
}

type OpenRun = Extract<ReturnType<typeof openRun>, { ok: true }>;
type RunJudged = OpenRun & { readonly judged: Judgement };

function openRun(id: string, runtime: Runtime) {
  const found = findRun(id, runtime);
  if (!found.ok) return found;
  const loop = loopById(found.run.loop, runtime);
  return loop === null ? gone(found.run) : { ...found, loop };
}

function gone({ id, loop }: Run): Refusal {
  return refuse('gone', `The loop ${loop} of ${id} has been removed.`, 'Begin a new run: iteration_start.');
}

/** The code of `openOwn` for a loop that has ended. Its last answer may still be wanted. */
const ENDED = 'ended';

async function judgeRun(call: RunCall, message: string, runtime: Runtime): Promise<RunJudged | Refusal> {
  const found = openRun(call.run, runtime);
  if (!found.ok) return found;
  const { run, loop } = found;
  const { session, signal, progress } = call;
  const opened = openOwn({ loop: run.loop, session }, runtime);
  if (opened.ok) opened.open.close();
  else if (opened.code !== ENDED) return opened;
  const words = hash(message);
  const { process } = runtime;
  if (run.asked !== null && isUnanswered(found, words, process)) {
    noteInRun(run.id, { ...run.asked, process }, runtime);
    return lastAnswer(found, call, runtime);
  }
  if (!opened.ok) return opened;
  // A stop with the same words that is being judged right now is this one.
  const stops = loop.open?.words === words ? loop.stops - 1 : loop.stops;
  noteInRun(run.id, { type: 'asked', words, stops, process }, runtime);
  const judged = await endPass(
    { loop: run.loop, session, mode: 'record', byTool: true, signal, progress, message },
    runtime,
  );
  const heard = judged.ok ? atStop(run, judged, call, runtime) : judged;
  if (!heard.ok) noteInRun(run.id, { type: 'answered' }, runtime);
  return heard;
}

/**
 * The verdict was recorded, and the server ended before it could answer. The pass is counted already. A
 * server that still runs has answered: the mark of it may only come after the client's next call.
 */
function isUnanswered({ run: { asked }, loop }: OpenRun, words: string, process: number): boolean {
  const last = loop.answered.at(-1);
  if (asked === null || asked.process === process || last === undefined || last.n <= asked.stops)
    return false;
  return asked.words === words && last.words === words && loop.last?.n === last.n;
}

function lastAnswer({ run, loop }: OpenRun, call: RunCall, runtime: Runtime): RunJudged | Refusal {
  const judged = judgement(loop, loop, 'stop', runtime.now());
  return judged === null ? gone(run) : atStop(run, judged, call, runtime);
}

function atStop(run: Run, judged: Judgement, call: RunCall, runtime: Runtime): RunJudged | Refusal {
  const { stop } = judged;
  const loop = stop === null ? null : withLoop(run.loop, runtime, (open) => loopAtStop(open, stop));
  if (loop === null) return gone(run);
  call.answered(() => noteInRun(run.id, { type: 'answered' }, runtime));
  return { ok: true, run, judged, loop };
}

/** It need not survive a crash of the machine: it is there for a server that is killed. */
function noteInRun(run: string, entry: RunEntry, { store }: Runtime): void {
  store.tasks.append(run, entry, { durable: false });
}
