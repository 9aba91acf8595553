/**
 * The second Stop hook, which the host runs in the background (`asyncRewake`): the session stays usable, and exit 2 wakes
 * it. It ends a hold that nothing else ends: a background shell that is a server, a subagent that hangs. In every other
 * case it says nothing and exits 0, most often at once.
 */
import { readFileSync, writeSync } from 'node:fs';
import type { Loop } from '../core/loop.ts';
import { claudeCode } from '../hosts/claude-code/host.ts';
import type { StopArrival } from '../hosts/host.ts';
import { findHome } from '../journal/home.ts';
import { sessionEntry } from '../journal/sessions.ts';
import { openLoop } from '../journal/store.ts';

const WAKE = 2;
const LOOK_MS = 500;
/** The judging hook starts within milliseconds of this one; one that has not claimed the stop by then never will. */
const CLAIM_MS = 5_000;

async function main(): Promise<number> {
  const { env } = process;
  if (env['DACAPO_DISABLE'] === '1' || env['IDLE_LOOP_DISABLE'] === '1') return 0;
  const arrival = claudeCode.hear(JSON.parse(readFileSync(0, 'utf8')), env);
  // Headless, the host would wait for this process instead of running it in the background.
  if (arrival?.is !== 'stop' || !arrival.attended || arrival.background.length === 0) return 0;
  const home = findHome(env, process.platform);
  const entry = sessionEntry(home, arrival.from.session);
  const open = entry === null ? null : openLoop(home, entry.loop);
  if (open === null) return 0;
  const until = await holdOf(open.look, arrival);
  if (until === null) return 0;
  const soonest = Number(env['DACAPO_HOLD_SECONDS'] ?? Number.NaN) * 1000 + Date.now();
  return (await outlasts(open.look, Number.isNaN(soonest) ? Date.parse(until) : soonest)) ? wake() : 0;
}

/** The hold that this very stop was answered with, once it is answered. */
async function holdOf(look: () => Loop, { from }: StopArrival): Promise<string | null> {
  const began = Date.now() - process.uptime() * 1000;
  for (;;) {
    const loop = look();
    const answered = loop.last !== null && Date.parse(loop.last.at) >= began;
    if (answered || loop.owner?.session !== from.session) return loop.status.is === 'waiting' ? (loop.hold?.until ?? null) : null;
    if (loop.open === null && Date.now() - began > CLAIM_MS) return null;
    if (!(await pause())) return null;
  }
}

/** Whether the hold is still on when its time is up: any event of the session ends it before. */
async function outlasts(look: () => Loop, deadline: number): Promise<boolean> {
  const heard = look().stops;
  while (Date.now() < deadline) {
    if (!(await pause())) return false;
    const loop = look();
    if (loop.status.is !== 'waiting' || loop.stops !== heard) return false;
  }
  return true;
}

/** False: the host is gone. */
async function pause(): Promise<boolean> {
  const parent = process.ppid;
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  return process.ppid === parent;
}

function wake(): number {
  writeSync(2, 'Da Capo: the background work has not ended in time, and nobody waits for it any longer. Go on with the task; look at its output if you need it.');
  return WAKE;
}

void main().then(
  (code) => process.exit(code),
  () => process.exit(0),
);
