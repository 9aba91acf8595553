/** Records a ruling and renders the loop after it. */
import type { EventOf } from '../core/record/events.ts';
import { fold } from '../core/fold/index.ts';
import type { Ruling } from '../core/judge.ts';
import { headOf } from '../core/words/sanitize.ts';
import { topFrame, type Loop } from '../core/loop.ts';
import type { Verdict } from '../core/record/verdict.ts';
import type { Facts } from '../core/standing.ts';
import type { StopArrival } from '../hosts/arrival.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { logStop } from '../views/progress/hook-log.ts';
import { askAtStop } from '../operations/requests/ask.ts';
import { showViews } from '../views/views.ts';

/** Characters of the last message that the journal keeps. Those who show it clean it. */
const PREVIEW = 500;

export function record(
  open: OpenLoop,
  n: number,
  facts: Facts,
  { verdict }: Ruling,
  runtime: Runtime,
): EventOf<'verdict'> {
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
    sights: proofs.sights,
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
    preview: headOf(stop.message.trimStart(), PREVIEW) || null,
  };
}

interface Recorded {
  /** The loop as it was when the stop was claimed. */
  readonly before: Loop;
  readonly event: EventOf<'verdict'>;
  readonly arrival: StopArrival;
}

/** Returns the loop as of this stop. */
export function render(open: OpenLoop, { before, event, arrival }: Recorded, runtime: Runtime): Loop {
  const { n, verdict } = event;
  const now = showViews(open, runtime);
  if (hasOtherViews(before)) logStop(before, now, arrival, runtime);
  // A later stop, perhaps the last one, may have been judged meanwhile. This stop still gets its own answer.
  const after = now.last !== null && now.last.n > n ? (fold(before, event) ?? now) : now;
  open.keep();
  runtime.log(
    `${logLine(after.id, arrival, 'ours')} stop=${n} verdict=${verdict.is} status=${after.status.is} iteration=${topFrame(before).passes + 1}`,
  );
  return after;
}

function hasOtherViews({ files: { views } }: Loop): boolean {
  return views.length > 0;
}

export function logLine(loop: string, { from, continuedByHook }: StopArrival, claim: string): string {
  return `Stop session=${from.session} prompt=${from.prompt ?? '-'} loop=${loop} stop_hook_active=${continuedByHook} claim=${claim}`;
}
