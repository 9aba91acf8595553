/** The one sequence: claim, prove, decide, record, render, answer. */
import { join } from 'node:path';
import { checksWanted, decide, wantsProof } from '../core/decide.ts';
import { mayStall } from '../core/circuit.ts';
import { isCrowded } from '../core/context.ts';
import type { EventOf } from '../core/events.ts';
import type { Verdict } from '../core/verdict.ts';
import { fold } from '../core/fold/index.ts';
import { hasEnded, isLive, isPlain, topFrame, type Frame, type Loop } from '../core/loop.ts';
import type { Proofs, Stop } from '../core/stop.ts';
import { continuation, hasMoreOpen } from '../text/to-agent.ts';
import { sayTurn } from '../text/nesting.ts';
import { sayContinue, sayHold, sayShortened } from '../text/to-person.ts';
import { SILENCE, type Answer, type Sender, type StopArrival } from '../hosts/arrival.ts';
import { sessionEntry } from '../store/file/sessions.ts';
import { openLoop, type OpenLoop } from '../store/open-loop.ts';
import { mayHoldTag, TAGS } from '../proofs/promise/tags.ts';
import { hearSaid } from '../proofs/promise/said.ts';
import { hearHandWritten } from '../operations/adopt.ts';
import { previewOf } from '../views/vault/history.ts';
import { logStop } from '../views/progress/hook-log.ts';
import { readView, renderView } from '../views/markdown/view.ts';
import { abortBroken, letGo, notLive, sayEnd, sayHeld, sayStanding } from './ending.ts';
import { limitsAt } from './limits.ts';
import { settleFrames } from './nesting.ts';
import { lookAround, moreWords, prove } from './prove.ts';
import { STATE_FILE, isTaken } from '../views/file.ts';
import { claimStop } from './claim.ts';
import { isUntouched, show } from '../views/markdown/glance.ts';
import { ownership } from '../operations/ownership.ts';
import { taskOf } from '../views/task.ts';
import type { World } from '../store/runtime.ts';

const QUEUE_LAG_MS = 250;

export async function hearStop(arrival: StopArrival, world: World): Promise<Answer> {
  const { from } = arrival;
  const entry = sessionEntry(world.home, from.session);
  if (entry === null)
    return isTaken(join(from.project, STATE_FILE)) ? hearHandWritten(arrival, world, hearStop) : SILENCE;
  const open = openLoop(world.home, entry.loop);
  if (open === null) return letGo(entry.loop, from.session, world);
  try {
    return await hear(open, arrival, world);
  } finally {
    open.close();
  }
}

async function hear(open: OpenLoop, arrival: StopArrival, world: World): Promise<Answer> {
  if (open.broken() !== null) return abortBroken(open, arrival.from, world);
  const owned = ownership(open, arrival.from, world);
  if (owned !== 'ours') return owned === 'held' ? sayHeld(open.loop()) : SILENCE;
  const found = open.loop();
  const loop = !isLive(found) || isUntouched(found) ? found : readView(open, world);
  if (!isLive(loop)) return notLive(open, loop, arrival.from, world);

  const claim = await claimStop(open, arrival, world);
  if (claim.is === 'ours') return judge(open, arrival, claim.n, world);
  world.log(logLine(open.loop(), arrival, claim.is));
  return claim.is === 'not-live' ? notLive(open, open.loop(), arrival.from, world) : SILENCE;
}

async function judge(open: OpenLoop, arrival: StopArrival, n: number, world: World): Promise<Answer> {
  const before = open.loop();
  const stop: Stop = { ...arrival, ...arrival.from, ...(await settledLook(before, arrival)) };
  const said = saidIn(arrival.message, topFrame(before));
  const proofs = await proofsFor(open, stop, said, n, world);
  const limits =
    proofs && isCounted(before, stop) ? await limitsOn(open, arrival, stop, proofs, world) : null;
  const judged = proofs && decide(before, stop, { ...proofs, over: limits?.over ?? null }, world.now());
  const verdict = proofs && judged && (await settled(open, stop, judged, proofs, n, world));
  if (proofs === null || verdict === null) {
    world.log(`${logLine(open.loop(), arrival, 'ours')} stop=${n} lost`);
    return SILENCE;
  }
  // What only other views show is gathered for loops that have one.
  const hasOtherViews = before.views.length > 0;
  const event = {
    ...verdictEvent(n, verdict, proofs, stop, hasOtherViews ? previewOf(stop) : null, world),
    ...limits?.counts,
  };
  open.write(event);
  const now = await render(open, world);
  if (hasOtherViews) logStop(before, now, arrival, world);
  // Where a later stop was heard in the meantime, the answer to this one is still its own.
  const after = isLive(now) && now.last !== null && now.last.n > n ? (fold(before, event) ?? now) : now;
  open.keep();
  world.log(
    `${logLine(after, arrival, 'ours')} stop=${n} verdict=${verdict.is} status=${after.status.is} iteration=${topFrame(after).passes + 1}`,
  );
  const answered = await answer(open, before, after, n, arrival.from, world);
  const told = isPlain(before) ? answered : await withMissed(answered, before, after);
  return limits === null ? told : limits.warn(told, world);
}

/** Items that left a list without a turn: an ending names them itself. */
async function withMissed(answer: Answer, before: Loop, after: Loop): Promise<Answer> {
  const missed = hasEnded(after) ? null : sayShortened(before, after);
  if (missed === null || !('toPerson' in answer)) return answer;
  return { ...answer, toPerson: [answer.toPerson, missed].filter(Boolean).join(' ') };
}

