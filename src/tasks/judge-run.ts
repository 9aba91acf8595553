/** Judges what an agent says at the end of an iteration: the one sequence of every stop, asked for by a tool. */
import { endPass, type AgentStatement } from '../claims/claim.ts';
import { judgement, type Judgement } from '../claims/judgement.ts';
import { loopAtStop } from '../claims/loop-at-stop.ts';
import { hash } from '../core/hash.ts';
import { claimLine, promiseOf } from '../core/gates.ts';
import { topFrame, type Loop } from '../core/loop.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { openOwn } from '../operations/agent/tool-session.ts';
import { loopById, withLoop } from '../operations/look/loops.ts';
import type { Runtime } from '../store/runtime.ts';
import { findRun } from './find.ts';
import type { Run, RunEntry } from './record.ts';

export interface RunCall extends Pick<AgentStatement, 'session' | 'signal' | 'progress'> {
  readonly run: string;
}

export interface RunJudged {
  readonly ok: true;
  readonly run: Run;
  readonly judged: Judgement;
  /** The loop with the verdict. */
  readonly loop: Loop;
  readonly iteration: number;
  /** To be called when the client has the answer. */
  readonly delivered: () => void;
}

export async function validateRun(
  call: RunCall & { readonly output: string },
  runtime: Runtime,
): Promise<RunJudged | Refusal> {
  const found = openRun(call.run, runtime);
  if (!found.ok) return found;
  const { run, loop } = found;
  const refusal = refuseOthers(run, call, runtime);
  if (refusal !== null && refusal.code !== ENDED) return refusal;
  const repeated = repeat(run, loop, call.output, runtime);
  if (repeated !== null) return repeated;
  if (refusal !== null) return refusal;
  const words = hash(call.output);
  // A stop with the same words that is being judged right now is this one.
  const stops = loop.open?.words === words ? loop.stops - 1 : loop.stops;
  note(run.id, { type: 'asked', words, stops }, runtime);
  const { session, signal, progress, output: message } = call;
  const judged = await endPass(
    { loop: run.loop, session, mode: 'record', byTool: true, signal, progress, message },
    runtime,
  );
  const heard = judged.ok ? judgedRun(run, judged, runtime) : judged;
  if (!heard.ok) note(run.id, { type: 'answered' }, runtime);
  return heard;
}

/** The code of `openOwn` for a loop that has ended. Its last answer may still be wanted. */
const ENDED = 'ended';

function refuseOthers({ loop }: Run, { session }: RunCall, runtime: Runtime): Refusal | null {
  const opened = openOwn({ loop, session }, runtime);
  if (!opened.ok) return opened;
  opened.open.close();
  return null;
}

/** The verdict was recorded, and the server ended before it could answer. The pass is counted already. */
function repeat(run: Run, loop: Loop, output: string, runtime: Runtime): RunJudged | Refusal | null {
  const { asked } = run;
  const last = loop.answered.at(-1);
  if (asked === null || last === undefined || last.n <= asked.stops) return null;
  if (asked.words !== hash(output) || last.words !== asked.words || loop.last?.n !== last.n) return null;
  const judged = judgement(loop, loop, 'stop', runtime.now());
  return judged === null ? null : judgedRun(run, judged, runtime);
}

function judgedRun(run: Run, judged: Judgement, runtime: Runtime): RunJudged | Refusal {
  const { stop } = judged;
  const loop = stop === null ? null : withLoop(run.loop, runtime, (open) => loopAtStop(open, stop));
  if (loop === null) return gone(run);
  const iteration = loop.last?.iteration ?? 1;
  const delivered = () => note(run.id, { type: 'answered' }, runtime);
  return { ok: true, run, judged, loop, iteration, delivered };
}

/** Goes on to the next iteration, once the open one has been judged: by `validateRun`, or at a stop in the session. */
export function nextIteration(
  call: RunCall,
  runtime: Runtime,
): { readonly ok: true; readonly run: Run; readonly loop: Loop } | Refusal {
  const found = findRun(call.run, runtime);
  if (!found.ok) return found;
  const { run } = found;
  const opened = openOwn({ loop: run.loop, session: call.session }, runtime);
  if (!opened.ok) return opened;
  const loop = opened.open.loop();
  opened.open.close();
  if (loop.stops <= run.begunAt)
    return refuse(
      'not-validated',
      `Iteration ${topFrame(loop).passes + 1} of ${run.id} has not been validated.`,
      'Call iteration_validate with what you would say now.',
    );
  runtime.store.tasks.append(run.id, { type: 'next', stops: loop.stops });
  return { ok: true, run, loop };
}

/** Ends the run with proof. `promise`: the word that was promised at the start, without its tag. */
export async function completeRun(
  call: RunCall & { readonly promise: string },
  runtime: Runtime,
): Promise<RunJudged | Refusal> {
  const found = openRun(call.run, runtime);
  if (!found.ok) return found;
  const { run, loop } = found;
  if (loop.status.is === 'completed') {
    const judged = judgement(loop, loop, 'stop', runtime.now());
    return judged === null ? gone(run) : judgedRun(run, judged, runtime);
  }
  const wanted = promiseOf(topFrame(loop));
  if (wanted !== null && call.promise !== wanted)
    return refuse(
      'another-promise',
      `The promise of ${run.id} is ${JSON.stringify(wanted)}, not ${JSON.stringify(oneLine(call.promise, 80))}.`,
      'Give that one, and only if it is true.',
    );
  const line = claimLine(topFrame(loop)) ?? `<promise>${call.promise}</promise>`;
  const judged = await validateRun({ ...call, output: line }, runtime);
  if (!judged.ok || judged.judged.decision === 'complete') return judged;
  judged.delivered();
  const { missing, reason } = judged.judged;
  return refuse(
    'gates-open',
    `${run.id} is not complete: ${missing.length > 0 ? missing.join('; ') : reason}.`,
    'Do what is missing, then call iteration_validate.',
  );
}

type OpenRun = { readonly ok: true; readonly run: Run; readonly loop: Loop } | Refusal;

function openRun(id: string, runtime: Runtime): OpenRun {
  const found = findRun(id, runtime);
  if (!found.ok) return found;
  const loop = loopById(found.run.loop, runtime);
  return loop === null ? gone(found.run) : { ok: true, run: found.run, loop };
}

function gone({ id, loop }: Run): Refusal {
  return refuse('gone', `The loop ${loop} of ${id} has been removed.`, 'Begin a new run: iteration_start.');
}

/** It need not survive a crash of the machine: it is there for a server that is killed. */
function note(run: string, entry: RunEntry, { store }: Runtime): void {
  store.tasks.append(run, entry, { durable: false });
}
