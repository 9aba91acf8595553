/**
 * The second Stop hook. The host runs it in the background, so the session stays usable, and its output can wake the
 * session. It continues a loop that was let through and that nothing else would continue: the loop waits for a person's
 * answer, a server that never ends, a subagent that hangs, or a command of the person that starts no turn. Otherwise it
 * prints nothing and exits with 0.
 *
 * A headless host does not run it in the background, but waits for it. There it only waits for answers.
 */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isAwaitingAnswer, isLive, type Loop } from '../core/loop.ts';
import { untoldAnswers } from '../core/waiting/requests.ts';
import { takeNews } from '../operations/requests/ask.ts';
import { updateRequests } from '../operations/requests/answer.ts';
import { hookSinks } from '../sinks/tell-sinks.ts';
import { runtimeAt } from '../sinks/process-runtime.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { isAlive, isDisabled, isDriven, type Runtime } from '../store/runtime.ts';
import { NO_OUTPUT, type Output, type Wake, type StopArrival } from '../hosts/arrival.ts';
import { projectOfAgent } from '../hosts/names.ts';
import { ignoreForeignHome, findHome, logTo } from '../store/file/home.ts';
import { callerOf } from '../hosts/registry.ts';

const WORDS = 'Da Capo: it no longer waits for background work. Continue with the task.';
const ANSWERED = 'Da Capo: nothing waits for an answer any more. Continue with the task.';
const LOOK_MS = 500;
/**
 * How long a headless session waits for an answer; after that its loop waits without it. It holds a process of the host, and
 * the program that started that waits for it.
 */
const HEADLESS_MS = 3_600_000;
/** The judging hook starts within milliseconds of this one. If it has not claimed the stop by then, it never will. */
const CLAIM_MS = 5_000;
/** How long a session must be idle after a queued command before this hook continues the loop. */
const QUEUE_MS = 5_000;
const PARENT = process.ppid;

async function main(): Promise<Output> {
  const { env } = process;
  if (isDisabled(env) || isDriven(env)) return NO_OUTPUT;
  const payload: unknown = JSON.parse(readFileSync(0, 'utf8'));
  const host = callerOf(payload, env);
  const wake = typeof host === 'string' ? null : (host.wake?.() ?? null);
  if (typeof host === 'string' || wake === null) return NO_OUTPUT;
  const arrival = host.hear(payload, env);
  if (arrival?.is !== 'stop') return NO_OUTPUT;
  ignoreForeignHome(projectOfAgent(process.env));
  const home = findHome(env, process.platform);
  const now = () => new Date().toISOString();
  const given = { env, now, log: logTo(home.log, now), runner: join(__dirname, 'runner.cjs') };
  // It tells sinks, too: a request may expire while this process waits for the answer.
  const runtime = runtimeAt(home, given, hookSinks);
  const entry = runtime.store.sessions.find(arrival.from.session);
  const open = entry === null ? null : runtime.store.open(entry.loop);
  if (open === null) return NO_OUTPUT;
  const answered = await answerTo(arrival, open.look);
  if (answered === null) return NO_OUTPUT;
  if (isAwaitingAnswer(answered) || hasJustBeenAnswered(answered))
    return wokenBy(await answerFrom(arrival, answered, open, runtime), answered, open, runtime, wake);
  if (!arrival.attended || !isLetThrough(answered)) return NO_OUTPUT;
  const wait = answered.session.yielded
    ? () => idleFor(QUEUE_MS, () => wake.isIdle(arrival.from, env), unchanged(answered, open.look))
    : () => outlasts(Date.now() + holdMs(env, untilMs(answered)), unchanged(answered, open.look));
  if (!(await wait())) return NO_OUTPUT;
  return isFirst(answered, open, runtime) ? wake.encode(WORDS) : NO_OUTPUT;
}

/** The hook may be registered twice (plugin and `init`). Only the first event counts, so the session wakes once. */
function isFirst({ stops }: Loop, open: OpenLoop, { store, now }: Runtime): boolean {
  const machine = store.machine();
  const by = { process: process.pid, machine };
  const { woken } = open.write({ type: 'woken', at: now(), n: stops, ...by }).session;
  return woken?.process === process.pid && woken.machine === machine;
}

