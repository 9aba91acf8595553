/**
 * The second Stop hook. The host runs it in the background, so the session stays usable, and its output can
 * wake the session. It continues a loop that was let through and that nothing else would continue: the loop
 * waits for a person's answer, a check that says "not yet", a server that never ends, a subagent that hangs,
 * or a command of the person that starts no turn. Otherwise it prints nothing and exits with 0.
 *
 * A headless host does not run it in the background, but waits for it. There it only waits for answers and
 * checks.
 */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '#base/hash.ts';
import { isAwaitingAnswer, isAwaitingCheck, isLive, type Loop } from '#law/loop.ts';
import { hearStop } from '#engine/hearing/stop.ts';
import { untoldAnswers } from '#law/waiting/requests.ts';
import { deliverNews } from '#engine/requests/ask.ts';
import { syncRequests } from '#engine/requests/sync.ts';
import { hookSinks } from '#engine/notices/tell-sinks.ts';
import { runtimeAt } from '#engine/process-runtime.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { isAlive, isDisabled, isDriven, type Runtime } from '#store/runtime.ts';
import { NO_OUTPUT, type Output, type StopArrival } from '#hosts/port/arrival.ts';
import { projectOfAgent } from '#hosts/tables/names.ts';
import { ignoreForeignHome, findHome, logTo } from '#store/file/home.ts';
import { callerOf } from '#hosts/tables/registry.ts';

const WAKING_PROMPT = 'Da Capo: it no longer waits for background work. Continue with the task.';
const ANSWERED = 'Da Capo: nothing waits for an answer any more. Continue with the task.';
const ANSWER_POLL_MS = 500;
/**
 * How long a headless session waits for an answer or a check; after that its loop waits without it. It holds
 * a process of the host, and the program that started that waits for it.
 */
const HEADLESS_MS = 3_600_000;
/**
 * The judging hook starts within milliseconds of this one. If it has not claimed the stop after so many
 * looks, it never will.
 */
const CLAIM_LOOKS = 10;
/** How long a session must be idle after a queued command before this hook continues the loop. */
const QUEUE_MS = 5_000;
/** A person did it, or the session is gone: nobody has to be told. */
const PERSONAL: readonly Loop['status']['is'][] = ['cancelled', 'paused', 'interrupted'];
const PARENT = process.ppid;
const BEGAN = Date.now() - process.uptime() * 1000;

async function main(): Promise<Output> {
  const { env } = process;
  if (isDisabled(env) || isDriven(env)) return NO_OUTPUT;
  const payload: unknown = JSON.parse(readFileSync(0, 'utf8'));
  const host = callerOf(payload, env);
  const wake = typeof host === 'string' ? null : (host.wake?.() ?? null);
  if (typeof host === 'string' || wake === null) return NO_OUTPUT;
  const arrival = host.readArrival(payload, env);
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
  const first = await answerTo(arrival, open, runtime);
  const isIdle = () => wake.isIdle(arrival.from, env);
  const words = first && (await wordsAfter(first, { arrival, open, runtime, isIdle }));
  return words === null ? NO_OUTPUT : wake.encode(words);
}

/** The stop after which the session may have to be woken. */
interface Waking {
  readonly arrival: StopArrival;
  readonly open: OpenLoop;
  readonly runtime: Runtime;
  /** Whether the session waits for its person. */
  readonly isIdle: () => boolean;
}

/** What to wake the session with, once what the loop waits for is over. Null: it is not woken. */
async function wordsAfter(answered: Loop, waking: Waking): Promise<string | null> {
  const { arrival, open, runtime, isIdle } = waking;
  const wait = (isOver: (loop: Loop) => boolean, look = open.look) =>
    waitUntil(isOver, answered, look, waking);
  const newsOnce = (loop: Loop) => (isFirst(loop, open, runtime) ? newsFor(open, runtime) : null);
  if (waitsForCheck(answered)) {
    const due = await wait((loop) => !isAwaitingCheck(loop) || untilMs(loop) <= 0);
    if (due === null) return null;
    // A person's word for the agent has ended the wait.
    if (!isAwaitingCheck(due)) return newsOnce(due);
    // This process hears the same stop again. The moment distinguishes the hearings.
    const answer = await hearStop(arrival, { ...runtime, started: runtime.now() });
    if (answer.is === 'continue') return answer.toAgent;
    if (answer.is !== 'tell') return null;
    const after = open.look();
    // That word may also have come while the checks ran.
    if (after.status.is === 'running' && !isLetThrough(after)) return newsOnce(after);
    if (isLive(after)) return wordsAfter(after, waking);
    // Who ended or paused it while the checks ran knows that.
    if (PERSONAL.includes(after.status.is)) return null;
    // The turn of the agent is over. Only another one can show the person that the loop is, too.
    return `${answer.toPerson} Tell the person so in one line. Nothing else is asked of you.`;
  }
  if (isAwaitingAnswer(answered) || hasJustBeenAnswered(answered)) {
    const over = await wait(
      (loop) => !isAwaitingAnswer(loop),
      () => syncRequests(open, runtime),
    );
    return over === null ? null : newsOnce(answered);
  }
  if (!arrival.attended || !isLetThrough(answered)) return null;
  const deadline = Date.now() + holdMs(runtime.env, untilMs(answered));
  let busy = Date.now();
  const hasBeenIdle = () => Date.now() - (busy = isIdle() ? busy : Date.now()) >= QUEUE_MS;
  const isOver = answered.session.yielded ? hasBeenIdle : () => Date.now() >= deadline;
  return (await wait(isOver)) !== null && isFirst(answered, open, runtime) ? WAKING_PROMPT : null;
}

