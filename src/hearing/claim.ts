/** Exactly once: a stop is claimed by being the first to write its ordinal. Whoever loses reads again. */
import { hash } from '../core/hash.ts';
import { isLive, type Claim, type Loop } from '../core/loop.ts';
import { isSameStop } from '../core/stop.ts';
import type { StopArrival } from '../hosts/arrival.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { claimLives } from '../store/liveness.ts';
import type { Runtime } from '../store/runtime.ts';

/** How long a stop waits for another one that is being heard. Only several hosts at once can make it wait at all. */
const PATIENCE_MS = 60_000;
/** Between two looks, longer each time: many at once would leave the one that is heard no processor. */
const PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;
export type Claimed =
  | { readonly is: 'ours'; readonly n: number }
  | { readonly is: 'same' }
  | { readonly is: 'not-live' }
  | { readonly is: 'busy' };

export async function claimStop(open: OpenLoop, arrival: StopArrival, world: Runtime): Promise<Claimed> {
  const { session, prompt } = arrival.from;
  const mine = {
    session,
    prompt,
    words: hash(arrival.message),
    process: world.process,
    machine: world.store.machine(),
    started: world.started,
  };
  let deadline: number | null = null;
  let pause = PAUSE_MS;
  for (let loop = open.loop(); ; loop = open.look()) {
    if (!isLive(loop)) return { is: 'not-live' };
    if (wasHeard(loop, mine, world)) return { is: 'same' };
    if (loop.open === null) {
      const n = loop.stops + 1;
      const now = open.write({ type: 'stop', at: world.now(), n, ...mine, latch: arrival.latch });
      if (now.open?.n === n && isMine(now.open, mine)) return { is: 'ours', n };
    } else if (!claimLives(loop.open, world)) {
      // It may have answered just before it ended: only a look after its end can tell.
      const { n } = loop.open;
      if (open.look().open?.n === n) open.write({ type: 'lost', at: world.now(), n, why: 'died' });
    } else {
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
    const now = Date.parse(world.now());
    deadline ??= now + PATIENCE_MS;
    if (now >= deadline) return { is: 'busy' };
  }
}

function wasHeard(loop: Loop, mine: Omit<Claim, 'n'>, world: Runtime): boolean {
  // A claim whose process died will never be answered: it must not swallow the stop that comes after it.
  const open = loop.open === null || !claimLives(loop.open, world) ? [] : [loop.open];
  // Where an answer lies in the future the clock was set back, and "began before that was answered" says nothing: then
  // only a delivery beside a process that still hears can be the same stop. One heard twice is better than one lost.
  const now = Date.parse(world.now());
  const answered = loop.answered.filter((stop) => Date.parse(stop.at) <= now || claimLives(stop, world));
  return [...open, ...answered].some((stop) => isSameStop(mine, stop));
}

function isMine(claim: Claim, mine: Omit<Claim, 'n'>): boolean {
  return claim.process === mine.process && claim.started === mine.started && claim.words === mine.words;
}
