/** The one sequence: claim, prove, decide, record, render, answer. */
import { join } from 'node:path';
import { checksWanted, decide, wantsProof } from '../core/decide.ts';
import type { EventOf } from '../core/events.ts';
import { fold } from '../core/fold.ts';
import { featuresOf, hasEnded, isLive, topFrame, type Loop } from '../core/loop.ts';
import type { Proofs, Stop } from '../core/stop.ts';
import { continuation } from '../core/words-to-agent.ts';
import { sayContinue, sayHold, type Commands } from '../core/words-to-person.ts';
import { SILENCE, type Answer, type StopArrival } from '../hosts/host.ts';
import { sessionEntry } from '../journal/sessions.ts';
import { openLoop, type OpenLoop } from '../journal/store.ts';
import { mayHoldTag } from '../proofs/tags.ts';
import { STATE_FILE, isTaken } from '../views/file.ts';
import { claimStop } from './claim.ts';
import { isUntouched, show } from './glance.ts';
import { ownership } from './ownership.ts';
import { taskOf } from './task.ts';
import type { World } from './world.ts';

const TAGS = ['promise'];

/** What an ending, a pause, an edit or a hand-written file needs: most stops do not pay for it. */
const rare = () => import('./others.ts');
const proving = () => import('./prove.ts');

export async function hearStop(arrival: StopArrival, world: World): Promise<Answer> {
  const { from } = arrival;
  const entry = sessionEntry(world.home, from.session);
  if (entry === null)
    return isTaken(join(from.project, STATE_FILE))
      ? (await rare()).hearHandWritten(arrival, world, hearStop)
      : SILENCE;
  const open = openLoop(world.home, entry.loop);
  if (open === null) return (await rare()).letGo(entry.loop, from.session, world);
  try {
    return await hear(open, arrival, world);
  } finally {
    open.close();
  }
}

async function hear(open: OpenLoop, arrival: StopArrival, world: World): Promise<Answer> {
  if (open.broken() !== null) return (await rare()).abortBroken(open, world);
  const owned = ownership(open, arrival.from, world);
  if (owned !== 'ours') return owned === 'held' ? (await rare()).sayHeld(open.loop()) : SILENCE;
  const found = open.loop();
  const loop = !isLive(found) || isUntouched(found) ? found : (await rare()).readView(open, world);
  if (!isLive(loop)) return (await rare()).notLive(open, loop, arrival.from, world);

  const claim = await claimStop(open, arrival, world);
  if (claim.is === 'ours') return judge(open, arrival, claim.n, world);
  world.log(logLine(open.loop(), arrival, claim.is));
  return claim.is === 'not-live' ? (await rare()).notLive(open, open.loop(), arrival.from, world) : SILENCE;
}

async function judge(open: OpenLoop, arrival: StopArrival, n: number, world: World): Promise<Answer> {
  const before = open.loop();
  const stop: Stop = { ...arrival, ...arrival.from, ...lookFor(before, arrival) };
  const tags = await tagsIn(arrival.message);
  const proofs = await proofsFor(open, stop, tags, n, world);
  if (proofs === null) {
    world.log(`${logLine(open.loop(), arrival, 'ours')} stop=${n} lost`);
    return SILENCE;
  }
  const verdict = decide(before, stop, proofs, world.now());
  const event = verdictEvent(n, verdict, proofs, stop, world);
  open.write(event);
  const now = await render(open, world);
  // Where a later stop was heard in the meantime, the answer to this one is still its own.
  const after = isLive(now) && now.last !== null && now.last.n > n ? (fold(before, event) ?? now) : now;
  open.keep();
  world.log(
    `${logLine(after, arrival, 'ours')} stop=${n} verdict=${verdict.is} status=${after.status.is} iteration=${topFrame(after).passes + 1}`,
  );
  return answer(open, after, n, before.compacted, arrival.from.commands, world);
}

