/**
 * The second Stop hook. The host runs it in the background, so the session stays usable, and its output can wake the
 * session. It continues a loop that was let through and that nothing else would continue: the loop waits for a server
 * that never ends, a subagent that hangs, or a command of the person that starts no turn. Otherwise it prints nothing
 * and exits with 0.
 */
import { readFileSync, writeSync } from 'node:fs';
import { isLive, type Loop } from '../core/loop.ts';
import { isAlive, isDisabled, isDriven } from '../store/runtime.ts';
import { NO_OUTPUT, type Output } from '../hosts/host.ts';
import { callerOf } from '../hosts/registry.ts';
import { wakeOf } from '../hosts/wake.ts';
import type { StopArrival } from '../hosts/arrival.ts';
import { findHome } from '../store/file/home.ts';
import { fileStore } from '../store/file/store.ts';

const WORDS = 'Da Capo: it no longer waits for background work. Continue with the task.';
const LOOK_MS = 500;
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
  const wake = typeof host === 'string' ? null : wakeOf(host);
  if (typeof host === 'string' || wake === null) return NO_OUTPUT;
  const arrival = host.hear(payload, env);
  // A headless host would wait for this process instead of running it in the background.
  if (arrival?.is !== 'stop' || !arrival.attended) return NO_OUTPUT;
  const store = fileStore(findHome(env, process.platform));
  const entry = store.sessions.find(arrival.from.session);
  const open = entry === null ? null : store.open(entry.loop);
  if (open === null) return NO_OUTPUT;
  const answered = await answerTo(arrival, open.look);
  if (answered === null || !isLetThrough(answered)) return NO_OUTPUT;
  const wait = answered.yielded
    ? () => idleFor(QUEUE_MS, () => wake.isIdle(arrival.from, env), unchanged(answered, open.look))
    : () => outlasts(holdEnd(answered, env), unchanged(answered, open.look));
  if (!(await wait())) return NO_OUTPUT;
  // The hook may be registered twice (plugin and `init`). Only the first event counts, so the session wakes once.
  const { woken } = open.write({
    type: 'woken',
    at: new Date().toISOString(),
    n: answered.stops,
    process: process.pid,
    machine: store.machine(),
  });
  const isOurs = woken?.process === process.pid && woken.machine === store.machine();
  return isOurs ? wake.encode(WORDS) : NO_OUTPUT;
}

function isLetThrough(loop: Loop): boolean {
  return isLive(loop) && (loop.yielded || loop.hold !== null);
}

/** Waits until this stop is answered and returns the loop; null if no hook answers it. */
async function answerTo({ from }: StopArrival, look: () => Loop): Promise<Loop | null> {
  const began = Date.now() - process.uptime() * 1000;
  for (;;) {
    const loop = look();
    if (loop.owner?.session !== from.session) return null;
    if (loop.last !== null && Date.parse(loop.last.at) >= began) return loop;
    if (loop.open === null && Date.now() - began > CLAIM_MS) return null;
    if (!(await pause())) return null;
  }
}

/** A new stop or prompt means that someone else continues the loop. Other events, such as a compaction, do not. */
function unchanged(before: Loop, look: () => Loop): () => boolean {
  return () => {
    const loop = look();
    return isLetThrough(loop) && loop.stops === before.stops && loop.chain === before.chain;
  };
}

/** DACAPO_HOLD_SECONDS overrides the wait, for people and tests that can't wait that long. */
function holdEnd(loop: Loop, env: NodeJS.ProcessEnv): number {
  const seconds = Number(env['DACAPO_HOLD_SECONDS'] ?? Number.NaN);
  return Number.isNaN(seconds) ? Date.parse(loop.hold?.until ?? loop.updatedAt) : Date.now() + seconds * 1000;
}

async function outlasts(deadline: number, still: () => boolean): Promise<boolean> {
  while (Date.now() < deadline) {
    if (!(await pause()) || !still()) return false;
  }
  return still();
}

async function idleFor(ms: number, idle: () => boolean, still: () => boolean): Promise<boolean> {
  for (let since = Date.now(); Date.now() - since < ms; since = idle() ? since : Date.now()) {
    if (!(await pause()) || !still()) return false;
  }
  return still();
}

/**
 * Returns false if the host is gone. On Unix its children then get another parent; on Windows they keep the parent's
 * id.
 */
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
