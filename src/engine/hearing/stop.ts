/**
 * The one sequence: own, claim, prove, judge, record, render, answer. Every stop of every driver passes
 * through here.
 */
import { judge, withItems, type Ruling } from '#law/decide.ts';
import type { Facts } from '#law/stop.ts';
import { SILENCE, type Answer, type StopArrival } from '#hosts/port/arrival.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { answerStop } from './answer.ts';
import { claimStop, type Claimed, type Hearing } from './claim.ts';
import { notLive } from './ending.ts';
import { ownLoop } from './own-loop.ts';
import { prove } from './prove.ts';
import { readItemsFor } from './read-items.ts';
import type { EventOf } from '#law/record/events.ts';
import { fold } from '#law/fold/index.ts';
import { headOf } from '#base/words/sanitize.ts';
import { type Loop } from '#law/loop.ts';
import type { Verdict } from '#law/record/verdict.ts';
import { logStop } from '#evidence/views/progress/hook-log.ts';
import { askAtStop } from '../requests/ask.ts';
import { showAndKeep } from '#evidence/views/views.ts';

/** `entry`: which loop the session owns, where the caller has looked already. */
export async function hearStop(
  arrival: StopArrival,
  runtime: Runtime,
  entry = runtime.store.sessions.find(arrival.from.session),
): Promise<Answer> {
  const open = ownLoop(arrival, entry, runtime); // rules 2 to 4
  if ('is' in open) return open;
  try {
    const claim = await claimStop(open, arrival, runtime); // rule 5
    if (claim.is !== 'ours') return unclaimed(open, claim, arrival, runtime);
    const hearing = { open, n: claim.n, arrival, runtime };
    const before = open.loop();
    const proven = await prove(hearing); // tags, files, checks, stop hooks, usage, work tree
    if (proven === null) return lost(hearing);
    const ruling = await judgeStop(hearing, proven.facts); // rules 6 to 15
    if (ruling === null) return lost(hearing);
    const event = recordVerdict(hearing, proven.facts, ruling);
    const after = renderViews(hearing, before, event);
    return answerStop(hearing, { before, after, ...proven });
  } finally {
    open.close();
  }
}

/** The ruling on the whole loop. Null: this process was told to end while it read a list of items. */
export async function judgeStop(hearing: Hearing, facts: Facts): Promise<Ruling | null> {
  const loop = hearing.open.loop();
  const ruling = judge(loop, facts, hearing.runtime.now());
  if (ruling.wants === null) return ruling;
  const items = await readItemsFor(hearing, ruling.wants, facts.proofs);
  return items && withItems(loop, facts, ruling, items);
}

/**
 * The stop was delivered before, another process is hearing one, or the loop was paused or ended meanwhile.
 */
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
function lost({ open, n, arrival, runtime }: Hearing): Answer {
  runtime.log(`${logLine(open.loop().id, arrival, 'ours')} stop=${n} lost`);
  return SILENCE;
}

/** Characters of the last message that the journal keeps. Those who show it clean it. */
const MAX_PREVIEW_CHARS = 500;

function recordVerdict({ open, n, runtime }: Hearing, facts: Facts, { verdict }: Ruling): EventOf<'verdict'> {
  // Before the verdict: if this process dies in between, the loop still waits for an answer.
  if (verdict.is === 'allow' && verdict.asks !== undefined)
    askAtStop(open, verdict.asks, facts.stop, runtime);
  const event = verdictEvent(n, facts, verdict, runtime.now());
  open.write(event);
  return event;
}

export function verdictEvent(
  n: number,
  { stop, proofs, tree, stalls }: Facts,
  verdict: Verdict,
  at: string,
): EventOf<'verdict'> {
  return {
    type: 'verdict',
    at,
    n,
    verdict,
    proofs: proofs.checks,
    gateResults: proofs.gateResults,
    features: proofs.features,
    cap: stop.cap,
    toolUsed: stop.toolUsed,
    ...(!stop.toolResetsCap && { toolResetsCap: false }),
    queue: stop.queue,
    used: stop.used,
    context: stop.context,
    tree,
    // A stop that was let through tells nothing about progress.
    stalls: 'missing' in verdict ? stalls : 1,
    ...(proofs.trend && { trend: proofs.trend }),
    preview: headOf(stop.message.trimStart(), MAX_PREVIEW_CHARS) || null,
  };
}

/** Returns the loop as of this stop. `before`: as it was when the stop was claimed. */
function renderViews({ open, n, arrival, runtime }: Hearing, before: Loop, event: EventOf<'verdict'>): Loop {
  const { verdict } = event;
  const now = showAndKeep(open, runtime);
  if (before.files.views.length > 0) logStop(before, now, arrival, runtime);
  // A later stop, perhaps the last one, may have been judged meanwhile. This stop still gets its own answer.
  const after = now.last !== null && now.last.n > n ? (fold(before, event) ?? now) : now;
  runtime.log(
    `${logLine(after.id, arrival, 'ours')} stop=${n} verdict=${verdict.is} status=${after.status.is} ` +
      `iteration=${before.frame.passes + 1}`,
  );
  return after;
}

function logLine(loop: string, { from, continuedByHook }: StopArrival, claim: string): string {
  return (
    `Stop session=${from.session} prompt=${from.prompt ?? '-'} loop=${loop} ` +
    `stop_hook_active=${continuedByHook} claim=${claim}`
  );
}