/** Waits until nothing is open any more, and nothing else has continued the loop. */
async function answerFrom(
  { attended }: StopArrival,
  before: Loop,
  open: OpenLoop,
  runtime: Runtime,
): Promise<boolean> {
  const deadline = attended ? Number.POSITIVE_INFINITY : Date.now() + holdMs(runtime.env, HEADLESS_MS);
  for (;;) {
    const loop = updateRequests(open, runtime);
    if (!isLive(loop) || loop.stops !== before.stops || loop.session.chain !== before.session.chain)
      return false;
    if (!isAwaitingAnswer(loop)) return true;
    if (Date.now() > deadline) {
      runtime.log(
        `loop=${loop.id}: nobody answered in time for this headless session; the loop keeps waiting`,
      );
      return false;
    }
    if (!(await pause())) return false;
  }
}

/** DACAPO_HOLD_SECONDS overrides a wait, for people and tests that can't wait that long. */
function holdMs(env: Runtime['env'], usual: number): number {
  const seconds = Number(env['DACAPO_HOLD_SECONDS'] ?? Number.NaN);
  return Number.isNaN(seconds) ? usual : seconds * 1000;
}

function wokenBy(isAnswered: boolean, before: Loop, open: OpenLoop, runtime: Runtime, wake: Wake): Output {
  if (!isAnswered || !isFirst(before, open, runtime)) return NO_OUTPUT;
  const news = takeNews(open, runtime);
  open.keep();
  return wake.encode(news === '' ? ANSWERED : news);
}

/** The stop was let through to wait for a person, or for their command, and the answer came before our first look. */
function hasJustBeenAnswered(loop: Loop): boolean {
  const verdict = loop.last?.verdict;
  return verdict?.is === 'allow' && (verdict.why === 'approval' || untoldAnswers(loop).length > 0);
}

function isLetThrough(loop: Loop): boolean {
  return isLive(loop) && (loop.session.yielded || loop.session.hold !== null || isAwaitingAnswer(loop));
}

/** Waits until this stop is answered and returns the loop; null if no hook answers it, or the loop is not at work. */
async function answerTo({ from }: StopArrival, look: () => Loop): Promise<Loop | null> {
  const began = Date.now() - process.uptime() * 1000;
  for (;;) {
    const loop = look();
    // A loop that has ended or is paused gets no answer to this stop, and a headless host would wait for it here.
    if (!isLive(loop) || loop.session.owner?.session !== from.session) return null;
    if (loop.last !== null && Date.parse(loop.last.at) >= began) return loop;
    if (loop.open === null && Date.now() - began > CLAIM_MS) return null;
    if (!(await pause())) return null;
  }
}

/** A new stop or prompt means that someone else continues the loop. Other events, such as a compaction, do not. */
function unchanged(before: Loop, look: () => Loop): () => boolean {
  return () => {
    const loop = look();
    return isLetThrough(loop) && loop.stops === before.stops && loop.session.chain === before.session.chain;
  };
}

function untilMs({ session, updatedAt }: Loop): number {
  return Date.parse(session.hold?.until ?? updatedAt) - Date.now();
}

async function outlasts(deadline: number, still: () => boolean): Promise<boolean> {
  while (Date.now() < deadline) if (!(await pause()) || !still()) return false;
  return still();
}

async function idleFor(ms: number, idle: () => boolean, still: () => boolean): Promise<boolean> {
  for (let since = Date.now(); Date.now() - since < ms; since = idle() ? since : Date.now())
    if (!(await pause()) || !still()) return false;
  return still();
}

/** False if the host is gone. On Unix its children then get another parent; on Windows they keep the parent's id. */
async function pause(): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  return process.ppid === PARENT && isAlive(PARENT);
}

function end({ stderr, exit }: Output): void {
  if (stderr !== '') writeSync(2, stderr);
  process.exit(exit);
}

void main()
  .then(end)
  .catch(() => process.exit(0));