/** Let through once for something that nobody has taken since: then it is not there, and the loop goes on. */
function lookFor(before: Loop, arrival: StopArrival): Pick<Stop, 'queue' | 'toolUsed'> {
  const { queue, taken, toolUsed } = arrival.look(before.queue, before.boundAt);
  if (!before.yielded || taken) return { queue, toolUsed };
  const news = Math.max(0, queue.waiting - before.queue.waiting);
  return { queue: { offset: queue.offset, waiting: news }, toolUsed };
}

async function render(open: OpenLoop, world: World): Promise<Loop> {
  const loop = open.loop();
  if (hasEnded(loop) || !isUntouched(loop)) return (await rare()).renderView(open, world);
  show(open, loop, world);
  return loop;
}

/** The same file, again: its Markdown parser is loaded only where there is a tag to find. */
async function tagsIn(message: string): Promise<Proofs['tags']> {
  if (!mayHoldTag(message, TAGS)) return [];
  const { findTags } = await import('../proofs/tags.ts');
  return findTags(message, TAGS);
}

/** Null: this process was told to end while it proved; the stop is closed as lost, and spends nothing. */
async function proofsFor(
  open: OpenLoop,
  stop: Stop,
  tags: Proofs['tags'],
  n: number,
  world: World,
): Promise<Proofs | null> {
  const loop = open.loop();
  const proofs: Proofs = { tags, checks: [], sights: [], features: null };
  if (!wantsProof(loop, stop, world.now())) return proofs;
  const seen = { ...proofs, ...(await filesSeen(open, world)) };
  const checks = checksWanted(loop, seen);
  if (checks.length === 0) return seen;
  const proven = await (await proving()).prove(checks, open, n, world);
  if (proven.is === 'proven') return { ...seen, checks: proven.proofs };
  open.write({ type: 'lost', at: world.now(), n, why: proven.why });
  open.keep();
  return null;
}

async function filesSeen(open: OpenLoop, world: World): Promise<Partial<Proofs>> {
  const loop = open.loop();
  const { gates } = topFrame(loop);
  if (loop.baseline === null && !gates.some(({ kind }) => kind === 'features' || kind === 'moved')) return {};
  return (await proving()).lookAtFiles(open, world);
}

function verdictEvent(
  n: number,
  verdict: EventOf<'verdict'>['verdict'],
  { checks, sights, features }: Proofs,
  stop: Stop,
  world: World,
): EventOf<'verdict'> {
  const { cap, toolUsed, queue } = stop;
  return {
    type: 'verdict',
    at: world.now(),
    n,
    verdict,
    proofs: checks,
    sights,
    features,
    cap,
    toolUsed,
    queue,
  };
}

/** The record has the last word: a cancel that came before the verdict has voided it. */
async function answer(
  open: OpenLoop,
  loop: Loop,
  n: number,
  wasCompacted: boolean,
  commands: Commands,
  world: World,
): Promise<Answer> {
  if (hasEnded(loop)) return (await rare()).sayEnd(open, loop, world);
  const verdict = loop.last?.n === n ? loop.last.verdict : null;
  if (verdict === null || !isLive(loop)) return (await rare()).standing(loop);
  switch (verdict.is) {
    case 'continue':
      return {
        is: 'continue',
        toAgent: continuation(loop, verdict, taskOf(open, loop), wasCompacted, await nextItem(loop)),
        toPerson: sayContinue(loop, verdict, commands),
      };
    case 'allow':
      return { is: 'tell', toPerson: sayHold(verdict) };
    case 'complete':
    case 'escalate':
    case 'exhaust':
      return SILENCE;
  }
}

async function nextItem(loop: Loop): Promise<string> {
  return featuresOf(topFrame(loop)) === null ? '' : (await proving()).nextFeature(loop);
}

function logLine(loop: Loop, arrival: StopArrival, claim: string): string {
  const { session, prompt } = arrival.from;
  return `Stop session=${session} prompt=${prompt ?? '-'} loop=${loop.id} stop_hook_active=${arrival.latch} claim=${claim}`;
}
