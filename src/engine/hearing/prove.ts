/**
 * Gathers what the law needs to know about a stop, and no more: most stops need neither a file nor a check.
 * The code that takes the proofs is loaded on demand (`proofs/`).
 */
import { wantsMark } from '#law/circuit.ts';
import { wantsProof, factsOf } from '#law/decide.ts';
import { requirementsOf } from '#law/gates.ts';
import { hasBudget, isPlain, looksAround, mayStall, type Loop } from '#law/loop.ts';
import { wantsFirstMark } from '#law/proof/news.ts';
import { checksWanted, standingOf } from '#law/standing.ts';
import type { Facts, Proofs, Stop } from '#law/stop.ts';
import { lookAtLists } from '#evidence/guard/removed-items.ts';
import type { StopArrival } from '#hosts/port/arrival.ts';
import { hearSaid } from '#evidence/proofs/promise/said.ts';
import { mayHoldTag, TAGS } from '#base/words/sanitize.ts';
import type { Hearing } from './claim.ts';
import { lookAround } from './proofs/look-around.ts';
import { markTree } from './proofs/mark-tree.ts';
import { takeProofs } from './proofs/take-proofs.ts';

export interface Proven {
  readonly facts: Facts;
  /** What the person should know about how the usage was counted or the work tree compared, reported once. */
  readonly note: string | null;
}

/**
 * Null: this process was told to end while it gathered proofs. The stop is closed as lost and spends nothing.
 */
export async function prove(hearing: Hearing): Promise<Proven | null> {
  const { open, arrival, runtime } = hearing;
  const loop = open.loop();
  const seen = await settledLook(loop, arrival);
  const proven = await proofsFor(hearing, seen);
  if (proven === null) return null;
  const { proofs } = proven;
  // Checks take minutes. If a person typed meanwhile, they come first, and the checks run again at the next
  // stop.
  const late = proofs.checks.length > 0 ? await settledLook(loop, arrival) : seen;
  const ledger = {
    read: () => open.blobs.read('usage.json'),
    write: (content: string) => open.blobs.write('usage.json', content),
  };
  const counted = hasBudget(loop) ? await arrival.count?.(loop, ledger, runtime.store.config) : undefined;
  // What was found before goes first.
  const trouble = proven.standing.trouble ?? counted?.trouble ?? null;
  const standing = { ...proven.standing, trouble };
  const stop = { ...late, used: counted?.used ?? late.used };
  const marks =
    (mayStall(loop, stop.toolUsed) && wantsMark({ loop, stop, proofs, standing })) ||
    (standing.done && wantsFirstMark(loop, stop));
  const marked = marks ? await markTree(open, runtime) : null;
  if (!isPlain(loop)) lookAtLists(open, runtime);
  const facts = factsOf(open.loop(), stop, proofs, marked?.tree ?? null, standing);
  return { facts, note: counted?.note ?? marked?.note ?? null };
}

/**
 * Looks again after a moment if something waits in the host's queue: it may just have been taken, and the
 * host reports that late.
 */
async function settledLook(loop: Loop, arrival: StopArrival): Promise<Stop> {
  const stop = stopSeen(loop, arrival);
  if (stop.queue.waiting === 0) return stop;
  await new Promise((seen) => setTimeout(seen, arrival.from.limits.lagMs));
  return stopSeen(loop, arrival);
}

function stopSeen(loop: Loop, arrival: StopArrival): Stop {
  const { from, message, background, cap, attended, continuedByHook } = arrival;
  const look = arrival.look(loop.session.queue, loop.session.boundAt);
  // We already yielded once for this queued input and it was never consumed. Ignore it now, or the loop would
  // yield forever.
  const waiting =
    loop.session.yielded && !look.taken
      ? Math.max(0, look.queue.waiting - loop.session.queue.waiting)
      : look.queue.waiting;
  return {
    session: from.session,
    prompt: from.prompt,
    message,
    background,
    cap,
    toolResetsCap: from.limits.toolResetsCap,
    attended,
    continuedByHook,
    queue: { offset: look.queue.offset, waiting },
    toolUsed: look.toolUsed,
    used: look.used ?? null,
    context: look.context ?? null,
  };
}

async function proofsFor(hearing: Hearing, stop: Stop): Promise<Pick<Facts, 'proofs' | 'standing'> | null> {
  const { open, n, runtime } = hearing;
  const loop = open.loop();
  const { frame } = loop;
  const { message } = stop;
  const said =
    (loop.session.said ?? loop.session.awaits) !== null || mayHoldTag(message, TAGS)
      ? hearSaid(message, frame, loop.session)
      : null;
  const heard: Proofs = { said, checks: [], gateResults: [], features: null };
  if (!wantsProof(loop, stop, runtime.now())) return { proofs: heard, standing: standingOf(frame, heard) };
  const looks = looksAround(loop);
  const seen = looks ? { ...heard, ...lookAround(open, runtime) } : heard;
  const required = requirementsOf(frame);
  const standing = standingOf(frame, seen, required);
  const checks = checksWanted(required, standing);
  if (checks.length === 0 && !looks) return { proofs: seen, standing };
  const taken = await takeProofs(hearing, checks, seen, stop);
  if (taken.is === 'taken') {
    const proofs = { ...seen, ...taken.proofs };
    return { proofs, standing: standingOf(frame, proofs, required) };
  }
  open.write({ type: 'lost', at: runtime.now(), n, why: taken.why });
  open.keep();
  return null;
}
