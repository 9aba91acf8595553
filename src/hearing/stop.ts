/** The one sequence: claim, prove, decide, record, render, answer. */
import { join } from 'node:path';
import { decide, wanted } from '../core/decide.ts';
import type { CheckProof, EventOf } from '../core/events.ts';
import { hasEnded, isLive, topFrame, type Loop } from '../core/loop.ts';
import type { Proofs, Stop } from '../core/stop.ts';
import { continuation } from '../core/words-to-agent.ts';
import { sayContinue, sayEnded, sayHold, sayStatus, title } from '../core/words-to-person.ts';
import { SILENCE, type Answer, type StopArrival } from '../hosts/host.ts';
import { dropSession, sessionEntry } from '../journal/sessions.ts';
import { openLoop, type OpenLoop } from '../journal/store.ts';
import { findTags, mayHoldTag } from '../proofs/tags.ts';
import { STATE_FILE, isTaken } from '../views/file.ts';
import { claimStop } from './claim.ts';
import { abortBroken } from './abort.ts';
import { ownership } from './ownership.ts';
import { taskOf } from './task.ts';
import { readView, renderView } from './view.ts';
import type { World } from './world.ts';

const TAGS = ['promise'];

export async function hearStop(arrival: StopArrival, world: World): Promise<Answer> {
  const { from } = arrival;
  const entry = sessionEntry(world.home, from.session);
  if (entry === null)
    return isTaken(join(from.project, STATE_FILE)) ? hearHandWritten(arrival, world) : SILENCE;
  const open = openLoop(world.home, entry.loop);
  if (open === null) return SILENCE;
  try {
    return await hear(open, arrival, world);
  } finally {
    open.close();
  }
}

async function hearHandWritten(arrival: StopArrival, world: World): Promise<Answer> {
  const { adoptAtStop } = await import('./others.ts');
  const adopted = await adoptAtStop(arrival, world);
  if (adopted.is === 'left') return adopted.answer;
  const answer = await hearStop(arrival, world);
  return 'toPerson' in answer
    ? { ...answer, toPerson: [adopted.notice, answer.toPerson].join('\n') }
    : { is: 'tell', toPerson: adopted.notice };
}

async function hear(open: OpenLoop, arrival: StopArrival, world: World): Promise<Answer> {
  if (open.broken() !== null) return ended(open, abortBroken(open, world), world);
  const owned = ownership(open, arrival.from, world);
  if (owned !== 'ours') return owned;
  const loop = isLive(open.loop()) ? readView(open, world) : open.loop();
  if (hasEnded(loop)) return ended(open, loop, world);
  if (!isLive(loop)) return notLive(loop, arrival);

  const claim = await claimStop(open, arrival, world);
  world.log(logLine(open.loop(), arrival, claim.is));
  switch (claim.is) {
    case 'same':
    case 'busy':
      return SILENCE;
    case 'not-live':
      return hasEnded(open.loop()) ? ended(open, open.loop(), world) : notLive(open.loop(), arrival);
    case 'ours':
      return judge(open, arrival, claim.n, world);
  }
}

async function judge(open: OpenLoop, arrival: StopArrival, n: number, world: World): Promise<Answer> {
  const before = open.loop();
  const stop: Stop = { ...arrival, ...arrival.from, ...arrival.look(before.queue, before.boundAt) };
  const tags = mayHoldTag(arrival.message, TAGS) ? await findTags(arrival.message, TAGS) : [];
  const checks = await proofsFor(open, stop, tags, n, world);
  if (checks === null) return SILENCE;
  const proofs: Proofs = { tags, checks };
  const verdict = decide(before, stop, proofs, world.now());
  open.write(verdictEvent(n, verdict, checks, stop, world));
  const after = renderView(open, world);
  open.keep();
  world.log(
    `loop=${after.id} stop=${n} verdict=${verdict.is} status=${after.status.is} iteration=${topFrame(after).passes + 1}`,
  );
  return answer(open, after, n, before.compacted, world);
}

/** Null: this process was told to end while it proved; the stop is closed as lost, and spends nothing. */
async function proofsFor(
  open: OpenLoop,
  stop: Stop,
  tags: Proofs['tags'],
  n: number,
  world: World,
): Promise<CheckProof[] | null> {
  const checks = wanted(open.loop(), stop, tags, world.now());
  if (checks.length === 0) return [];
  const { prove } = await import('./prove.ts');
  const proven = await prove(checks, open, n, world);
  if (proven.is === 'proven') return proven.proofs;
  open.write({ type: 'lost', at: world.now(), n, why: proven.why });
  open.keep();
  return null;
}

function verdictEvent(
  n: number,
  verdict: EventOf<'verdict'>['verdict'],
  proofs: readonly CheckProof[],
  stop: Stop,
  world: World,
): EventOf<'verdict'> {
  const { cap, toolUsed, queue } = stop;
  return { type: 'verdict', at: world.now(), n, verdict, proofs, cap, toolUsed, queue };
}

/** The record has the last word: a cancel that came before the verdict has voided it. */
function answer(open: OpenLoop, loop: Loop, n: number, wasCompacted: boolean, world: World): Answer {
  if (hasEnded(loop)) return ended(open, loop, world);
  const verdict = loop.last?.n === n ? loop.last.verdict : null;
  if (verdict === null || !isLive(loop))
    return { is: 'tell', toPerson: `Da Capo: loop ${title(loop)} ${sayStatus(loop)}.` };
  switch (verdict.is) {
    case 'continue':
      return {
        is: 'continue',
        toAgent: continuation(loop, verdict, taskOf(open, loop), wasCompacted),
        toPerson: sayContinue(loop, verdict),
      };
    case 'allow':
      return { is: 'tell', toPerson: sayHold(verdict) };
    case 'complete':
    case 'escalate':
    case 'exhaust':
      return SILENCE;
  }
}

/** The session's entry stands until its person has read how the loop ended. */
function ended(open: OpenLoop, loop: Loop, world: World): Answer {
  renderView(open, world);
  open.keep();
  if (loop.owner !== null) dropSession(world.home, loop.owner.session);
  return { is: 'tell', toPerson: sayEnded(loop) };
}

/** Said at the stop of the pass that was under way, and not at every one after it. */
function notLive(loop: Loop, arrival: StopArrival): Answer {
  return loop.chain === arrival.from.prompt && loop.status.is === 'paused' && loop.status.why === 'command'
    ? { is: 'tell', toPerson: `Da Capo: loop ${title(loop)} ${sayStatus(loop)}.` }
    : SILENCE;
}

function logLine(loop: Loop, arrival: StopArrival, claim: string): string {
  const { session, prompt } = arrival.from;
  return `Stop session=${session} prompt=${prompt ?? '-'} loop=${loop.id} stop_hook_active=${arrival.latch} claim=${claim}`;
}