/** What is counted is judged after all else: `decide` is asked as if no such limit were reached. */
async function limitsOn(open: OpenLoop, arrival: StopArrival, stop: Stop, proofs: Proofs, world: World) {
  const draft = decide(open.loop(), stop, proofs, world.now());
  return limitsAt(open, arrival, stop, proofs, draft);
}

/** The verdict is on the frame at work: what it means for those around it is judged where there are some. */
async function settled(
  open: OpenLoop,
  stop: Stop,
  verdict: Verdict,
  proofs: Proofs,
  n: number,
  world: World,
): Promise<Verdict | null> {
  return isPlain(open.loop()) ? verdict : settleFrames(open, stop, verdict, proofs, n, world);
}

/** Most loops have no budget, most contexts room, and most stops work behind them: only the others are counted. */
function isCounted(loop: Loop, stop: Stop): boolean {
  return (loop.costUsd ?? loop.tokens) !== null || isCrowded(stop.context) || mayStall(loop, stop);
}

/** The host writes down that it took something from its queue up to 200 ms after it did: nothing is held up for what is gone. */
async function settledLook(before: Loop, arrival: StopArrival): Promise<ReturnType<typeof lookFor>> {
  const look = lookFor(before, arrival);
  if (look.queue.waiting === 0) return look;
  await new Promise((seen) => setTimeout(seen, QUEUE_LAG_MS));
  return lookFor(before, arrival);
}

/** Let through once for something that nobody has taken since: then it is not there, and the loop goes on. */
function lookFor(before: Loop, arrival: StopArrival): Pick<Stop, 'queue' | 'toolUsed' | 'context' | 'used'> {
  const look = { context: null, used: null, ...arrival.look(before.queue, before.boundAt) };
  const { queue, taken } = look;
  if (!before.yielded || taken) return look;
  const news = Math.max(0, queue.waiting - before.queue.waiting);
  return { ...look, queue: { offset: queue.offset, waiting: news } };
}

async function render(open: OpenLoop, world: World): Promise<Loop> {
  const loop = open.loop();
  if (hasEnded(loop) || !isUntouched(loop)) return renderView(open, world);
  show(open, loop, world);
  return loop;
}

/** The Markdown parser is needed only where there is a tag to find. */
function saidIn(message: string, frame: Frame): Proofs['said'] {
  return mayHoldTag(message, TAGS) ? hearSaid(message, frame) : null;
}

/** Null: this process was told to end while it proved; the stop is closed as lost, and spends nothing. */
async function proofsFor(
  open: OpenLoop,
  stop: Stop,
  said: Proofs['said'],
  n: number,
  world: World,
): Promise<Proofs | null> {
  const loop = open.loop();
  const proofs: Proofs = { said, checks: [], sights: [], features: null, over: null };
  if (!wantsProof(loop, stop, world.now())) return proofs;
  const looks = looksAround(loop);
  const seen = looks ? { ...proofs, ...lookAround(open, world) } : proofs;
  const checks = checksWanted(loop, seen);
  if (checks.length === 0 && !looks) return seen;
  const proven = await prove(checks, seen, stop, open, n, world);
  if (proven.is === 'proven') return { ...seen, ...proven.proofs };
  open.write({ type: 'lost', at: world.now(), n, why: proven.why });
  open.keep();
  return null;
}

/** Whether there is more to it than tags and checks. */
function looksAround(loop: Loop): boolean {
  return (
    (loop.config ?? loop.baseline) !== null ||
    topFrame(loop).gates.some(({ kind }) => kind !== 'promise' && kind !== 'check')
  );
}

function verdictEvent(
  n: number,
  verdict: Verdict,
  { checks, sights, features }: Proofs,
  stop: Stop,
  preview: string | null,
  world: World,
): EventOf<'verdict'> {
  const { cap, toolUsed, queue, used, context } = stop;
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
    used,
    context,
    tree: null,
    stalls: 1,
    preview,
  };
}

/** The record has the last word: a cancel that came before the verdict has voided it. */
async function answer(
  open: OpenLoop,
  before: Loop,
  loop: Loop,
  n: number,
  from: Sender,
  world: World,
): Promise<Answer> {
  if (hasEnded(loop)) return sayEnd(open, loop, from, world);
  const verdict = loop.last?.n === n ? loop.last.verdict : null;
  if (verdict === null || !isLive(loop)) return sayStanding(loop);
  switch (verdict.is) {
    case 'continue': {
      const turn = isPlain(before) ? null : sayTurn(before, loop, verdict);
      const more = hasMoreOpen(verdict) || looksAround(loop) ? moreWords(loop, verdict) : {};
      return {
        is: 'continue',
        toAgent: continuation(loop, verdict, taskOf(open, loop), before.compacted, {
          ...more,
          ...(turn !== null && { turn: `Da Capo: ${turn}` }),
        }),
        toPerson: turn === null ? sayContinue(loop, verdict, from.commands) : `Da Capo: ${turn}`,
        iteration: { n: topFrame(loop).passes + 1, of: topFrame(loop).iterations },
      };
    }
    case 'allow':
      return { is: 'tell', toPerson: sayHold(verdict) };
    case 'complete':
    case 'escalate':
    case 'exhaust':
      return SILENCE;
  }
}

function logLine(loop: Loop, arrival: StopArrival, claim: string): string {
  const { session, prompt } = arrival.from;
  return `Stop session=${session} prompt=${prompt ?? '-'} loop=${loop.id} stop_hook_active=${arrival.latch} claim=${claim}`;
}
