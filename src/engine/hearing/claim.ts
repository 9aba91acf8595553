/**
 * Claims each stop exactly once: the first process to write its ordinal has it. A process that loses reads
 * again.
 */
import { hash } from '#base/hash.ts';
import { isLive, type StopClaim, type Loop, type AnsweredStop } from '#law/loop.ts';
import type { StopArrival } from '#hosts/port/arrival.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { claimLives, type Runtime } from '#store/runtime.ts';

/**
 * How long a stop waits while another one is being heard. Only several hosts at once can make it wait at all.
 */
const PATIENCE_MS = 60_000;
/**
 * The pause between two looks. It grows each time, so that many waiting processes leave the CPU to the one
 * that works.
 */
const PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

export interface Hearing {
  readonly open: OpenLoop;
  readonly n: number;
  readonly arrival: StopArrival;
  readonly runtime: Runtime;
  /** Nothing is written, and the same stop is heard later. */
  readonly isRehearsal?: boolean;
}

export type Claimed =
  | { readonly is: 'ours'; readonly n: number }
  | { readonly is: 'same' | 'not-live' | 'busy' };

export async function claimStop(open: OpenLoop, arrival: StopArrival, runtime: Runtime): Promise<Claimed> {
  const { session, prompt } = arrival.from;
  const mine = {
    session,
    prompt,
    words: hash(arrival.message),
    process: runtime.process,
    machine: runtime.store.machine(),
    started: runtime.started,
    ...(runtime.registration !== undefined && { registration: runtime.registration }),
  };
  let deadline: number | null = null;
  let pause = PAUSE_MS;
  for (let loop = open.loop(); ; loop = open.look()) {
    if (!isLive(loop)) return { is: 'not-live' };
    const at = runtime.now();
    if (wasHeard(loop, mine, Date.parse(at), runtime)) return { is: 'same' };
    if (loop.open === null) {
      const n = loop.stops + 1;
      const now = open.write({
        type: 'stop',
        at,
        n,
        ...mine,
        continuedByHook: arrival.continuedByHook,
      });
      if (now.open?.n === n && isMine(now.open, mine)) return { is: 'ours', n };
    } else if (!claimLives(loop.open, runtime)) {
      // That process may have answered just before it ended. Only a look after its end can tell.
      const { n } = loop.open;
      if (open.look().open?.n === n) open.write({ type: 'lost', at: runtime.now(), n, why: 'died' });
    } else {
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
    const now = Date.parse(runtime.now());
    deadline ??= now + PATIENCE_MS;
    if (now >= deadline) return { is: 'busy' };
  }
}

function wasHeard(loop: Loop, mine: DeliveredStop, now: number, runtime: Runtime): boolean {
  // A claim whose process died will never be answered. It must not swallow the stop that comes after it.
  const open = loop.open === null || !claimLives(loop.open, runtime) ? [] : [loop.open];
  // An answer in the future means that the clock was set back, so "began before that was answered" proves
  // nothing. Then only a delivery whose first process is still alive can be the same stop. Hearing a stop
  // twice is better than losing one.
  const answered = loop.answered.filter((stop) => Date.parse(stop.at) <= now || claimLives(stop, runtime));
  return wasClaimed(mine, [...answered, ...open]);
}

function isMine(claim: StopClaim, mine: DeliveredStop): boolean {
  return claim.process === mine.process && claim.started === mine.started && claim.words === mine.words;
}

/** How long after an answer a host may start another registration of the hook. */
const LATEST_MS = 5_000;

export type DeliveredStop = Omit<StopClaim, 'n'>;

/**
 * A delivery was claimed before if a claim has the same session, prompt and words, and that claim is still
 * open, or this process began before it was answered, or this delivery is late. `claims`: the newest last.
 */
export function wasClaimed(mine: DeliveredStop, claims: readonly (StopClaim | AnsweredStop)[]): boolean {
  const same = claims.filter((claim) => saysTheSame(mine, claim));
  const last = same.at(-1);
  return last !== undefined && (same.some((claim) => beganBefore(mine, claim)) || isLate(mine, last));
}

function saysTheSame(a: DeliveredStop, b: DeliveredStop): boolean {
  return a.session === b.session && a.prompt === b.prompt && a.words === b.words;
}

function beganBefore({ started }: DeliveredStop, claim: StopClaim | AnsweredStop): boolean {
  return !('at' in claim) || Date.parse(started) < Date.parse(claim.at);
}

/**
 * The hook may be registered twice. On a busy host the second one can start after the first has answered. A
 * real stop with the same words also reaches the registration that heard the last one, and that one hears it.
 */
function isLate({ registration, started }: DeliveredStop, last: StopClaim | AnsweredStop): boolean {
  if (!('at' in last) || registration === undefined || last.registration === undefined) return false;
  return registration !== last.registration && Date.parse(started) - Date.parse(last.at) < LATEST_MS;
}
