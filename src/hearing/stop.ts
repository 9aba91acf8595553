/**
 * The one sequence: own, claim, prove, judge, record, render, answer. Every stop of every driver passes through here.
 */
import { judge, withItems, type Ruling } from '../core/judge.ts';
import type { Facts } from '../core/standing.ts';
import { SILENCE, type Answer, type StopArrival } from '../hosts/arrival.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { answerStop } from './answer.ts';
import { claimStop, type Claimed } from './claim.ts';
import { notLive } from './ending.ts';
import { ownLoop } from './own-loop.ts';
import { prove } from './prove.ts';
import { readItemsFor } from './read-items.ts';
import { logLine, record, render } from './record.ts';

/** `entry`: which loop the session owns, where the caller has looked already. */
export async function hearStop(
  arrival: StopArrival,
  runtime: Runtime,
  entry = runtime.store.sessions.find(arrival.from.session),
): Promise<Answer> {
  const owned = ownLoop(arrival, entry, runtime); // rules 2 to 4
  if (owned.is === 'answered') return owned.answer;
  const { open } = owned;
  try {
    const claim = await claimStop(open, arrival, runtime); // rule 5
    if (claim.is !== 'ours') return unclaimed(open, claim, arrival, runtime);
    const { n } = claim;
    const before = open.loop();
    const proven = await prove(open, arrival, n, runtime); // tags, files, checks, stop hooks, usage, work tree
    if (proven === null) return lost(open, n, arrival, runtime);
    const ruling = await judgeStop(open, proven.facts, n, runtime); // rules 6 to 15
    if (ruling === null) return lost(open, n, arrival, runtime);
    const event = record(open, n, proven.facts, ruling, runtime);
    const after = render(open, { before, event, arrival }, runtime);
    return answerStop(open, { n, before, after, ...proven }, arrival.from, runtime);
  } finally {
    open.close();
  }
}

/** The ruling on the whole loop. Null: this process was told to end while it read a list of items. */
export async function judgeStop(
  open: OpenLoop,
  facts: Facts,
  n: number,
  runtime: Runtime,
): Promise<Ruling | null> {
  const loop = open.loop();
  const ruling = judge(loop, facts, runtime.now());
  if (ruling.wants === null) return ruling;
  const items = await readItemsFor(open, ruling.wants, facts.proofs, n, runtime);
  return items && withItems(loop, facts, ruling, items);
}

/** The stop was delivered before, another process is hearing one, or the loop was paused or ended meanwhile. */
function unclaimed(
  open: OpenLoop,
  { is }: Exclude<Claimed, { is: 'ours' }>,
  arrival: StopArrival,
  runtime: Runtime,
): Answer {
  runtime.log(logLine(open.loop().id, arrival, is));
  return is === 'not-live' ? notLive(open, open.loop(), arrival.from, runtime) : SILENCE;
}

/** The journal says that the stop was lost; it spends nothing. */
function lost(open: OpenLoop, n: number, arrival: StopArrival, runtime: Runtime): Answer {
  runtime.log(`${logLine(open.loop().id, arrival, 'ours')} stop=${n} lost`);
  return SILENCE;
}