/**
 * Null: someone else continues the loop, as a new stop or prompt shows, the host is gone, or a headless
 * session has waited long enough. Other events, such as a compaction, change nothing.
 */
async function waitUntil(
  isOver: (loop: Loop) => boolean,
  before: Loop,
  look: () => Loop,
  { arrival: { attended }, runtime: { env, log } }: Waking,
): Promise<Loop | null> {
  const deadline = attended ? Number.POSITIVE_INFINITY : BEGAN + holdMs(env, HEADLESS_MS);
  for (;;) {
    const loop = look();
    const { id, stops, session } = loop;
    if (!isLive(loop) || stops !== before.stops || session.chain !== before.session.chain) return null;
    if (isOver(loop)) return loop;
    if (Date.now() > deadline) {
      log(`loop=${id}: this headless session has waited long enough; the loop keeps waiting`);
      return null;
    }
    if (!(await pause())) return null;
  }
}

/**
 * The hook may be registered twice (plugin and `init`). Only the first event counts, so the session wakes
 * once.
 */
function isFirst({ stops }: Loop, open: OpenLoop, { store, now }: Runtime): boolean {
  const machine = store.machine();
  const by = { process: process.pid, machine };
  const { woken } = open.write({ type: 'woken', at: now(), n: stops, ...by }).session;
  return woken?.n === stops && woken.process === process.pid && woken.machine === machine;
}

/** DACAPO_HOLD_SECONDS overrides a wait, for people and tests that can't wait that long. */
function holdMs(env: Runtime['env'], usual: number): number {
  const seconds = Number(env['DACAPO_HOLD_SECONDS'] ?? Number.NaN);
  return Number.isNaN(seconds) ? usual : seconds * 1000;
}

function newsFor(open: OpenLoop, runtime: Runtime): string {
  const news = deliverNews(open, runtime);
  open.keep();
  return news === '' ? ANSWERED : news;
}

/**
 * The stop was let through to wait for a person, or for their command, and the answer came before our first
 * look.
 */
function hasJustBeenAnswered(loop: Loop): boolean {
  const verdict = loop.last?.verdict;
  return verdict?.is === 'allow' && (verdict.why === 'approval' || untoldAnswers(loop).length > 0);
}

/** A person's word may have ended the wait before our first look. */
function waitsForCheck(loop: Loop): boolean {
  const verdict = loop.last?.verdict;
  return isAwaitingCheck(loop) || (verdict?.is === 'allow' && verdict.why === 'not-yet');
}

function isLetThrough(loop: Loop): boolean {
  return isLive(loop) && (loop.session.yielded || loop.session.hold !== null || isAwaitingAnswer(loop));
}

/**
 * Waits until this stop is answered and returns the loop; null if no hook answers it, another stop has been
 * answered since, or the loop is not at work.
 */
async function answerTo(
  { from, message }: StopArrival,
  { look }: OpenLoop,
  runtime: Runtime,
): Promise<Loop | null> {
  const words = hash(message);
  // Looks, not time: a machine that sleeps has no hook that claims.
  let unheard = 0;
  for (;;) {
    const loop = look();
    // A loop that has ended or is paused gets no answer to this stop, and a headless host would wait for it
    // here.
    if (!isLive(loop) || loop.session.owner?.session !== from.session) return null;
    if (loop.last !== null && Date.parse(loop.last.at) >= BEGAN)
      return loop.answered.at(-1)?.words === words ? loop : null;
    // The hook that claimed it may be dead, and would be waited for without an end.
    unheard = loop.open !== null && runtime.isAlive(loop.open.process) ? 0 : unheard + 1;
    if (unheard > CLAIM_LOOKS || !(await pause())) return null;
  }
}

function untilMs({ session, status, updatedAt }: Loop): number {
  const until = 'until' in status ? status.until : session.hold?.until;
  return Date.parse(until ?? updatedAt) - Date.now();
}

/**
 * False if the host is gone. On Unix its children then get another parent; on Windows they keep the parent's
 * id.
 */
async function pause(): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, ANSWER_POLL_MS));
  return process.ppid === PARENT && isAlive(PARENT);
}

function end({ stderr, exit }: Output): void {
  if (stderr !== '') writeSync(2, stderr);
  process.exit(exit);
}

void main()
  .then(end)
  .catch(() => process.exit(0));
